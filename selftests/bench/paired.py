# SPDX-License-Identifier: GPL-2.0-only
# Figures of pairs: medians, ratios and spreads of what was measured in turn, as lines of JSON.
# usage: paired.py [KEY=VALUE...] < PAIRS    a pair is "OURS PEER" or, as figures name=TIME and name=MEMORY, "OURS_US OURS_KIB PEER_US
#        PEER_KIB"; keys are those of a line, with name for the time, memory_name for the memory
import json
import statistics
import sys

given = dict(word.split("=", 1) for word in sys.argv[1:])
rows = [[float(word) for word in line.split()] for line in sys.stdin]
if len(rows) < 3 or any(len(row) not in (2, 4) or min(row) <= 0 for row in rows):
    sys.exit("paired.py: too few pairs were measured")


def spread(values):
    return [round(min(values), 4), round(max(values), 4)]


def figure(name, unit, ours, peer):
    ratios = [a / b for a, b in zip(ours, peer)]
    line = {"t": "figure", "part": given["part"], "name": name, "unit": unit, "ours": statistics.median(ours),
            "peer": statistics.median(peer), "peer_name": given["peer_name"], "kind": "time",
            "ratio": round(statistics.median(ratios), 5), "runs": len(rows), "ours_spread": spread(ours),
            "peer_spread": spread(peer), "ratio_spread": spread(ratios)}
    print(json.dumps(line))


both = len(rows[0]) == 4
ours, peer = [row[0] for row in rows], [row[2 if both else 1] for row in rows]
figure(given["name"], "us", ours, peer)
if both:
    figure(given["memory_name"], "KiB", [row[1] for row in rows], [row[3] for row in rows])
