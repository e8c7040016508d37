# SPDX-License-Identifier: GPL-2.0-only
# Tests pages of acrctl report --html in Chromium, as TAP.  What they must show is added up from the JSON of acrctl script.
# usage: page_test.py DIR    with pages and the JSON of their samples, made by report_html_page.sh
import base64
import collections
import json
import os
import re
import sys
import tempfile
import traceback
import zlib

from browser import Browser, Keys

directory = os.path.abspath(sys.argv[1])
browser = Browser(tempfile.mkdtemp(dir=directory))
tests = []


def test(name):
    def add(function):
        tests.append((name, function))
        return function
    return add


def equal(got, want, what=""):
    assert got == want, "%s: got %r, want %r" % (what, got, want)


def page(name):
    return os.path.join(directory, name + ".html")


def packed(name, part):
    """One of the two data elements of a page."""
    text = open(page(name)).read()
    return json.loads(zlib.decompress(base64.b64decode(re.search(r'id="%s">\n(.*?)\n?</script>' % part, text, re.S).group(1))))


# ---- what samples add up to, a second way ---------------------------------------------------


def frame_name(frame):
    if frame["sym"] is None:
        name = frame["dso"].split("/")[-1] if frame["dso"] else "[unknown]"
        return name if name.startswith("[") else "[%s]" % name
    return frame["sym"] + (" [k]" if int(frame["ip"], 16) >> 63 else "") + (" [i]" if frame["inlined"] else "")


class Samples:
    def __init__(self, name, event="cycles"):
        with open(os.path.join(directory, name + ".json")) as f:
            self.list = json.load(f)["samples"]
        self.first = min(int(s["time"]) for s in self.list)
        self.bin_ns = packed(name, "stacks")["bin_ns"]
        self.list = [s for s in self.list if s["event"] == event]

    def bin(self, sample):
        return (int(sample["time"]) - self.first) // self.bin_ns

    def table(self, chosen):
        """By name: samples in it, and with what it called; and of how many."""
        own, total = collections.Counter(), collections.Counter()
        for s in chosen:
            names = [frame_name(f) for f in s["chain"]]
            own[names[0]] += 1
            total.update(set(names))
        return {name: (own[name], total[name]) for name in total}


def shown_table():
    browser.js("for (let i = 0; i < 20; i++) document.getElementById('more').click()")
    rows = browser.js("return [...document.querySelectorAll('#symbols tbody tr')].map(row => [...row.cells].map((cell, i) => "
                      "i === 3 ? cell.firstChild.textContent : cell.textContent))")
    return [(row[3], int(row[0].replace(",", "")), row[1], row[2]) for row in rows]


def percent(part, total):
    return "%.2f\xa0%%" % (100 * part / total)


def check_table(samples, chosen):
    want = {name: (own, percent(own, len(chosen)), percent(total, len(chosen)))
            for name, (own, total) in samples.table(chosen).items()}
    equal({row[0]: row[1:] for row in shown_table()}, want, "table")
    counted = browser.js("return document.querySelector('.frames .frame').title")
    assert "all: {:,} samples".format(len(chosen)) in counted, (counted, len(chosen))


def frame(name):
    """The widest box of the flame graph with a name."""
    boxes = [box for box in browser.all(".frames .frame") if box.text == name or box.get_attribute("textContent") == name]
    return max(boxes, key=lambda box: box.size["width"])


def text(selector):
    return browser.get(selector).text


def range_of_page():
    return browser.js("return [Number(document.getElementById('from').value), Number(document.getElementById('to').value)]")


# ---- tests ----------------------------------------------------------------------------------


@test("shows each function with the samples in it, their share, and that with what it called")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))
    check_table(samples, samples.list)
    equal(text("#shown"), "all {:,} samples".format(len(samples.list)))
    equal(browser.js("return document.getElementById('fault').hidden"), True, "no fault")


@test("a range dragged over the timeline chooses the samples of that time, a click all")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))
    browser.drag(browser.get("#plot"), .25, .4)
    begin, end = range_of_page()
    bins = packed("plain", "stacks")["bins"]
    assert abs(begin / bins - .25) < .01 and abs(end / bins - .4) < .01, (begin, end, bins)
    chosen = [s for s in samples.list if begin <= samples.bin(s) < end]
    assert 0 < len(chosen) < len(samples.list) / 4, len(chosen)
    check_table(samples, chosen)
    equal(text("#shown"), "{:,} of {:,} samples".format(len(chosen), len(samples.list)))
    browser.get("#plot").click()
    check_table(samples, samples.list)


@test("the handles choose a time by the keyboard")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))
    bins = packed("plain", "stacks")["bins"]
    browser.get("#from").send_keys(Keys.END)
    equal(range_of_page(), [bins - 1, bins], "from end")
    browser.get("#from").send_keys(Keys.HOME, Keys.PAGE_UP, Keys.ARROW_RIGHT)
    browser.get("#to").send_keys(Keys.PAGE_DOWN, Keys.ARROW_LEFT)
    begin, end = range_of_page()
    assert 0 < begin < end < bins, (begin, end, bins)
    check_table(samples, [s for s in samples.list if begin <= samples.bin(s) < end])
    assert re.match(r"\d+\.\d+ s$", browser.get("#from").get_attribute("aria-valuetext"))


@test("CPUs and tasks are chosen by their names, also several, also together with a time")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))

    def press(name):
        next(b for b in browser.all("#lane-names button") if b.text == name).click()

    press("CPU 2")
    check_table(samples, [s for s in samples.list if s["cpu"] == 2])
    press("CPU 0")
    check_table(samples, [s for s in samples.list if s["cpu"] in (0, 2)])
    browser.get("input[value=task]").click()
    press("server 10/11")
    browser.drag(browser.get("#plot"), .5, .9)
    begin, end = range_of_page()
    check_table(samples, [s for s in samples.list if s["cpu"] in (0, 2) and s["tid"] == 11 and begin <= samples.bin(s) < end])
    equal([b.text for b in browser.all("#lane-names [aria-pressed=true]")], ["server 10/11"], "pressed")
    browser.get("#clear").click()
    check_table(samples, samples.list)
    equal(len(browser.all("#lane-names button")), 1 + len({s["tid"] for s in samples.list}), "lanes")


@test("of 288 CPUs and 100 tasks each can be chosen, 48 are in the page at a time, and others that are chosen are named")
def _():
    samples = Samples("wide")
    browser.open(page("wide"))

    def press(button):
        # the bar at the top may cover it
        browser.js("arguments[0].scrollIntoView({ block: 'center' })", button)
        button.click()

    lanes = lambda: [b.text for b in browser.all("#lane-names button")][1:]
    elements = lambda: browser.js("return document.querySelectorAll('*').length")
    choose = lambda name: press(next(b for b in browser.all("#lane-names button") if b.text == name))
    canvas = lambda: browser.js("return document.getElementById('bars').toDataURL()")
    shown = lambda: browser.js("return ['lanes-before', 'lanes-after'].map(id => document.getElementById(id)).filter(b => !b.hidden)"
                               ".map(b => b.textContent)")

    equal((lanes(), shown()), (["CPU %d" % n for n in range(48)], ["240 more"]), "first page")
    equal(text("#lanes-place"), "288 CPUs, page 1 of 6")
    choose("CPU 0")
    seen, drawn = lanes(), {canvas()}
    # by the keyboard; a button that goes leaves the focus to the other one
    browser.js("document.getElementById('lanes-after').focus()")
    for number in range(2, 7):
        browser.keys(Keys.ENTER)
        assert elements() < 2500 and len(lanes()) == 48, (elements(), len(lanes()))
        equal(text("#lanes-place"), "288 CPUs, page %d of 6" % number)
        seen += lanes()
        drawn.add(canvas())
    equal((seen, len(drawn)), (["CPU %d" % n for n in range(288)], 6), "all lanes")
    equal((shown(), browser.js("return document.activeElement.id")), (["240 before"], "lanes-before"), "last page")
    equal(text("#lanes-others"), "Chosen, but not listed below: CPU 0")
    check_table(samples, [s for s in samples.list if s["cpu"] == 0])

    choose("CPU 287")
    check_table(samples, [s for s in samples.list if s["cpu"] in (0, 287)])
    equal({b.get_attribute("textContent") for b in browser.all(".frames .kernel")}, {"function_0 [k]", "function_31 [k]"}, "frames")
    press(browser.get("#lanes-before"))
    equal((shown(), text("#lanes-others")), (["192 before", "48 more"], "Chosen, but not listed below: CPU 0, CPU 287"))
    equal([b.get_attribute("aria-pressed") for b in browser.all("#lane-names button")], ["false"] * 49, "pressed")
    check_table(samples, [s for s in samples.list if s["cpu"] in (0, 287)])

    press(browser.get("input[value=task]"))
    equal((shown(), text("#lanes-place")), (["52 more"], "100 tasks, page 1 of 3"))
    for _ in range(2):
        press(browser.get("#lanes-after"))
    equal(lanes(), ["task-%d %d" % (n, 1000 + n) for n in range(96, 100)], "last tasks")
    choose("task-96 1096")
    check_table(samples, [s for s in samples.list if s["cpu"] in (0, 287) and s["tid"] == 1096])
    press(browser.all("#lane-names button")[0])
    equal(text("#lanes-others"), "Chosen, but not listed below: CPU 0, CPU 287")
    press(browser.get("#clear"))
    equal((text("#lanes-others"), shown()), ("", ["52 more"]))
    check_table(samples, samples.list)
    # more names than a line holds
    press(browser.get("input[value=cpu]"))
    for name in lanes()[:11]:
        choose(name)
    press(browser.get("#lanes-after"))
    equal(text("#lanes-others"), "Chosen, but not listed below: %s and 3 more" % ", ".join("CPU %d" % n for n in range(8)))


@test("a click enlarges a function, breadcrumbs and Esc lead back; widths are shares")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))
    width = browser.get("#frames").size["width"]
    stacks = [[s["comm"]] + [frame_name(f) for f in s["chain"]][::-1] for s in samples.list]

    def share(path, among):
        inside = sum(s[:len(path)] == path for s in stacks)
        return width * inside / sum(s[:len(among)] == among for s in stacks)

    equal(round(frame("server").size["width"] / 4), round(share(["server"], []) / 4), "server")
    path = ["server", "main", "run_query"]
    frame("run_query").click()
    equal(frame("run_query").size["width"], width, "enlarged")
    got, want = frame("find_row").size["width"], share(path + ["find_row"], path)
    assert abs(got - want) < 2, (got, want)
    equal([b.text for b in browser.all("#crumbs button")], ["all"] + path, "breadcrumbs")
    equal(browser.get("#crumbs [aria-current]").text, "run_query")
    browser.all("#crumbs button")[1].click()
    equal([b.text for b in browser.all("#crumbs button")], ["all", "server"], "breadcrumbs")
    browser.keys(Keys.ESCAPE)
    equal([b.text for b in browser.all("#crumbs button")], ["all"], "breadcrumbs")
    assert browser.all(".frames .kernel") and browser.all(".frames .inlined"), "kernel and inlined are distinguished"
    assert all(b.get_attribute("textContent").endswith("[k]") for b in browser.all(".frames .kernel"))
    assert all(b.get_attribute("textContent").endswith("[i]") for b in browser.all(".frames .inlined"))


@test("the flame graph is used with the keyboard alone")
def _():
    browser.open(page("plain"))
    for _ in range(60):
        browser.keys(Keys.TAB)
        if browser.js("return document.activeElement.getAttribute('role')") == "treeitem":
            break
    focused = lambda: browser.js("return document.activeElement.textContent")
    equal(focused(), "all", "one tab stop")
    assert browser.js("return getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is visible"
    trace = []
    for key in (Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_UP,
                Keys.ARROW_RIGHT):
        browser.keys(key)
        trace.append(focused())
    equal(trace, ["server", "main", "parse_file", "run_query", "parse_file", "main", "server", "loader"], "arrows")
    assert text("#detail").startswith("loader (command): "), text("#detail")
    browser.keys(Keys.ENTER)
    equal([b.text for b in browser.all("#crumbs button")], ["all", "loader"], "breadcrumbs")
    equal(focused(), "loader", "the focus stays")
    browser.keys(Keys.ESCAPE)
    equal(len(browser.all("#crumbs button")), 1, "breadcrumbs")
    browser.keys("/")
    equal(browser.js("return document.activeElement.id"), "search", "/ searches")
    browser.keys("token")
    equal(browser.get("#search").get_attribute("value"), "token")
    browser.keys(Keys.ESCAPE)
    equal(browser.get("#search").get_attribute("value"), "")


@test("search finds functions and their share, also of a chosen time, and narrows the table")
def _():
    samples = Samples("plain")
    browser.open(page("plain"))

    def check(word, chosen):
        found = sum(any(word in (f["sym"] or frame_name(f)) or word in (f["dso"] or "") for f in s["chain"]) for s in chosen)
        equal(text("#found"), "found in %s of samples" % percent(found, len(chosen)).replace("\xa0", " "))

    browser.get("#search").send_keys("PARSE_")
    check("parse_", samples.list)
    equal({b.get_attribute("textContent") for b in browser.all(".frames .match")}, {"parse_file", "parse_line"})
    equal({row[0] for row in shown_table()}, {"parse_file", "parse_line"})
    browser.drag(browser.get("#plot"), .45, .6)
    begin, end = range_of_page()
    check("parse_", [s for s in samples.list if begin <= samples.bin(s) < end])
    browser.get("#clear").click()
    equal(text("#found"), "")
    next(b for b in browser.all("#symbols tbody button") if b.text == "compare [i]").click()
    check("compare", samples.list)


@test("the table is sorted by each column, by mouse and keyboard")
def _():
    browser.open(page("plain"))

    def order(column, falling):
        rows = shown_table()
        values = [(row[1], float(row[2][:-2]), float(row[3][:-2]), row[0])[column] for row in rows]
        values = [re.sub(r" \[[ki]\]$", "", v) for v in values] if column == 3 else values
        equal(values, sorted(values, reverse=falling), "column %d" % column)
        state = browser.js("return [...document.querySelectorAll('#symbols thead th')].map(th => th.getAttribute('aria-sort'))")
        equal(state, [("descending" if falling else "ascending") if i == column else None for i in range(5)], "aria-sort")

    order(0, True)
    buttons = browser.all("#symbols thead button")
    equal([b.text.split()[0] for b in buttons], ["Samples", "Share", "Total", "Symbol", "Object"])
    buttons[2].click()
    order(2, True)
    buttons[2].click()
    order(2, False)
    browser.js("arguments[0].focus()", buttons[3])
    browser.keys(Keys.ENTER)
    order(3, False)
    browser.keys(" ")
    order(3, True)
    buttons[1].click()
    order(1, True)


@test("events of a group are chosen one by one; occurrences weigh samples by their periods")
def _():
    browser.open(page("periods"))
    options = [o.text for o in browser.all("#event option")]
    equal(options, ["cycles", "branch-misses"], "events")
    for number, event in enumerate(options):
        samples = Samples("periods", event)
        browser.all("#event option")[number].click()
        browser.all("#measure option")[0].click()
        rows = {row[0]: row for row in shown_table()}
        table, total = samples.table(samples.list), sum(s["period"] for s in samples.list)
        own = collections.Counter()
        for s in samples.list:
            own[frame_name(s["chain"][0])] += s["period"]
        equal({n: r[1:3] for n, r in rows.items()}, {n: (table[n][0], percent(own[n], total)) for n in table}, event)
        browser.all("#measure option")[1].click()
        assert "all: {:,} occurrences".format(total) in browser.get(".frames .frame").get_attribute("title"), total


@test("light and dark follow the system until the button chooses; text has contrast in both")
def _():
    ground = lambda: browser.js("return getComputedStyle(document.body).backgroundColor")
    contrast = """
        const part = c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
        const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => part(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
        const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
            if (c !== 'rgba(0, 0, 0, 0)') return c; } };
        return [...document.querySelectorAll('p, h1, h2, dt, dd, label, button, th, td, summary, output, .frame:not(.narrow):not(.above)')]
            .filter(e => e.textContent.trim() && e.getClientRects().length).map(e => {
                const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
                return [(a + .05) / (b + .05), e.textContent.slice(0, 40) + ' ' + e.className]; }).sort((x, y) => x[0] - y[0])[0];"""
    grounds = {}
    for scheme in ("light", "dark"):
        browser.open(page("plain"), scheme=scheme)
        grounds[scheme] = ground()
        worst = browser.js(contrast)
        assert worst[0] >= 4.5, (scheme, worst)
        browser.get("#search").send_keys("main")
        worst = browser.js(contrast)
        assert worst[0] >= 4.5, (scheme, "search", worst)
    assert grounds["light"] != grounds["dark"], grounds
    equal(text("#theme"), "Light")
    browser.get("#theme").click()
    equal((ground(), text("#theme")), (grounds["light"], "Dark"), "chosen")


@test("of a stack of 3,000 functions every one can be reached, and at most 1,000 are in the page")
def _():
    browser.open(page("deep"))
    levels = []
    while len(levels) < 2 or levels[-1] > levels[-2]:
        browser.js("[...document.querySelectorAll('.frames .frame')].at(-1).click()")
        frames = browser.js("return [...document.querySelectorAll('.frames .frame')].map(f => f.ariaLevel)")
        assert len(frames) <= 1000, len(frames)
        assert len(browser.all("#crumbs li")) <= 100
        levels.append(int(frames[-1]))
    # below all and the command
    equal(levels[-1], 3002)
    browser.keys(Keys.ESCAPE)
    equal(browser.js("return document.querySelector('.frames .frame').ariaLevel"), "1")


@test("nothing is wider than the window, at 360 pixels and at 1280")
def _():
    for name in ("plain", "hostile", "large", "wide"):
        for width in (360, 1280):
            browser.open(page(name), width=width)
            got = browser.js("return document.documentElement.scrollWidth")
            assert got <= width, (name, width, got)
    browser.open(page("plain"), width=360)
    samples = Samples("plain")
    check_table(samples, samples.list)


@test("all that can be used has a name for screen readers; reduced motion is respected")
def _():
    browser.open(page("plain"), motion="reduce")
    equal(browser.js("return getComputedStyle(document.querySelector('.frames .frame')).transitionDuration.replace(/, 0s/g, '')"), "0s")
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "combobox", "searchbox", "slider", "treeitem", "tree", "image", "table", "region", "radio", "navigation", "group")
    used = collections.Counter()
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in roles:
            continue
        used[role] += 1
        # tables are named by the regions around them
        assert role == "table" or role == "group" or node.get("name", {}).get("value"), node
    for role in ("button", "combobox", "searchbox", "slider", "treeitem", "tree", "table", "radio"):
        assert used[role], (role, used)


@test("hostile names are text: nothing of them runs, and they do not make elements")
def _():
    for scripts in (True, False):
        browser.open(page("hostile"), scripts=scripts)
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
        equal(browser.js("return [typeof window.hacked, document.images.length, document.scripts.length, "
                         "document.querySelectorAll('iframe, svg, [onerror], [onclick]').length]"), ["undefined", 0, 3, 0])
    browser.open(page("hostile"))
    names = [row[0] for row in shown_table()]
    for name in ("</script><script>window.hacked=1</script>", "<img/src=x/onerror=window.hacked=1>", "\"'><!--", "\ufffd\ufffd[2J",
                 "a\ufffdb", "&lt;b&gt;\\u003c"):
        assert name + " [k]" in names, (name, names)
    commands = [b.get_attribute("textContent") for b in browser.all(".frames .command")]
    assert "<b>x</b>&amp;" in commands, commands


@test("only the page's own script runs: another one is refused")
def _():
    browser.open(page("plain"))
    browser.js("const s = document.createElement('script'); s.textContent = 'window.other = 1'; document.body.append(s);"
               "document.body.insertAdjacentHTML('beforeend', '<img src=x.png onerror=\"window.other=2\">')")
    equal(browser.js("return typeof window.other"), "undefined")
    assert any("Content Security Policy" in e for e in browser.take_errors())


@test("without scripts there are a message, the facts and the functions with the most samples")
def _():
    samples = Samples("plain")
    browser.open(page("plain"), scripts=False)
    browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    assert "need scripts" in text("noscript"), text("noscript")
    rows = browser.js("return [...document.querySelectorAll('#symbols tbody tr')].map(row => [...row.cells].map(c => c.textContent))")
    want = collections.Counter(frame_name(s["chain"][0]) for s in samples.list)
    got = {r[2].replace("[kernel]", "[k]").replace("(inlined)", "[i]"): (int(r[0]), r[1]) for r in rows}
    equal(got, {n: (c, percent(c, len(samples.list))) for n, c in want.items()})
    equal(browser.js("return document.getElementById('flame').hidden"), True)


@test("a large recording makes no more elements than a bounded number")
def _():
    browser.open(page("large"))
    stacks = packed("large", "stacks")
    assert len(stacks["nodes"]) / 2 > 20000 and stacks["bins"] > 100, (len(stacks["nodes"]), stacks["bins"])
    elements = lambda: browser.js("return document.querySelectorAll('*').length")
    assert elements() < 2500, elements()
    equal(len(shown_table()), 500, "rows")
    assert elements() < 6000, elements()
    browser.get("input[value=task]").click()
    assert elements() < 6000 and len(browser.all("#lane-names button")) == 41, elements()


@test("recordings without samples, chains, times, CPUs or tasks are shown as far as they go")
def _():
    browser.open(page("empty"))
    equal(browser.js("return ['fault', 'bar', 'timeline', 'flame'].map(id => document.getElementById(id).hidden)"), [True] * 4)
    assert "no event of the recording reached its period" in text("main")
    browser.open(page("bare"))
    equal(browser.js("return ['fault', 'bar', 'timeline', 'flame'].map(id => document.getElementById(id).hidden)"),
          [True, False, True, False])
    equal([(row[0], row[1]) for row in shown_table()], [("[unknown]", 3)])
    assert "without times" in text("main")
    browser.open(page("timed"))
    equal(browser.js("return [...document.querySelectorAll('#by label')].map(l => l.hidden)"), [True, True], "no lanes to choose")
    equal(text("#shown"), "all 3 samples")


def run():
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        problem = ""
        try:
            function()
            errors = browser.take_errors()
            assert not errors, "console: %s" % errors
        except Exception:  # any failure of a test is its result
            problem = traceback.format_exc()
            browser.take_errors()
        failed += bool(problem)
        print("%s %d - report --html: %s" % ("not ok" if problem else "ok", number, name))
        for line in problem.splitlines():
            print("# " + line)
        sys.stdout.flush()
    print("1..%d" % len(tests))
    return 1 if failed else 0


try:
    status = run()
finally:
    browser.quit()
sys.exit(status)
