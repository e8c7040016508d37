# SPDX-License-Identifier: GPL-2.0-only
"""What was measured as text: tables of Markdown, and of reStructuredText in the documentation."""
import re

from judge import GROWTH_MOST, GROWTH_FACTOR, group_sums, on_kernel, plain

MOST_ROWS = 15
COLUMNS = ["figure", "kernel", "acrpmu", "peer", "ratio", "limit", "result"]


def with_spread(value, spread):
    return "%s (%s to %s)" % (plain(value), plain(spread[0]), plain(spread[1])) if spread else plain(value)


def result(verdict):
    return {True: "met", False: "MISSED", None: ""}[verdict]


def cells(figure):
    """The columns of a figure."""
    limit = str(figure["limit"]) if figure["limit"] else ""
    if figure.get("missing"):
        return [figure["name"], figure.get("kernel", ""), "not measured", "", "", limit, result(False)]
    peer = ""
    if "peer" in figure:
        peer = with_spread(figure["peer"], figure.get("peer_spread"))
    ratio = ""
    if "ratio" in figure:
        spread = figure.get("ratio_spread")
        ratio = "%.2f (%.2f to %.2f)" % (figure["ratio"], *spread) if spread else "%.2f" % figure["ratio"]
    return [figure["name"], figure.get("kernel", ""), with_spread(figure["ours"], figure.get("ours_spread")), peer,
            ratio, limit, result(figure["verdict"])]


def heading_of(unit):
    """A word begins with a capital, an abbreviation stays."""
    return unit if len(unit) < 4 else unit[:1].upper() + unit[1:]


def by_unit(figures):
    """[(heading, figures)]: one table for what has the same unit and the same peer."""
    found = {}
    for figure in figures:
        heading = "Not measured" if figure.get("missing") else heading_of(figure["unit"])
        if "peer_name" in figure:
            heading += "; the peer is " + figure["peer_name"]
        found.setdefault(heading, []).append(figure)
    return found.items()


def growth_cells(g):
    return [g["series"], g["kernel"] or "", "%s to %s %s" % (plain(g["from"]["x"]), plain(g["to"]["x"]), g["to"]["x_unit"]),
            "%s to %s %s" % (plain(g["from"]["y"]), plain(g["to"]["y"]), g["to"]["unit"]),
            "%.2f" % g["times"] if g["times"] is not None else "", "at most %s" % plain(GROWTH_MOST), result(g["verdict"])]


GROWTH_COLUMNS = ["series", "kernel", "how many", "cost", "times", "limit", "result"]


def markdown_table(columns, rows):
    return ["| %s |" % " | ".join(columns), "|%s" % ("---|" * len(columns))] + ["| %s |" % " | ".join(row) for row in rows]


def symbol_cells(rows):
    shown = [[r["symbol"], r["group"], "%.1f" % r["value"]] for r in rows[:MOST_ROWS]]
    rest = rows[MOST_ROWS:]
    if rest:
        shown.append(["%d others" % len(rest), "", "%.1f" % sum(r["value"] for r in rest)])
    return shown + [["all", group, "%.1f" % total] for group, total in group_sums(rows)]


def part_tables(report, part):
    """[(heading, columns, rows)] of a part"""
    found = [(heading, COLUMNS, [cells(f) for f in figures])
             for heading, figures in by_unit([f for f in report.figures if f["part"] == part])]
    growth = [growth_cells(g) for g in report.growth if g["part"] == part]
    if growth:
        found.append(("Growth with %d times as many" % GROWTH_FACTOR, GROWTH_COLUMNS, growth))
    for (of_part, table, kernel), rows in report.tables().items():
        if of_part == part:
            found.append(("%s by symbol%s, in %s" % (table, on_kernel(kernel), rows[0]["unit"]), ["symbol", "code", "value"],
                          symbol_cells(rows)))
    return found


def markdown(report):
    lines = ["# make bench", "", report.summary() + ".", ""]
    lines += ["- %s" % problem for problem in report.problems]
    for part in report.parts:
        lines += ["", "## %s" % part]
        for heading, columns, rows in part_tables(report, part):
            lines += ["", heading + ":", ""] + markdown_table(columns, rows)
    return "\n".join(lines) + "\n"


def rst_table(columns, rows):
    rows = [[cell or "\\" if i == 0 else cell for i, cell in enumerate(row)] for row in rows]
    widths = [max(len(row[i]) for row in [columns] + rows) for i in range(len(columns))]
    rule = " ".join("=" * width for width in widths)

    def line(row):
        return " ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()

    return [rule, line(columns), rule] + [line(row) for row in rows] + [rule]


def rst(report, part):
    lines = []
    for heading, columns, rows in part_tables(report, part):
        lines += ["", heading + ":", ""] + rst_table(columns, rows)
    return "\n".join(lines) + "\n\n"


def region(part):
    return re.compile(r"(^\.\. begin of %s\n)(.*?)(^\.\. end of %s$)" % (re.escape(part), re.escape(part)), re.M | re.S)


def write_doc(report, path):
    """Replaces the tables of the parts that were run."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    for part in report.parts:
        if not region(part).search(text):
            raise SystemExit("%s: no '.. begin of %s' and '.. end of %s'" % (path, part, part))
        text = region(part).sub(lambda match, new=rst(report, part): match[1] + new + match[3], text)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def doc_rows(text):
    """The rows of a part's tables of figures: (figure, kernel, limit)."""
    spans, header = None, None
    for line in text.splitlines():
        if re.fullmatch(r"=+( =+)+", line):
            spans = [match.span() for match in re.finditer("=+", line)]
        elif not line:
            spans, header = None, None
        elif spans:
            row = [line[start:end].strip() for start, end in spans]
            if not header:
                header = row
            elif header == COLUMNS:
                yield row[0], row[1] or None, row[5]


def check_doc(path, rules, parts):
    """Prints how the limits in the documentation differ from the rules."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    wrong = []
    for part in parts:
        match = region(part).search(text)
        if not match:
            wrong.append("%s has no table of the part %s" % (path, part))
            continue
        rows = list(doc_rows(match[2]))
        ruled = [rule for rule in rules if rule.part == part]
        for name, kernel, limit in rows:
            want = [str(rule.limit) for rule in ruled if rule.name == name and rule.covers(kernel)]
            if (want or [""])[0] != limit:
                wrong.append("%s: '%s'%s: the documentation says '%s', selftests/bench/limits '%s'" %
                             (part, name, on_kernel(kernel), limit, (want or [""])[0]))
        for rule in ruled:
            if not any(rule.name == name and rule.covers(kernel) for name, kernel, _ in rows):
                wrong.append("%s: '%s' is not in the documentation" % (part, rule.name))
    return wrong
