# SPDX-License-Identifier: GPL-2.0-only
"""The tests that judge mutants, the cheap ones first: unit programs, the same with sanitizers, tests of acrctl."""
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading

QUIET = "cc -w"
# A mutant may ask for any amount of memory, or write or compute for ever; CPU time does not depend on what else runs.
ASAN = "hard_rss_limit_mb=2048"
LIMITS = 'ulimit -f 2000000 -t "$0" %s; "$@"; exit $?'
SLOWER, LEAST_S, CLI_S = 20, 3, 60
# of what waits for ever; much, since a busy machine must not look like that
WAIT_S = 300


class Broken(Exception):
    """What has nothing to do with a mutant does not work."""


def digest(*paths):
    """One for the contents of files and folders."""
    sum_ = hashlib.sha1()
    for path in paths:
        # A path that does not exist adds nothing.
        files = [path] if os.path.isfile(path) else sorted(os.path.join(d, f) for d, _, names in os.walk(path) for f in names)
        for name in files:
            sum_.update(name.encode() + b"\0")
            with open(name, "rb") as f:
                sum_.update(f.read())
    return sum_.hexdigest()


def environment(**more):
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD")}
    return dict(env, LC_ALL="C.UTF-8", ASAN_OPTIONS=ASAN, **more)


def cage(limits):
    """Processes of a mutant see and end no others, and none outlives it. Before the command comes its limit of CPU seconds."""
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    works = subprocess.run(unshare + ["true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    # a shell lets background commands ignore SIGINT
    return (unshare if works else []) + ["env", "--default-signal", "bash", "-c", LIMITS % limits]


def cpu_seconds():
    """CPU time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Lines:
    """Which lines of which files each test executes, and what time it takes; kept in a file."""

    def __init__(self, name, key):
        self.name, self.key = name, key
        self.tests, self.code = {}, {}

    def load(self):
        try:
            with open(self.name, encoding="utf-8") as f:
                kept = json.load(f)
        except FileNotFoundError:
            return False
        if kept["key"] != self.key:
            return False
        self.tests, self.code = kept["tests"], kept["code"]
        return True

    def save(self):
        with open(self.name + ".new", "w", encoding="utf-8") as f:
            json.dump({"key": self.key, "tests": self.tests, "code": self.code}, f)
        os.rename(self.name + ".new", self.name)

    def add(self, test, seconds, tree, counts):
        """Adds what gcov reports of one test; counts are its .gcda files beside the .gcno files."""
        files = self.tests.setdefault(test, {"seconds": seconds, "files": {}})["files"]
        if not counts:
            return
        output = subprocess.run(["gcov", "--json-format", "--stdout", *counts], check=True, capture_output=True, cwd=tree).stdout
        for document in output.splitlines():
            for file in json.loads(document)["files"] if document else []:
                path = os.path.relpath(os.path.join(tree, file["file"]), tree)
                if path.startswith("..") or not path.endswith(".c"):
                    continue
                self.code[path] = sorted(set(self.code.get(path, [])) | {l["line_number"] for l in file["lines"]})
                executed = {l["line_number"] for l in file["lines"] if l["count"]}
                if executed:
                    files[path] = sorted(executed.union(files.get(path, [])))

    def covering(self, path, statement, function):
        """The tests that execute a statement or, if it has no code of its own, its function; those that execute most of the file first."""
        code = self.code.get(path, [])
        first, last = statement if any(statement[0] <= n <= statement[1] for n in code) else function
        found = [t for t, what in self.tests.items() if any(first <= n <= last for n in what["files"].get(path, []))]
        return sorted(found, key=lambda t: (-len(self.tests[t]["files"][path]), self.tests[t]["seconds"]))


class Stage:
    """Tests, and a build in a copy of the project that a mutant is applied to."""

    def __init__(self, tree, build, folders, log):
        self.tree, self.folders, self.log, self.cage = tree, folders, log, cage(self.limits)
        self.build = os.path.join(build, self.name)
        self.covered = os.path.join(build, self.name + "-coverage")
        parts = (os.path.join(tree, p) for p in (self.tests, "kmod", "uapi", "userspace"))
        # counts of other folders are dropped
        self.lines = Lines(os.path.join(build, self.name + ".json"), " ".join([digest(*parts), *sorted(folders)]))

    def make(self, build, *arguments):
        command = ["make", "-s", "-C", os.path.join(self.tree, self.makefile), "BUILD=" + build, "CC=" + QUIET, *arguments]
        return subprocess.run(command, stdout=self.log, stderr=self.log, env=environment(), check=False).returncode == 0

    def start(self, limit, command, **how):
        """A process with a limit of CPU seconds."""
        return subprocess.Popen([*self.cage, str(round(limit)), *command], stdin=subprocess.DEVNULL, stderr=self.log, cwd=self.tree, **how)

    def must_make(self, build, *arguments):
        if not self.make(build, *arguments):
            raise Broken("%s: the tests are not built" % self.name)

    def object(self, path):
        return os.path.join(self.build, self.objects, path[:-2] + ".o")

    def covering(self, *where):
        return self.lines.covering(*where)

    def counts(self, top):
        """The files of counts of the folders that are of interest, below a folder of objects."""
        objects = [os.path.join(top, self.objects, f) for f in self.folders]
        return [os.path.join(d, n) for d in objects if os.path.isdir(d) for n in sorted(os.listdir(d)) if n.endswith(".gcda")]

    def drop_counts(self):
        for name in self.counts(self.covered):
            os.remove(name)

    def prepare(self):
        """Builds all, and finds out which lines each test executes."""
        self.must_make(self.build, "-j2", *self.flags, "all")
        if not self.lines.load():
            self.measure()
            self.lines.save()


class Unit(Stage):
    """Unit programs; their object files show which mutants are the same program."""

    name, makefile, objects, tests = "unit", "selftests/unit", "unit/obj", "selftests/unit"
    # These read their own debug information.
    flags = ["CFLAGS=-std=gnu11 -O2 -g0 -fPIC", "debug_test_CFLAGS=-O1 -g", "symbols_test_CFLAGS=-O1 -g"]
    limits = "-v 4000000"

    def run(self, build, test, limit):
        """Returns the CPU seconds of a program, or None if it failed."""
        start = cpu_seconds()
        process = self.start(limit, [os.path.join(build, "unit", test)], stdout=self.log, env=environment())
        try:
            status = process.wait(WAIT_S + 10 * limit)
        except subprocess.TimeoutExpired:
            status = 1
        finally:
            process.kill()
            process.wait()
        return cpu_seconds() - start if status == 0 else None

    def measure_original(self):
        for name in sorted(n[:-2] for n in os.listdir(os.path.join(self.tree, self.tests)) if n.endswith("_test.c")):
            seconds = self.run(self.build, name, 600)
            if seconds is None:
                raise Broken("%s: %s fails without a mutant" % (self.name, name))
            self.lines.add(name, seconds, self.tree, [])

    def measure(self):
        self.measure_original()
        self.must_make(self.covered, "-j2", "CFLAGS=-std=gnu11 -g -O0 -fPIC --coverage", "all")
        for name, test in self.lines.tests.items():
            self.drop_counts()
            # it may fail without optimization
            self.run(self.covered, name, 600)
            self.lines.add(name, test["seconds"], self.tree, self.counts(self.covered))
        shutil.rmtree(self.covered)

    def compiles(self, path):
        return self.make(self.build, *self.flags, self.object(path))

    def judge(self, tests):
        """Returns the test that fails, None if all pass."""
        if not self.make(self.build, *self.flags, *(os.path.join(self.build, "unit", t) for t in tests)):
            raise Broken("%s: the tests are not built with a mutant" % self.name)
        for test in tests:
            if self.run(self.build, test, LEAST_S + SLOWER * self.lines.tests[test]["seconds"]) is None:
                return test
        return None


class Sanitized(Unit):
    """The same programs as they are built otherwise, which execute the same lines."""

    name, flags, limits = "sanitized", [], ""

    def __init__(self, unit, *where):
        super().__init__(*where)
        self.measure, self.covering = self.measure_original, unit.covering


class Cli(Stage):
    """The tests of acrctl on this machine. Tests are FILE:NUMBER:NAME; number 0 is what runs before the first test."""

    name, makefile, objects, tests = "cli", "userspace", "userspace", "selftests/cli"
    flags, limits = [], "-d 8000000"

    def __init__(self, tree, build, folders, log):
        super().__init__(tree, build, folders, log)
        self.original = os.path.join(build, "cli-original")
        self.unstable = set()

    @staticmethod
    def link_fetched(build):
        """What tests look for in the build directory, besides what is built."""
        os.makedirs(build, exist_ok=True)
        for name in ("kernels", "npm", "perf-6.1", "root", "stamps"):
            link = os.path.join(build, name)
            if not os.path.lexists(link):
                os.symlink(os.path.join("../..", name), link)

    def prepare(self):
        self.link_fetched(self.build)
        super().prepare()
        shutil.rmtree(self.original, ignore_errors=True)
        shutil.copytree(self.build, self.original, symlinks=True)

    def bats(self, build, file, names, limit, counts=None):
        """Yields number, name, whether it passed and the seconds of each test, as they end."""
        more = {"MUTATE_COUNTS": counts} if counts else {}
        tmp = tempfile.mkdtemp(prefix="mutate")
        only = ["-f", "^(%s)$" % "|".join(re.escape(n) for n in names)] if names else []
        process = self.start(CLI_S, ["bats", "--tap", "--timing", *only, os.path.join(self.tree, self.tests, file)],
                             stdout=subprocess.PIPE, text=True, errors="replace", env=environment(BUILD=build, TMPDIR=tmp, **more))
        timer = threading.Timer(limit, process.kill)
        timer.start()
        try:
            for line in process.stdout:
                self.log.write(line)
                m = re.match(r"(not )?ok (\d+) (.*?)( # skip.*)? in (\d+)(ms|sec)( # skip.*)?$", line)
                if m:
                    yield int(m[2]), m[3], not m[1], int(m[5]) / (1000 if m[6] == "ms" else 1)
            if not timer.is_alive():
                yield 0, "", False, limit
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            process.stdout.close()
            shutil.rmtree(tmp, ignore_errors=True)

    def measure(self):
        counts, hook = os.path.join(self.covered, "counts"), os.path.join(self.covered, "by_test.o")
        here = os.path.dirname(os.path.abspath(__file__))
        self.link_fetched(self.covered)
        subprocess.run(["cc", "-O2", "-c", "-o", hook, os.path.join(here, "by_test.c")], check=True)
        self.must_make(self.covered, "-j2", "CFLAGS=-g -O0 --coverage", "LDFLAGS=" + hook, "all")
        for file in sorted(n for n in os.listdir(os.path.join(self.tree, self.tests)) if n.endswith(".bats")):
            shutil.rmtree(counts, ignore_errors=True)
            results = list(self.bats(self.covered, file, None, 1800, counts))
            for number, name, passed, seconds in [(0, "", True, 0)] + results:
                top = os.path.join(counts, str(number)) + self.covered
                if not passed or not os.path.isdir(top):
                    continue
                self.drop_counts()
                shutil.copytree(top, self.covered, dirs_exist_ok=True)
                self.lines.add("%s:%d:%s" % (file, number, name), seconds, self.tree, self.counts(self.covered))
        shutil.rmtree(self.covered)

    def first_failure(self, build, file, names):
        limit = WAIT_S + 10 * sum(t["seconds"] for n, t in self.lines.tests.items() if n.split(":", 2)[2] in names)
        for _, name, passed, _ in self.bats(build, file, names, limit):
            if not passed:
                return name
        return None

    def judge(self, tests):
        """Returns the test that fails and passes with the original, None if there is none."""
        # a mutant of what is part of jevents, too, changes no table
        programs = [os.path.join(self.build, n) for n in ("acrctl", "acrctl-fake")]
        if not self.make(self.build, "-o", os.path.join(self.build, "jevents"), *programs):
            raise Broken("cli: acrctl is not built with a mutant")
        files = {}
        for test in tests:
            file, _, name = test.split(":", 2)
            files.setdefault(file, []).append(name)
        for file, names in sorted(files.items(), key=lambda f: len(f[1])):
            if "" in names:
                names = [t.split(":", 2)[2] for t in self.lines.tests if t.startswith(file + ":")]
            names = [n for n in names if n and (file, n) not in self.unstable]
            while names:
                failed = self.first_failure(self.build, file, names)
                if failed is None:
                    break
                if self.first_failure(self.original, file, [failed] if failed else names) is None:
                    return "%s: %s" % (file, failed or "no end")
                self.unstable.add((file, failed))
                names = [n for n in names if n != failed and failed]
        return None
