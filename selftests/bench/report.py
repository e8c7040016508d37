#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Judges the lines of make bench and writes them as a report; exit status 1 if a limit is missed or something is missing."""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from judge import Report, on_kernel, plain, read_rules  # noqa: E402
from page import page  # noqa: E402
from tables import check_doc, markdown, write_doc  # noqa: E402


def as_json(report):
    def unlimited(figure):
        limit = figure["limit"]
        return {**figure, "limit": {"on": limit.on, limit.bound: limit.number} if limit else None}

    return {"summary": report.summary(), "passed": report.good(), "seconds": report.seconds, "problems": report.problems, "parts": report.parts,
            "kernels": report.kernels, "figures": [unlimited(f) for f in report.figures], "points": report.points,
            "growth": report.growth, "rows": report.rows}


def write(directory, name, content):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(content)


def tap(report):
    """One test point for each limit and each problem."""
    points = []
    for figure in report.figures:
        # what is missing is among the problems
        if not figure["limit"] or figure.get("missing"):
            continue
        value = "%.3f" % figure["ratio"] if figure["limit"].on == "ratio" and "ratio" in figure else plain(figure["ours"])
        points.append((figure["verdict"], "%s: %s%s: %s, limit: %s" % (
            figure["part"], figure["name"], on_kernel(figure.get("kernel")), value, figure["limit"])))
    for g in report.growth:
        points.append((g["verdict"], "%s: %s%s: %s with %s to %s %s" % (
            g["part"], g["series"], on_kernel(g["kernel"]), "%.2f times" % g["times"] if g["times"] else "nothing",
            plain(g["from"]["x"]), plain(g["to"]["x"]), g["to"]["x_unit"])))
    points += [(False, problem.replace("#", "")) for problem in report.problems]
    print("1..%d" % len(points))
    for number, (good, name) in enumerate(points, 1):
        print("%s %d - %s" % ("ok" if good else "not ok", number, name))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", nargs="?", help="the lines; default: standard input")
    parser.add_argument("--limits", help="file of limits", default=os.path.join(os.path.dirname(__file__), "limits"))
    parser.add_argument("--parts", default="", help="parts that were run")
    parser.add_argument("--failed", default="", help="those of them that failed")
    parser.add_argument("--kernels", default="", help="kernels on which they were")
    parser.add_argument("--seconds", type=int, help="how long it took")
    parser.add_argument("--out", help="directory of report.md, report.json and report.html")
    parser.add_argument("--doc", help="documentation to write the tables to")
    parser.add_argument("--check-doc", metavar="DOC", help="only print how the limits in the documentation differ")
    parser.add_argument("--tap", action="store_true", help="print test points")
    return parser.parse_args()


def main():
    args = arguments()
    with open(args.limits, encoding="ascii") as file:
        rules = read_rules(file)
    if args.check_doc:
        wrong = check_doc(args.check_doc, rules, args.parts.split())
        print("\n".join(wrong), end="\n" if wrong else "")
        return bool(wrong)
    report = Report(rules, args.parts.split(), args.kernels.split(), args.seconds)
    if args.figures:
        with open(args.figures, encoding="utf-8", errors="replace") as file:
            report.read(file)
    else:
        report.read(sys.stdin)
    for part in args.failed.split():
        report.fail(part)
    report.judge()
    if args.out:
        write(args.out, "report.md", markdown(report))
        write(args.out, "report.json", json.dumps(as_json(report), indent=1) + "\n")
        write(args.out, "report.html", page(report))
    if args.doc:
        write_doc(report, args.doc)
    if args.tap:
        tap(report)
        return not report.good()
    for missed in report.missed():
        print("missed: %s: %s%s" % (missed["part"], missed.get("name") or missed["series"], on_kernel(missed.get("kernel"))))
    for problem in report.problems:
        print("problem: %s" % problem)
    print(report.summary())
    return not report.good()


if __name__ == "__main__":
    sys.exit(main())
