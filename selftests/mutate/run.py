#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Mutation testing: changes one location in the source at a time, and lists the changes that no test notices, as TAP.

usage: run.py [FOLDER...]      default: kmod/core userspace/lib userspace/perfdata userspace/symbols userspace/acrctl/stat
       run.py --show ID        a survivor as a patch, such as for git apply
MUTANTS=  how many in all (default 200), the same number in each folder
SEED=     chooses which of all possible ones (default 1); most stay the same when the source changes a little
QUICK=1   without the tests of acrctl: what survives then, only they can notice
TORTURE_MINUTES=  no mutant is begun after so many minutes (default: no limit)
BUILD=    build directory (default build); what is done is kept in its folder mutate/, and a second run goes on there

For each mutant first the unit programs that execute the changed statement run, without and with sanitizers, then those tests of acrctl.
A mutant that is not compiled, or to the same code as the original, does not count. One that takes too long is noticed.
A folder passes if at most 5 % of its mutants survive.
"""
import difflib
import filecmp
import hashlib
import json
import os
import shutil
import sys
import time

import mutants
from stages import Broken, Cli, Sanitized, Unit, digest

FOLDERS = ["kmod/core", "userspace/lib", "userspace/perfdata", "userspace/symbols", "userspace/acrctl/stat"]
MOST_PERCENT = 5
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(PROJECT, "build")))
LEFT_OUT = {".git", os.path.basename(BUILD)}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def copy_tree(source, target):
    """Makes target as source; what is equal already keeps its time, so that it is not built again."""
    os.makedirs(target, exist_ok=True)
    names = [n for n in os.listdir(source) if n not in LEFT_OUT]
    for name in set(os.listdir(target)) - set(names):
        old = os.path.join(target, name)
        shutil.rmtree(old) if os.path.isdir(old) and not os.path.islink(old) else os.remove(old)
    for name in names:
        old, new = os.path.join(source, name), os.path.join(target, name)
        if os.path.isdir(old) and not os.path.islink(old):
            copy_tree(old, new)
        elif not os.path.lexists(new) or os.path.islink(old) or not filecmp.cmp(old, new, shallow=False):
            if os.path.lexists(new):
                os.remove(new)
            # with a time of now, since what was built of the file before is older
            shutil.copy(old, new, follow_symlinks=False)


def of_folder(folder):
    names = sorted(n for n in os.listdir(os.path.join(PROJECT, folder)) if n.endswith(".c"))
    return [m for n in names for m in mutants.mutants(folder + "/" + n, read(os.path.join(PROJECT, folder, n)))]


def ranked(found, seed):
    return sorted(found, key=lambda m: hashlib.sha1(("%s|%s" % (seed, m.id)).encode()).hexdigest())


class Results:
    """Verdicts by mutants, kept as lines of a file. One holds while what it depends on is the same."""

    def __init__(self, name):
        self.name, self.kept = name, {}
        if os.path.exists(name):
            for line in read(name).splitlines():
                if line.endswith("}"):
                    verdict = json.loads(line)
                    self.kept[verdict["id"]] = verdict

    def get(self, mutant, keys):
        """keys: what a verdict of each kind depends on now."""
        verdict = self.kept.get(mutant.id)
        return verdict if verdict and verdict["key"] == keys(verdict["what"], verdict["by"]) else None

    def add(self, mutant, what, by, keys):
        self.kept[mutant.id] = {"id": mutant.id, "what": what, "by": by, "key": keys(what, by)}
        with open(self.name, "a", encoding="utf-8") as f:
            f.write(json.dumps(self.kept[mutant.id]) + "\n")
        return self.kept[mutant.id]


class Laboratory:
    """A copy of the project in which one mutant after another is built and judged."""

    def __init__(self, folders, quick):
        self.out = os.path.join(BUILD, "mutate")
        self.tree = os.path.join(self.out, "tree")
        os.makedirs(self.out, exist_ok=True)
        copy_tree(PROJECT, self.tree)
        self.log = open(os.path.join(self.out, "log"), "w", encoding="utf-8")
        where = self.tree, self.out, folders, self.log
        self.unit = Unit(*where)
        self.stages = [self.unit, Sanitized(self.unit, *where)] + ([] if quick else [Cli(*where)])
        for stage in self.stages:
            stage.prepare()
        self.results = Results(os.path.join(self.out, "results"))
        self.all = "quick " * quick + digest(*(os.path.join(PROJECT, f) for f in ("kmod", "userspace", "selftests/unit", "selftests/cli")))

    def keys(self, path):
        """A verdict that a mutant survives depends on all, and on whether all judged; others on the file, and the test that noticed."""
        def key(what, by):
            if what == "survived":
                return self.all
            test = os.path.join(PROJECT, "selftests", "cli/" + by.split(":")[0] if ".bats:" in by else "unit/%s.c" % by) if by else ""
            return digest(os.path.join(PROJECT, path), test)
        return key

    def verdict(self, mutant):
        keys = self.keys(mutant.path)
        return self.results.get(mutant, keys) or self.results.add(mutant, *self.judge(mutant), keys)

    def judge(self, mutant):
        name = os.path.join(self.tree, mutant.path)
        text = read(name)
        objects = [(s.object(mutant.path), s.object(mutant.path) + ".kept") for s in self.stages if os.path.exists(s.object(mutant.path))]
        for built, kept in objects:
            shutil.copy(built, kept)
        with open(name, "w", encoding="utf-8") as f:
            f.write(mutant.apply(text))
        try:
            if not self.unit.compiles(mutant.path):
                return "not compiled", ""
            if filecmp.cmp(*objects[0], shallow=False):
                return "equivalent", ""
            return self.run(mutant, text)
        finally:
            with open(name, "w", encoding="utf-8") as f:
                f.write(text)
            # newer than the source: it is not built again, but linked
            for built, kept in objects:
                shutil.copyfile(kept, built)
                os.remove(kept)

    def run(self, mutant, text):
        found = False
        for stage in self.stages:
            tests = stage.covering(mutant.path, mutants.lines_of(mutant.statement, text), mutants.lines_of(mutant.function, text))
            found = found or bool(tests)
            test = stage.judge(tests) if tests else None
            if test:
                return "killed", test
        return "survived", "" if found else "no test executes it"


class Folder:
    """Mutants of a folder, the first of a random order that count."""

    def __init__(self, path, wanted, seed):
        self.path, self.wanted = path, wanted
        self.left = ranked(of_folder(path), seed)
        self.killed, self.survivors = 0, []

    def done(self):
        return self.killed + len(self.survivors) >= self.wanted or not self.left

    def step(self, laboratory):
        mutant = self.left.pop(0)
        verdict = laboratory.verdict(mutant)
        print("%s %s %s %s" % (location(mutant), mutant.operator, verdict["what"], verdict["by"]), file=sys.stderr, flush=True)
        if verdict["what"] == "killed":
            self.killed += 1
        elif verdict["what"] == "survived":
            self.survivors.append((mutant, verdict["by"]))

    def point(self, number):
        """Prints the survivors and a test point; returns whether it passes."""
        nr = self.killed + len(self.survivors)
        if not nr:
            print("ok %d - %s # SKIP no time for a mutant" % (number, self.path))
            return True
        good = 100 * len(self.survivors) <= MOST_PERCENT * nr
        for mutant, why in sorted(self.survivors, key=lambda s: (s[0].path, s[0].at)):
            print("# %s: %s%s" % (location(mutant), mutant.operator, why and " (%s)" % why))
            for line in list(patch(mutant))[3:]:
                if line[0] in "-+":
                    print("#   " + line.replace("\t", " ").rstrip())
            print("#   selftests/mutate/run.py --show %s | git apply" % mutant.id)
        print("%sok %d - %s: of %d mutants %d are noticed, at least %d%% wanted" %
              ("" if good else "not ", number, self.path, nr, self.killed, 100 - MOST_PERCENT), flush=True)
        return good


def location(mutant):
    line = mutants.lines_of(mutant, read(os.path.join(PROJECT, mutant.path)))[0]
    return "%s:%d" % (mutant.path, line)


def patch(mutant):
    text = read(os.path.join(PROJECT, mutant.path))
    return difflib.unified_diff(text.splitlines(True), mutant.apply(text).splitlines(True), "a/" + mutant.path, "b/" + mutant.path)


def show(folders, identity):
    for folder in folders:
        for mutant in of_folder(folder):
            if mutant.id == identity:
                sys.stdout.writelines(patch(mutant))
                return 0
    print("run.py: no mutant '%s'" % identity, file=sys.stderr)
    return 1


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments:
        print(__doc__)
        return 0
    if arguments[:1] == ["--show"] and len(arguments) == 2:
        return show([f for f in FOLDERS if os.path.isdir(os.path.join(PROJECT, f))], arguments[1])
    folders = arguments or FOLDERS
    end = time.monotonic() + 60 * float(os.environ.get("TORTURE_MINUTES") or "inf")
    wanted = -(-int(os.environ.get("MUTANTS", "200")) // len(folders))
    runs = [Folder(f, wanted, os.environ.get("SEED", "1")) for f in folders]
    print("1..%d" % len(runs), flush=True)
    try:
        laboratory = Laboratory(folders, os.environ.get("QUICK") == "1")
        # in turns, so that each has its share of the time
        while time.monotonic() < end and not all(r.done() for r in runs):
            for run in runs:
                if not run.done() and time.monotonic() < end:
                    run.step(laboratory)
    except Broken as error:
        print("Bail out! %s; see %s" % (error, os.path.relpath(os.path.join(BUILD, "mutate/log"), PROJECT)))
        return 1
    return 0 if all([r.point(i + 1) for i, r in enumerate(runs)]) else 1


sys.exit(main())
