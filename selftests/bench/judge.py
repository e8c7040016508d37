# SPDX-License-Identifier: GPL-2.0-only
"""Reads the lines of make bench and its limits, and judges them."""
import json
import math

# of a figure of this kind the median of paired runs is judged
TIME = "time"
GROWTH_FACTOR = 8
GROWTH_MOST = 8.8

# what each type of line must have, by the type of its value
REQUIRED = {
    "figure": {"part": str, "name": str, "unit": str, "ours": float, "kind": str},
    "point": {"part": str, "series": str, "x": float, "y": float, "unit": str, "x_unit": str},
    "row": {"part": str, "table": str, "group": str, "symbol": str, "value": float, "unit": str},
}
OPTIONAL = {
    "figure": {"kernel": str, "peer": float, "peer_name": str, "on": str, "most": float, "least": float,
               "ratio": float, "runs": float, "ours_spread": list, "peer_spread": list, "ratio_spread": list},
    "point": {"kernel": str},
    "row": {"kernel": str},
}


class Broken(Exception):
    """A line, or a limit, that does not say what it must."""


class Limit:
    """What a figure may be: ratio or ours, most or least, a number."""

    def __init__(self, on, bound, number):
        self.on, self.bound, self.number = on, bound, number

    def holds(self, value):
        return value <= self.number if self.bound == "most" else value >= self.number

    def __str__(self):
        return "%s%s %s" % ("ratio " if self.on == "ratio" else "", "at " + self.bound, plain(self.number))

    def __eq__(self, other):
        return isinstance(other, Limit) and str(self) == str(other)


class Rule:
    """A line of the file of limits."""

    def __init__(self, text):
        fields = [field.strip() for field in text.split("|")]
        words = fields[-1].split()
        if len(fields) != 5 or len(words) != 2 or fields[3] not in ("ratio", "ours") or words[0] not in ("most", "least"):
            raise Broken("limits: not PART | FIGURE | KERNELS | ratio or ours | most or least NUMBER: %s" % text)
        self.part, self.name, self.kernels = fields[:3]
        self.limit = Limit(fields[3], words[0], float(words[1]))

    def covers(self, kernel):
        if self.kernels == "-":
            return kernel is None
        if kernel is None:
            return False
        if self.kernels.startswith(">="):
            return version(kernel) >= version(self.kernels[2:])
        return self.kernels in ("every", kernel)


def version(text):
    """6.12-rt -> (6, 12)"""
    return tuple(int(number) for number in text.split("-")[0].split("."))


def plain(number):
    """A number as people write it: no digits that nobody needs."""
    if number == int(number) and abs(number) < 1e15:
        return "%d" % number
    if abs(number) >= 1000:
        return "%.0f" % number
    if abs(number) >= 1:
        return "%.*f" % (1 if abs(number) >= 100 else 2, number)
    return "%.3g" % number


def read_rules(lines):
    return [Rule(line) for line in lines if line.strip() and not line.startswith("#")]


def check_values(line, wanted, required):
    for key, kind in wanted.items():
        if key not in line:
            if required:
                raise Broken("no %s" % key)
            continue
        value = line[key]
        if kind is float:
            good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        elif kind is list:
            good = isinstance(value, list) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value)
            good = good and value[0] <= value[1]
        else:
            good = isinstance(value, str) and value.isascii() and value.isprintable()
        if not good:
            raise Broken("bad %s" % key)


def check_figure(line):
    if line["kind"] not in ("count", TIME):
        raise Broken("bad kind")
    if ("peer" in line) != ("peer_name" in line):
        raise Broken("peer and peer_name go together")
    if "on" in line and (line["on"] not in ("ours", "ratio") or ("most" in line) == ("least" in line)):
        raise Broken("on must be ours or ratio, with most or least")
    if "on" not in line and ("most" in line or "least" in line):
        raise Broken("most or least without on")
    if line["kind"] == TIME:
        needed = ["runs", "ours_spread"] + (["peer_spread", "ratio", "ratio_spread"] if "peer" in line else [])
        for key in needed:
            if key not in line:
                raise Broken("a time without %s" % key)
        if line["runs"] < 3:
            raise Broken("a time of fewer than 3 runs")


def parse(text):
    """A line -> its object; raises Broken."""
    try:
        line = json.loads(text, parse_constant=lambda name: None)
    except ValueError as error:
        raise Broken("not JSON") from error
    if not isinstance(line, dict) or line.get("t") not in REQUIRED:
        raise Broken("not a figure, a point or a row")
    check_values(line, REQUIRED[line["t"]], True)
    check_values(line, OPTIONAL[line["t"]], False)
    if line["t"] == "figure":
        check_figure(line)
    elif line["t"] == "point" and (line["x"] <= 0 or line["y"] < 0):
        raise Broken("x must be above 0, y not below")
    return line


class Report:
    """All that was measured, and what is wrong with it."""

    def __init__(self, rules, parts, kernels, seconds=None):
        self.rules, self.parts, self.kernels, self.seconds = rules, parts, kernels, seconds
        self.figures, self.points, self.rows, self.problems = [], [], [], []
        self.growth = []

    def read(self, lines):
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                line = parse(text)
            except Broken as error:
                self.problems.append("line %d is broken: %s: %s" % (number, error, text.strip()[:120]))
                continue
            {"figure": self.figures, "point": self.points, "row": self.rows}[line["t"]].append(line)

    def fail(self, part):
        self.problems.append("%s: the part failed" % part)

    def judge(self):
        seen = set()
        for figure in self.figures:
            key = (figure["part"], figure["name"], figure.get("kernel"))
            if key in seen:
                self.problems.append("%s: '%s' is there twice%s" % (key[0], key[1], on_kernel(key[2])))
            seen.add(key)
            self.judge_figure(figure)
        for part in self.parts:
            if not any(line["part"] == part for line in self.figures + self.points):
                self.problems.append("%s: no figure" % part)
        self.find_missing(seen)
        self.judge_growth()

    def judge_figure(self, figure):
        name = "%s: '%s'%s" % (figure["part"], figure["name"], on_kernel(figure.get("kernel")))
        if "ratio" not in figure and figure.get("peer", 0) > 0:
            figure["ratio"] = figure["ours"] / figure["peer"]
        own = None
        if "on" in figure:
            bound = "most" if "most" in figure else "least"
            own = Limit(figure["on"], bound, figure[bound])
        ruled = [r.limit for r in self.rules
                 if (r.part, r.name) == (figure["part"], figure["name"]) and r.covers(figure.get("kernel"))]
        if len(ruled) > 1 or (own and ruled and own != ruled[0]):
            self.problems.append("%s has more than one limit" % name)
        limit = own or (ruled[0] if ruled else None)
        figure["limit"], figure["verdict"] = limit, None
        if not limit:
            return
        if limit.on == "ratio" and "ratio" not in figure:
            self.problems.append("%s has a limit of the ratio, and no peer" % name)
            figure["verdict"] = False
            return
        figure["verdict"] = limit.holds(figure[limit.on])

    def find_missing(self, seen):
        for rule in self.rules:
            if rule.part not in self.parts:
                continue
            for kernel in [None] if rule.kernels == "-" else [k for k in self.kernels if rule.covers(k)]:
                if (rule.part, rule.name, kernel) in seen:
                    continue
                self.problems.append("%s: '%s' was not measured%s" % (rule.part, rule.name, on_kernel(kernel)))
                self.figures.append({"t": "figure", "part": rule.part, "name": rule.name, "unit": "", "missing": True,
                                     "limit": rule.limit, "verdict": False, **({"kernel": kernel} if kernel else {})})

    def series(self):
        """(part, series, kernel) -> its points by x"""
        found = {}
        for point in self.points:
            found.setdefault((point["part"], point["series"], point.get("kernel")), []).append(point)
        return {key: sorted(points, key=lambda p: p["x"]) for key, points in found.items()}

    def judge_growth(self):
        for (part, series, kernel), points in self.series().items():
            pairs = [(a, b) for a in points for b in points if math.isclose(b["x"], GROWTH_FACTOR * a["x"])]
            if not pairs:
                self.problems.append("%s: '%s'%s has no two points with %d times as many" %
                                     (part, series, on_kernel(kernel), GROWTH_FACTOR))
            for a, b in pairs:
                self.growth.append({"part": part, "series": series, "kernel": kernel, "from": a, "to": b,
                                    "times": b["y"] / a["y"] if a["y"] else None,
                                    "verdict": b["y"] <= GROWTH_MOST * a["y"]})

    def tables(self):
        """(part, table, kernel) -> its rows, the largest first"""
        found = {}
        for row in self.rows:
            found.setdefault((row["part"], row["table"], row.get("kernel")), []).append(row)
        return {key: sorted(rows, key=lambda r: -r["value"]) for key, rows in found.items()}

    def judged(self):
        return [f for f in self.figures if f["limit"]] + self.growth

    def missed(self):
        return [j for j in self.judged() if not j["verdict"]]

    def good(self):
        return not self.problems and not self.missed()

    def summary(self):
        judged, missed = len(self.judged()), len(self.missed())
        figures = len([f for f in self.figures if not f.get("missing")])
        return "bench: %s: %d figures; of %d limits %d met, %d missed; %d problem%s%s" % (
            "passed" if self.good() else "FAILED", figures, judged, judged - missed, missed, len(self.problems),
            "" if len(self.problems) == 1 else "s", "" if self.seconds is None else "; %d s" % self.seconds)


def on_kernel(kernel):
    return " on %s" % kernel if kernel else ""


def group_sums(rows):
    sums = {}
    for row in rows:
        sums[row["group"]] = sums.get(row["group"], 0) + row["value"]
    return sorted(sums.items(), key=lambda item: -item[1])
