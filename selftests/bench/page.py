# SPDX-License-Identifier: GPL-2.0-only
"""What was measured as one page of HTML with plots, which loads nothing."""
import html
import math

from judge import GROWTH_MOST, GROWTH_FACTOR, on_kernel, plain
from tables import part_tables

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --back: #ffffff; --faint: #8a929c; --line: #d5dae0; --ours: #0b62c4;
  --good: #177245; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7eb; --back: #14171b; --faint: #8d96a0; --line: #363c44;
  --ours: #6cb0ff; --good: #5fc98f; --bad: #ff8077; } }
body { color: var(--text); background: var(--back); font: 15px/1.45 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.met { color: var(--good); } .MISSED, .problem { color: var(--bad); font-weight: 600; }
.scroll { overflow-x: auto; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
.axis { stroke: var(--line); } .equal { stroke: var(--faint); stroke-dasharray: 4 3; } .limit { stroke: var(--bad); stroke-width: 2; }
.rule { stroke: var(--bad); stroke-dasharray: 4 3; fill: none; } .ours { stroke: var(--ours); fill: none; stroke-width: 2; }
.spread { stroke: var(--ours); stroke-width: 2; } circle { fill: var(--ours); } circle.MISSED { fill: var(--bad); }
"""
LABEL_WIDTH, PLOT_WIDTH, ROW_HEIGHT = 330, 420, 20


def text(x, y, words, anchor="start"):
    return '<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>' % (x, y, anchor, html.escape(words))


def line(x1, y1, x2, y2, kind):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>' % (x1, y1, x2, y2, kind)


def svg(width, height, label, parts):
    return '<svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="%s">%s</svg>' % (
        width, height, width, html.escape(label), "".join(parts))


def ratio_plot(figures):
    """Each ratio as a point with its spread and its limit; the broken line is the peer."""
    highest = max([1.1] + [f["ratio"] for f in figures] + [f["ratio_spread"][1] for f in figures if "ratio_spread" in f] +
                  [f["limit"].number for f in figures if f["limit"] and f["limit"].on == "ratio"])

    def across(ratio):
        return LABEL_WIDTH + PLOT_WIDTH * ratio / highest

    height = ROW_HEIGHT * len(figures) + 30
    drawn = [line(across(0), 4, across(0), height - 20, "axis"), line(across(1), 4, across(1), height - 20, "equal"),
             text(across(1), height - 5, "1: the peer", "middle"), text(across(0), height - 5, "0", "middle")]
    for i, f in enumerate(figures):
        y = ROW_HEIGHT * i + 16
        name = f["name"] + on_kernel(f.get("kernel"))
        drawn.append(text(LABEL_WIDTH - 8, y + 4, name, "end"))
        if "ratio_spread" in f:
            drawn.append(line(across(f["ratio_spread"][0]), y, across(f["ratio_spread"][1]), y, "spread"))
        if f["limit"] and f["limit"].on == "ratio":
            drawn.append(line(across(f["limit"].number), y - 8, across(f["limit"].number), y + 8, "limit"))
        drawn.append('<circle cx="%.1f" cy="%d" r="4" class="%s"><title>%s: %.3f</title></circle>' % (
            across(f["ratio"]), y, "MISSED" if f["verdict"] is False else "", html.escape(name), f["ratio"]))
    return svg(LABEL_WIDTH + PLOT_WIDTH + 40, height, "ratios to the peer", drawn)


def growth_plot(name, points, missed):
    """A series with logarithmic axes; the broken line grows as fast as the rule allows."""
    points = [p for p in points if p["y"] > 0]
    if len(points) < 2:
        return ""
    left, top, width, height = 70, 10, 520, 220
    slope = math.log(GROWTH_MOST) / math.log(GROWTH_FACTOR)
    first, last = points[0], points[-1]
    ruled = first["y"] * (last["x"] / first["x"]) ** slope
    ys = [math.log(p["y"]) for p in points] + [math.log(ruled)]
    xs = [math.log(p["x"]) for p in points]
    x_range, y_range = max(xs) - min(xs) or 1, max(ys) - min(ys) or 1

    def at(x, y):
        return (left + width * (math.log(x) - min(xs)) / x_range, top + height - height * (math.log(y) - min(ys)) / y_range)

    bad = [g["to"] for g in missed]
    drawn = [line(left, top, left, top + height, "axis"), line(left, top + height, left + width, top + height, "axis"),
             line(*at(first["x"], first["y"]), *at(last["x"], ruled), "rule"),
             '<polyline class="ours" points="%s"/>' % " ".join("%.1f,%.1f" % at(p["x"], p["y"]) for p in points)]
    for p in points:
        x, y = at(p["x"], p["y"])
        drawn.append('<circle cx="%.1f" cy="%.1f" r="4" class="%s"><title>%s: %s</title></circle>' % (
            x, y, "MISSED" if p in bad else "", plain(p["x"]), plain(p["y"])))
        drawn.append(text(x, top + height + 16, plain(p["x"]), "middle"))
    drawn += [text(left - 6, at(p["x"], p["y"])[1] + 4, plain(p["y"]), "end") for p in (first, last)]
    drawn.append(text(left + width / 2, top + height + 34, first["x_unit"], "middle"))
    return "<p>%s, in %s:</p>" % (html.escape(name), html.escape(first["unit"])) + \
        svg(left + width + 40, top + height + 44, name, drawn)


def table(columns, rows):
    head = "".join("<th>%s</th>" % html.escape(column) for column in columns)
    body = []
    for row in rows:
        cells = ['<td class="%s">%s</td>' % (cell if cell in ("met", "MISSED") else "", html.escape(cell)) for cell in row]
        body.append("<tr>%s</tr>" % "".join(cells))
    return '<div class="scroll"><table><tr>%s</tr>%s</table></div>' % (head, "".join(body))


def part_section(report, part):
    drawn = ["<h2>%s</h2>" % html.escape(part)]
    ratios = [f for f in report.figures if f["part"] == part and "ratio" in f]
    if ratios:
        drawn.append("<p>Ours by the peer's; red marks are limits:</p>" + ratio_plot(ratios))
    for (of_part, series, kernel), points in report.series().items():
        if of_part == part:
            missed = [g for g in report.growth if not g["verdict"] and (g["part"], g["series"], g["kernel"]) == (part, series, kernel)]
            drawn.append(growth_plot(series + on_kernel(kernel), points, missed))
    for heading, columns, rows in part_tables(report, part):
        drawn.append("<h3>%s</h3>" % html.escape(heading) + table(columns, rows))
    return "\n".join(drawn)


def page(report):
    problems = "".join('<p class="problem">%s</p>' % html.escape(problem) for problem in report.problems)
    sections = "\n".join(part_section(report, part) for part in report.parts)
    return """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>make bench</title>
<style>%s</style></head><body><h1>make bench</h1><p class="%s">%s.</p>%s
%s
</body></html>
""" % (STYLE, "met" if report.good() else "MISSED", html.escape(report.summary()), problems, sections)
