# SPDX-License-Identifier: GPL-2.0-only
"""Reads a profile in the processed format of profiler.firefox.com, version 62, and checks each table of it.

usage: firefox.py FILE              prints its samples as JSON, thread by thread
       firefox.py --rows FILE OUT   writes the thread with most samples to OUT in rows, as Firefox's old format has it

The columns are those of the format's documentation; a missing or additional one is an error.
"""
import json
import re
import sys

# of each table: the columns, and what they hold: the table that a value is an index of, "null" where it may be missing
TABLES = {
    "stackTable": {"prefix": "stackTable null", "frame": "frameTable"},
    "frameTable": {"address": int, "inlineDepth": int, "category": "categories", "subcategory": int, "func": "funcTable",
                   "nativeSymbol": "nativeSymbols null", "line": "number null", "column": "number null", "innerWindowID": int},
    "funcTable": {"name": "stringArray", "isJS": bool, "relevantForJS": bool, "resource": "resourceTable -1", "source": "sources null",
                  "lineNumber": "number null", "columnNumber": "number null"},
    "nativeSymbols": {"libIndex": "libs", "address": int, "name": "stringArray", "functionSize": "number null"},
    "resourceTable": {"lib": "libs null", "name": "stringArray", "host": "stringArray null", "type": int},
    "sources": {"id": "stringArray null", "filename": "stringArray", "startLine": int, "startColumn": int, "sourceMapURL": "stringArray null"},
}
THREAD = {"name", "processName", "pid", "tid", "isMainThread", "registerTime", "unregisterTime", "processType", "processStartupTime",
          "processShutdownTime", "pausedRanges", "showMarkersInTimeline", "markers", "samples"}
LIB = {"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"}


def unique(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), "a member is there twice: %s" % pairs
    return dict(pairs)


def check_value(where, kind, value, sizes):
    if isinstance(kind, type):
        assert type(value) is kind, (where, value)
        return
    table, *missing = kind.split()
    if missing and value == {"null": None, "-1": -1}[missing[0]]:
        return
    assert type(value) is int and value >= 0, (where, value)
    assert table == "number" or value < sizes[table], (where, value)


def check_table(name, table, columns, sizes):
    assert set(table) == set(columns) | {"length"}, (name, list(table))
    for column, kind in columns.items():
        assert len(table[column]) == table["length"], (name, column)
        for value in table[column]:
            check_value("%s.%s" % (name, column), kind, value, sizes)


def check_samples(thread, sizes):
    samples = thread["samples"]
    assert set(samples) == {"stack", "time", "weight", "weightType", "length"} and samples["weightType"] == "samples"
    for column in ("stack", "time", "weight"):
        assert len(samples[column]) == samples["length"] > 0, column
    for stack in samples["stack"]:
        check_value("samples.stack", "stackTable", stack, sizes)
    assert samples["time"] == sorted(samples["time"]) and samples["time"][0] >= thread["registerTime"]


def check(profile):
    meta, shared = profile["meta"], profile["shared"]
    assert meta["preprocessedProfileVersion"] == 62 and meta["symbolicated"] is True and meta["interval"] > 0
    assert any(c["color"] == "grey" and c["subcategories"][0] == "Other" for c in meta["categories"])
    assert set(shared) == set(TABLES) | {"stringArray"}
    sizes = {name: shared[name]["length"] for name in TABLES}
    sizes.update(stringArray=len(shared["stringArray"]), libs=len(profile["libs"]), categories=len(meta["categories"]))
    assert len(set(shared["stringArray"])) == sizes["stringArray"] and all(type(s) is str for s in shared["stringArray"])
    for name, columns in TABLES.items():
        check_table(name, shared[name], columns, sizes)
    for i, prefix in enumerate(shared["stackTable"]["prefix"]):
        assert prefix is None or prefix < i, "a stack comes before what it is on"
    for lib in profile["libs"]:
        assert set(lib) == LIB and re.fullmatch("[0-9A-F]{33}", lib["breakpadId"]), lib
    for thread in profile["threads"]:
        assert set(thread) == THREAD and type(thread["pid"]) is type(thread["tid"]) is str, list(thread)
        check_samples(thread, sizes)


def frames_of(profile, stack):
    """Of a stack, the innermost frame first."""
    shared = profile["shared"]
    frames, funcs, symbols, strings = (shared[t] for t in ("frameTable", "funcTable", "nativeSymbols", "stringArray"))
    while stack is not None:
        frame = shared["stackTable"]["frame"][stack]
        func, symbol, resource = frames["func"][frame], frames["nativeSymbol"][frame], funcs["resource"][frames["func"][frame]]
        source = funcs["source"][func]
        yield {
            "name": strings[funcs["name"][func]], "depth": frames["inlineDepth"][frame], "address": frames["address"][frame],
            "category": profile["meta"]["categories"][frames["category"][frame]]["name"], "line": frames["line"][frame],
            "file": None if source is None else strings[shared["sources"]["filename"][source]],
            "lib": None if resource < 0 else profile["libs"][shared["resourceTable"]["lib"][resource]]["path"],
            "symbol": symbol if symbol is None else {
                "name": strings[symbols["name"][symbol]], "address": symbols["address"][symbol], "size": symbols["functionSize"][symbol]},
        }
        stack = shared["stackTable"]["prefix"][stack]


def threads_of(profile):
    known = {}
    for thread in profile["threads"]:
        samples = thread["samples"]
        for stack in samples["stack"]:
            if stack not in known:
                known[stack] = list(frames_of(profile, stack))
        yield {
            "pid": int(thread["pid"]), "tid": int(thread["tid"]), "name": thread["name"], "process": thread["processName"],
            "main": thread["isMainThread"],
            "samples": [{"time_ms": t, "weight": w, "frames": known[s]}
                        for t, w, s in zip(samples["time"], samples["weight"], samples["stack"])],
        }


def rows_of(profile):
    """A thread in rows; time counts its samples, and a last one without a stack ends the one before."""
    thread = max(profile["threads"], key=lambda t: t["samples"]["length"])
    shared, stacks = profile["shared"], thread["samples"]["stack"]
    names = [shared["stringArray"][shared["funcTable"]["name"][f]] + " (file)" for f in shared["frameTable"]["func"]]
    table = shared["stackTable"]
    return {"systemHost": {"name": "Firefox"}, "duration": len(stacks), "profile": {"threads": [{
        "name": "GeckoMain", "stringTable": names, "frameTable": {"data": [[i] for i in range(len(names))]},
        "stackTable": {"data": [list(row) for row in zip(table["prefix"], table["frame"])]},
        "samples": {"data": [[s, i] for i, s in enumerate(stacks)] + [[None, len(stacks)]]},
    }]}}


def main(arguments):
    rows = arguments[0] == "--rows"
    with open(arguments[1 if rows else 0], encoding="utf-8") as f:
        profile = json.load(f, object_pairs_hook=unique)
    check(profile)
    if rows:
        with open(arguments[2], "w") as f:
            json.dump(rows_of(profile), f)
    else:
        json.dump({"meta": profile["meta"], "libs": profile["libs"], "threads": list(threads_of(profile))}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
