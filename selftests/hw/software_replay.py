#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Replays sessions with reload in software from the model CPU's log, in exact fractions, and compares the samples.

usage: software_replay.py RUNS LOG   RUNS as software_log_test writes them, LOG of the model CPU; prints TAP
"""
import json
import sys
from collections import Counter
from fractions import Fraction

GLOBAL_STATUS, GLOBAL_OVF_CTRL = 0x38E, 0x390
V6_GP, V6_FIXED, V6_STEP, FIXED_BASE = 0x1900, 0x1980, 4, 32


def counter_of(msr):
    """Counter of an RDPMC, which is logged as the counter's register of version 6."""
    if msr >= V6_FIXED:
        return FIXED_BASE + (msr - V6_FIXED) // V6_STEP
    return (msr - V6_GP) // V6_STEP


def width(event):
    """Bits of a counter: the start of a period has the highest one set."""
    return int(event["start"], 16).bit_length()


class Run:
    """One session on one CPU, as the test describes it."""

    def __init__(self, description):
        self.__dict__.update(description)
        self.by_counter = {event["n"]: i for i, event in enumerate(self.events)}
        self.by_msr = {int(event["msr"], 16): i for i, event in enumerate(self.events)}
        self.spent, self.expected, self.wrong = set(), [], []
        self.outside = [0] * len(self.events)
        self.rounds = self.together = self.first_right = 0
        self.first = Counter()

    def restarts(self, cause):
        """Events that the overflow of one restarts, by the masks as requested."""
        return {i for i, event in enumerate(self.events)
                if event["causes"] >> cause & 1 or (i == cause and event["sampled"])}

    def is_over(self, i, value):
        """Whether the counter of an event has overflowed."""
        return not value >> width(self.events[i]) - 1

    def restart(self, overflowed, values):
        """The events that overflowed, in order, those of them that had their turn, and those that restart."""
        over = {}
        for i in overflowed:
            if i not in values:
                self.wrong.append(f"event {i} overflowed, but was not read")
            elif self.is_over(i, values[i]) and i not in self.spent:
                over[i] = Fraction(values[i], self.events[i]["period"])
        order = sorted(over, key=lambda i: (-over[i], self.events[i]["sampled"], i))
        turns, restarted = [], set()
        for i in order:
            if i in restarted:
                continue
            turns.append(i)
            if not self.events[i]["sampled"] and i not in self.restarts(i):
                self.spent.add(i)
            restarted |= self.restarts(i)
        self.spent -= restarted
        for i in restarted:
            if i not in values:
                self.wrong.append(f"event {i} restarted, but was not read")
            elif self.is_over(i, values[i]):
                self.outside[i] += values[i]
        return order, turns, restarted

    def end_windows(self, status, values, writes, truth):
        """One PMI: what it has read and written, by event, and what really overflowed, in order."""
        overflowed = [i for n, i in self.by_counter.items() if self.events[i]["int"] and status >> n & 1]
        order, turns, restarted = self.restart(overflowed, values)
        self.expected += [i for i in turns if self.events[i]["sampled"]]
        wanted = {i: int(self.events[i]["start"], 16) for i in restarted}
        if writes != wanted:
            self.wrong.append(f"status {status:#x}: wrote {writes}, not {wanted}")
        self.rounds += 1
        if len(order) > 1:
            self.together += 1
            self.first_right += truth[:1] == order[:1]
            self.first[order[0]] += 1

    def stop(self, values):
        """A stop, or a switch to another task: what has overflowed restarts without a sample."""
        self.restart([i for i in values if self.events[i]["int"] and self.is_over(i, values[i])], values)


def replay(run, lines):
    """All PMIs and stops between the marks of a run."""
    inside, truth = False, []
    status, values, writes, stopped = 0, {}, {}, {}
    for line in lines:
        if line["t"] == "mark" and line["tag"] in (run.tag, run.tag + 1):
            inside = line["tag"] == run.tag
        if not inside or line.get("c") != run.cpu:
            continue
        if line["t"] == "ovf" and line["n"] in run.by_counter and line["int"]:
            truth.append(run.by_counter[line["n"]])
        if line["t"] != "msr" or not line["r"]:
            continue
        msr, value = int(line["m"], 16), int(line["v"], 16)
        event = run.by_counter.get(counter_of(msr)) if line["op"] == "rdpmc" else None
        if not line["w"]:
            if event is not None:
                stopped[event] = value
            if len(stopped) == len(run.events):
                run.stop(stopped)
                stopped = {}
        elif msr == GLOBAL_STATUS and line["op"] == "rd":
            status, values, writes = value, {}, {}
        elif event is not None:
            values.setdefault(event, value)
        elif line["op"] == "wr" and msr in run.by_msr:
            writes[run.by_msr[msr]] = value
        elif line["op"] == "wr" and msr == GLOBAL_OVF_CTRL:
            run.end_windows(status, values, writes, truth)
            status, values, writes, truth = 0, {}, {}, []


def tests_of(run):
    """What holds for a run, as pairs of a result and its name."""
    found = [event["outside"] for event in run.events]
    tests = [
        (run.samples == run.expected, f"{len(run.samples)} samples are those of the replay"),
        (not run.wrong, "exactly the counters restart that it restarts"),
        (found == run.outside, f"{found} occurrences outside of windows are those of the replay"),
        (run.rounds > 100 and len(run.samples) > 10, f"with {run.rounds} PMIs"),
    ]
    if run.race:
        tests.append((run.together > 100, f"in {run.together} of them several events have overflowed"))
    return tests


def order_tests(runs):
    """In races each event must be first at times, wherever it is in the group: or the order would not matter."""
    first = Counter()
    for run in runs:
        for i, event in enumerate(run.events):
            first[event["sampled"], i] += run.first[i]
    return [(first[sampled, i] > 50, f"the {'sampled' if sampled else 'quiet'} event is first, at index {i}: "
             f"{first[sampled, i]} times") for sampled in (True, False) for i in range(2)]


def main():
    """TAP: for each run the samples, the restarts, what is in no window, and whether overflows met."""
    with open(sys.argv[1], encoding="ascii") as file:
        runs = [Run(json.loads(line)) for line in file]
    with open(sys.argv[2], encoding="ascii") as file:
        lines = [line for line in map(json.loads, file) if line["t"] in ("mark", "ovf", "msr")]
    failed = number = 0

    def report(tests, name):
        nonlocal failed, number
        for good, what in tests:
            number += 1
            failed += not good
            print(f"{'' if good else 'not '}ok {number} - {name}: {what}")

    for run in runs:
        replay(run, lines)
        report(tests_of(run), run.name)
        for text in run.wrong[:3]:
            print(f"#   {text}")
        if run.samples != run.expected:
            print(f"#   found {len(run.samples)}, expected {len(run.expected)}")
        if any(event["outside"] != n for event, n in zip(run.events, run.outside)):
            print(f"#   outside of windows: expected {run.outside}")
        print(f"# {run.name}: {run.together} PMIs with several overflows, "
              f"in {run.first_right} of which the first was really first")
    report(order_tests([run for run in runs if run.race]), "races")
    print(f"1..{number}")
    return failed > 0 or not runs


sys.exit(main())
