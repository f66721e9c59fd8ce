"""A resident test runner: reads requests on standard input, runs tests in forks, and replies on standard output.

It is started with the name of a framework (`pytest`, `unittest`) and the arguments of its command. Two processes stay:
one that has imported the framework only, and a fork of it that has imported the tests, too. A request is answered by a
fork of the second. A mutant in code that importing executes is answered by a fork of the first, which imports the
tests with the mutant switched on. Standard library only; any Python from 3.8 on.
"""
import builtins
import gc
import importlib.util
import os
import select
import signal
import sys
import tempfile
import threading
import time
import traceback

REPLIES = os.dup(1)
TICKS = os.sysconf("SC_CLK_TCK")
MOST_SAID = 4000
LOADING = 60.0  # seconds that importing may take in addition to the limit of a test


class Switches:
    """What the guards ask. Without a meta-program nothing asks."""

    def __init__(self):
        self.on = {}
        self.seen = None
        builtins.wildcaught_off = self.off
        builtins.wildcaught_is = lambda unit, mutant: self.on.get(unit) == mutant

    def off(self, unit):
        if self.seen is not None:
            self.seen.add(unit)
        return unit not in self.on

    def switch(self, on):
        """Sets which mutants are on: in place, so that the fast guards below may keep hold of the table."""
        self.on.clear()
        for item in filter(None, on.split(",")):
            unit, _, mutant = item.partition(":")
            self.on[int(unit)] = int(mutant)

    def record(self, wanted):
        self.seen = set() if wanted else None
        on = self.on
        builtins.wildcaught_off = self.off if wanted else lambda unit: unit not in on

    def take(self):
        seen, self.seen = self.seen, set()
        return seen


SWITCHES = Switches()


def send(descriptor, nonce, *fields):
    text = "\t".join(
        str(field).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
        for field in (nonce,) + fields
    )
    # On a line of its own, whatever somebody else wrote to the descriptor.
    data = ("\n" + text + "\n").encode("utf-8", "replace")
    while data:
        data = data[os.write(descriptor, data) :]


def fields_of(line):
    out = []
    for raw in line.rstrip("\n").split("\t"):
        field, letters = "", iter(raw)
        for letter in letters:
            if letter == "\\":
                letter = next(letters, "\\")
                letter = {"t": "\t", "n": "\n", "r": "\r"}.get(letter, letter)
            field += letter
        out.append(field)
    return out


def ranges(units):
    out, first, last = [], None, None
    for unit in sorted(units):
        if last is not None and unit == last + 1:
            last = unit
            continue
        if first is not None:
            out.append("%d-%d" % (first, last))
        first = last = unit
    if first is not None:
        out.append("%d-%d" % (first, last))
    return ",".join(out) or "-"


def quiet(said=None):
    """Tests do not write to where replies go, but nowhere or to the file `said`."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    for descriptor in (1, 2):
        os.dup2(said.fileno() if said else nowhere, descriptor)


def cpu_seconds(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            values = file.read().rsplit(")", 1)[1].split()
        return (int(values[11]) + int(values[12])) / TICKS
    except (OSError, IndexError, ValueError):
        return 0.0


class Fork:
    """A child that runs tests and says so through a pipe."""

    def __init__(self, work):
        self.pipe, told = os.pipe()
        self.pid = os.fork()
        self.rest = b""
        self.over = False
        if self.pid == 0:
            os.close(self.pipe)
            code = 1
            try:
                os.setpgid(0, 0)
                code = work(told) or 0
            except BaseException:
                say(told, "broken", traceback.format_exc()[-MOST_SAID:])
            finally:
                flush()
                os._exit(code)
        os.close(told)

    def lines(self, seconds):
        """Messages that came; waits at most so long for the first."""
        ready, _, _ = select.select([self.pipe], [], [], seconds)
        if not ready:
            return []
        data = os.read(self.pipe, 1 << 16)
        self.over = not data
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [fields_of(line.decode("utf-8", "replace")) for line in lines if line]

    def end(self):
        """Ends it with all that it started; gives how it ended."""
        for kill in (lambda: os.killpg(self.pid, signal.SIGKILL), lambda: os.kill(self.pid, signal.SIGKILL)):
            try:
                kill()
            except OSError:
                pass
        os.close(self.pipe)
        try:
            return os.waitpid(self.pid, 0)[1]
        except OSError:
            return 0

    def wait(self):
        """Waits for a child that has closed its pipe, and ends what it left."""
        status = None
        for _ in range(200):
            try:
                done, status = os.waitpid(self.pid, os.WNOHANG)
            except OSError:
                done, status = self.pid, 0
            if done:
                break
            time.sleep(0.001)
        else:
            return self.end()
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        os.close(self.pipe)
        return status


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def say(descriptor, *fields):
    text = "\t".join(
        str(field).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n") for field in fields
    )
    data = (text + "\n").encode("utf-8", "replace")
    while data:
        data = data[os.write(descriptor, data) :]


class Request:
    def __init__(self, nonce, on, limit, work, flags, names):
        self.nonce = nonce
        self.on = "" if on == "-" else on
        self.limit = int(limit) / 1000.0
        self.work = int(work) / 1000.0
        self.first_kill, self.reach = "f" in flags, "r" in flags
        self.names = names

    def units(self):
        return {int(item.partition(":")[0]) for item in self.on.split(",") if item}


def supervise(request, names, work):
    """Runs tests in a fork and passes on what they say. True if a test killed and that is enough."""
    left = list(names)
    while left:
        child = Fork(lambda told: work(told, left))
        begun, running, used = time.monotonic(), None, 0.0
        killed = lost = False
        before = len(left)
        while not child.over:
            for message in child.lines(0.05):
                kind, rest = message[0], message[1:]
                if kind == "begin":
                    running, begun, used = rest[0], time.monotonic(), cpu_seconds(child.pid)
                elif kind == "test":
                    name, verdict = rest[0], rest[1]
                    if name in left:
                        left.remove(name)
                    send(REPLIES, request.nonce, "test", *rest)
                    running, begun = None, time.monotonic()
                    killed = killed or verdict != "pass"
                elif kind == "skip":
                    if rest[0] in left:
                        left.remove(rest[0])
                        send(REPLIES, request.nonce, "skip", rest[0])
                    running, begun = None, time.monotonic()
                elif kind == "reach":
                    send(REPLIES, request.nonce, "reach", *rest)
                elif kind == "broken":
                    name = running or (left[0] if left else "")
                    if name in left:
                        left.remove(name)
                    send(REPLIES, request.nonce, "test", name, "fail", 0, rest[0])
                    running, killed = None, True
            allowed = request.limit if running else request.limit + LOADING
            busy = running is not None and cpu_seconds(child.pid) - used > request.work
            if time.monotonic() - begun > allowed or (busy and time.monotonic() - begun > request.work):
                child.end()
                name = running or left[0]
                if name in left:
                    left.remove(name)
                what = "busy" if busy else "timeout"
                millis = int((time.monotonic() - begun) * 1000)
                send(REPLIES, request.nonce, "test", name, what, millis, "timed out")
                killed = lost = True
                break
        if not lost:
            status = child.wait()
            if running is not None or (left and not killed):
                # It ended in the middle of a test, or before its tests.
                name = running if running in left else left[0]
                left.remove(name)
                said = "its process ended (%s)" % describe(status)
                send(REPLIES, request.nonce, "test", name, "fail", 0, said)
                killed = True
        if killed and request.first_kill:
            return True
        if len(left) == before:
            send(REPLIES, request.nonce, "test", left.pop(0), "fail", 0, "no message")
    return False


def describe(status):
    if os.WIFSIGNALED(status):
        return "signal %d" % os.WTERMSIG(status)
    return "exit code %d" % os.WEXITSTATUS(status)


# Frameworks: each collects tests and runs some of them. `load(names)` imports the tests that are named, or all.


class Pytest:
    def __init__(self, arguments):
        import pytest

        self.pytest = pytest
        # Node ids begin at the root, which must not depend on the tests that are named.
        root = [] if any(word.startswith("--rootdir") for word in arguments) else ["--rootdir=" + os.getcwd()]
        self.arguments = arguments + root + ["-p", "no:cacheprovider", "-q"] + self.tamed()

    @staticmethod
    def tamed():
        """Plugins that spread tests over processes, shuffle them or watch lines are told not to."""
        there = lambda name: importlib.util.find_spec(name) is not None
        flags = []
        if there("xdist"):
            flags += ["-n", "0"]
        if there("pytest_cov"):
            flags += ["--no-cov"]
        for name, plugin in (("randomly", "pytest_randomly"), ("random_order", "random_order")):
            if there(plugin):
                flags += ["-p", "no:" + name]
        return flags

    def load(self, names, then):
        """Imports tests and calls `then` in the middle of pytest's session."""
        pytest, outer = self.pytest, self
        problems = []

        class Plugin:
            def pytest_collectreport(self, report):
                if report.failed:
                    problems.append("%s: %s" % (report.nodeid, report.longreprtext[-MOST_SAID:]))

            @pytest.hookimpl(tryfirst=True)
            def pytest_runtestloop(self, session):
                outer.session = session
                outer.gone = (problems or ["it no longer exists"])[0]
                outer.items = {}
                for item in session.items:
                    outer.items.setdefault(item.nodeid, item)
                then(problems)
                return True

        arguments = list(self.arguments)
        if names is not None:
            # Node ids: what is named is imported, and nothing else.
            arguments += names
        code = pytest.main(arguments + ["--continue-on-collection-errors"], plugins=[Plugin()])
        return problems, code

    def names(self):
        return list(self.items)

    def file(self, name):
        return name.partition("::")[0]

    @staticmethod
    def empty_captured(config):
        """Forks share the files that pytest captures output in: none finds what another printed, even if it was ended."""
        manager = config.pluginmanager.getplugin("capturemanager")
        capturing = getattr(manager, "_global_capturing", None)
        for stream in (getattr(capturing, "out", None), getattr(capturing, "err", None)):
            try:
                stream.tmpfile.seek(0)
                stream.tmpfile.truncate()
            except (AttributeError, OSError, ValueError):
                pass

    def run(self, told, names, first_kill, reach):
        items = [self.items[name] for name in names if name in self.items]
        for name in names:
            if name not in self.items:
                say(told, "test", name, "fail", 0, self.gone)
        config = self.session.config
        self.empty_captured(config)
        heard = []

        class Listener:
            def pytest_runtest_logreport(self, report):
                heard.append(report)

        config.pluginmanager.register(Listener())
        for place, item in enumerate(items):
            heard.clear()
            say(told, "begin", item.nodeid)
            if reach:
                SWITCHES.take()
            last = items[place + 1] if place + 1 < len(items) else None
            config.hook.pytest_runtest_protocol(item=item, nextitem=None if first_kill and last is None else last)
            self.session.shouldstop = self.session.shouldfail = False
            failed = [report for report in heard if report.failed]
            millis = sum(getattr(report, "duration", 0) for report in heard) * 1000
            skipped = any(report.skipped for report in heard)
            if reach:
                say(told, "reach", item.nodeid, ranges(SWITCHES.take() | IMPORTED.get(self.file(item.nodeid), set())))
            if skipped and not failed:
                say(told, "skip", item.nodeid)
                continue
            message = failed[0].longreprtext[-MOST_SAID:] if failed else ""
            say(told, "test", item.nodeid, "fail" if failed else "pass", "%.2f" % millis, message)
            if failed and first_kill:
                return 0
        return 0


class Unittest:
    def __init__(self, arguments):
        import unittest

        self.unittest = unittest
        self.arguments = arguments
        self.tests = {}

    def load(self, names, then):
        loader = self.unittest.TestLoader()
        problems = []
        start, top = ".", None
        arguments = list(self.arguments)
        pattern = "test*.py"
        if arguments and arguments[0] == "discover":
            arguments.pop(0)
        plain = []
        while arguments:
            word = arguments.pop(0)
            if word in ("-s", "--start-directory") and arguments:
                start = arguments.pop(0)
            elif word in ("-p", "--pattern") and arguments:
                pattern = arguments.pop(0)
            elif word in ("-t", "--top-level-directory") and arguments:
                top = arguments.pop(0)
            elif not word.startswith("-"):
                plain.append(word)
        sys.path.insert(0, os.getcwd())
        if names is not None:
            suite = loader.loadTestsFromNames(sorted(set(self.file(name) for name in names)))
        elif plain and not os.path.isdir(plain[0]):
            suite = loader.loadTestsFromNames(plain)
        else:
            suite = loader.discover(plain[0] if plain else start, pattern, top)
        self.tests = {}
        self.flatten(suite, problems)
        then(problems)
        return problems, 0

    def flatten(self, suite, problems):
        for test in suite:
            if isinstance(test, self.unittest.BaseTestSuite):
                self.flatten(test, problems)
            elif type(test).__name__ in ("_FailedTest", "ModuleImportFailure", "LoadTestsFailure"):
                problems.append(str(getattr(test, "_exception", test.id())))
            else:
                self.tests.setdefault(test.id(), test)

    def names(self):
        return list(self.tests)

    def file(self, name):
        """The module of a test: `package.module.Class.method`."""
        return name.rsplit(".", 2)[0]

    def run(self, told, names, first_kill, reach):
        outer, unittest = self, self.unittest
        failed = []

        class Result(unittest.TestResult):
            def startTest(self, test):
                super().startTest(test)
                self.problem, self.skipping, self.begun = None, False, time.monotonic()
                say(told, "begin", test.id())
                if reach:
                    SWITCHES.take()

            def note(self, error):
                self.problem = self._exc_info_to_string(error, self.test)[-MOST_SAID:]

            def addError(self, test, error):
                self.bad(test, error)

            def addFailure(self, test, error):
                self.bad(test, error)

            def addSubTest(self, test, subtest, error):
                if error is not None:
                    self.bad(test, error)

            def bad(self, test, error):
                text = "".join(traceback.format_exception(*error))[-MOST_SAID:]
                if test.id() in outer.tests:
                    self.problem = text
                else:  # a fixture of a class or a module
                    say(told, "broken", text)
                    failed.append(test.id())

            def addSkip(self, test, reason):
                self.skipping = True

            def addExpectedFailure(self, test, error):
                pass

            def addUnexpectedSuccess(self, test):
                self.problem = "unexpected success"

            def stopTest(self, test):
                super().stopTest(test)
                name, millis = test.id(), (time.monotonic() - self.begun) * 1000
                if reach:
                    say(told, "reach", name, ranges(SWITCHES.take() | IMPORTED.get(outer.file(name), set())))
                if self.skipping and not self.problem:
                    say(told, "skip", name)
                    return
                say(told, "test", name, "fail" if self.problem else "pass", "%.2f" % millis, self.problem or "")
                if self.problem:
                    failed.append(name)
                if self.problem and first_kill:
                    self.stop()

        for name in names:
            if name not in self.tests:
                say(told, "test", name, "fail", 0, "it no longer exists")
        chosen = [self.tests[name] for name in names if name in self.tests]
        unittest.TestSuite(chosen).run(Result())
        # Tests that said nothing were skipped with their class.
        if not failed:
            for test in chosen:
                if test is not None:
                    say(told, "skip", test.id())
        return 0


class Missing:
    """A framework that is not there."""

    def __init__(self, problem):
        self.problem = problem

    def load(self, names, then):
        return [self.problem], 0


FRAMEWORKS = {"pytest": Pytest, "unittest": Unittest}

# Per test file, the units that importing it executes.
IMPORTED = {}


class Server:
    def __init__(self, framework):
        self.framework = framework
        self.input = open(os.dup(0), encoding="utf-8", errors="replace")
        self.loaded = None
        self.imports = set()
        self.threads = False

    def serve(self):
        """The process that has imported the framework only."""
        send(REPLIES, "-", "ready")
        for line in self.input:
            nonce, verb, *rest = fields_of(line) + [""]
            rest = rest[:-1] if rest else rest
            if verb == "list":
                self.list(nonce)
            elif verb == "run":
                self.run(Request(nonce, rest[0], rest[1], rest[2], rest[3], rest[4:]))
            send(REPLIES, nonce, "end")
        if self.loaded:
            self.loaded.close()

    def list(self, nonce):
        def work(told):
            said = tempfile.TemporaryFile()
            quiet(said)

            def then(problems):
                for name in self.framework.names():
                    say(told, "test", name)

            problems, code = self.framework.load(None, then)
            for problem in problems:
                say(told, "problem", problem)
            if not problems and code not in (0, 5):
                said.seek(0, os.SEEK_END)
                said.seek(max(0, said.tell() - MOST_SAID))
                text = said.read().decode("utf-8", "replace").strip()
                say(told, "problem", "the framework ended with code %s\n%s" % (code, text))

        child = Fork(work)
        while not child.over:
            for message in child.lines(1.0):
                if message[0] == "test":
                    send(REPLIES, nonce, "test", message[1])
                else:
                    send(REPLIES, nonce, "problem", message[1])
        child.wait()

    def run(self, request):
        if request.reach:
            self.learn_imports(request)
        if request.units() & self.all_imports() or self.alone():
            return self.run_fresh(request)
        if self.loaded is None:
            self.loaded = Loaded(self.framework)
        if not self.loaded.ask(request):
            self.loaded = None
            self.threads = True
            self.run_fresh(request)

    def alone(self):
        return self.threads

    def all_imports(self):
        """Units that importing any test executes, known once the tests are imported."""
        if self.loaded is None and not self.threads:
            self.loaded = Loaded(self.framework)
            self.imports = self.loaded.imports
            self.threads = self.loaded.threads
        return self.imports

    def learn_imports(self, request):
        """Imports each test file by itself, to see what that executes."""
        for name in request.names:
            file = self.framework.file(name)
            if file in IMPORTED:
                continue
            IMPORTED[file] = set()

            def work(told):
                quiet()
                SWITCHES.record(True)
                self.framework.load([name], lambda problems: say(told, "units", ranges(SWITCHES.take())))

            child = Fork(work)
            while not child.over:
                for message in child.lines(1.0):
                    if message[0] == "units":
                        IMPORTED[file] = units_of(message[1])
            child.wait()

    def run_fresh(self, request):
        """Each file's tests in a process that imports them with the mutant on."""
        def work(told, names):
            quiet()
            SWITCHES.switch(request.on)
            SWITCHES.record(request.reach)
            outcome = []

            def then(problems):
                outcome.append(self.framework.run(told, names, request.first_kill, request.reach))

            problems, _ = self.framework.load(list(names), then)
            if not outcome:
                say(told, "broken", (problems or ["the tests cannot be imported"])[0])

        for names in by_file(self.framework, request.names) if request.reach else [request.names]:
            if supervise(request, names, work):
                return


def by_file(framework, names):
    files = {}
    for name in names:
        files.setdefault(framework.file(name), []).append(name)
    return files.values()


def units_of(text):
    units = set()
    for item in filter(None, text.split(",")):
        if item != "-":
            first, _, last = item.partition("-")
            units.update(range(int(first), int(last or first) + 1))
    return units


class Loaded:
    """A fork that has imported all tests, and forks for every request."""

    def __init__(self, framework):
        self.framework = framework
        asks, self.requests = os.pipe()
        self.answers, tells = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.requests)
            os.close(self.answers)
            try:
                self.stay(os.fdopen(asks, encoding="utf-8"), tells)
            finally:
                os._exit(0)
        os.close(asks)
        os.close(tells)
        self.answers = os.fdopen(self.answers, encoding="utf-8", errors="replace")
        said = fields_of(self.answers.readline() or "none")
        self.imports = units_of(said[1]) if len(said) > 2 else set()
        self.threads = len(said) < 3 or said[2] != "1"

    def stay(self, requests, tells):
        quiet()
        SWITCHES.record(True)

        def then(problems):
            units = SWITCHES.take()
            SWITCHES.record(False)
            threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else threading.active_count()
            say(tells, "imported", ranges(units), threads)
            # What is there is never looked at again: a fork that collects garbage would copy all of it.
            gc.collect()
            gc.freeze()
            for line in requests:
                request = Request(*self.parts(fields_of(line)))
                IMPORTED.update(self.known(request))
                self.answer(request)
                say(tells, "done")

        self.framework.load(None, then)

    @staticmethod
    def parts(fields):
        Loaded.pending = fields[0]
        return fields[1], fields[2], fields[3], fields[4], fields[5], fields[6:]

    def known(self, request):
        known = {}
        for item in filter(None, Loaded.pending.split("|")):
            file, _, units = item.rpartition("=")
            known[file] = units_of(units)
        return known

    def answer(self, request):
        def work(told, names):
            SWITCHES.switch(request.on)
            SWITCHES.record(request.reach)
            return self.framework.run(told, names, request.first_kill, request.reach)

        # What a test reaches must not depend on what another one set up.
        groups = [[name] for name in request.names] if request.reach else [request.names]
        for names in groups:
            if supervise(request, names, work):
                return

    def ask(self, request):
        files = {self.framework.file(name) for name in request.names} if request.reach else ()
        known = "|".join("%s=%s" % (file, ranges(IMPORTED[file])) for file in sorted(files) if file in IMPORTED)
        flags = ("f" if request.first_kill else "") + ("r" if request.reach else "") or "-"
        limits = [str(int(request.limit * 1000)), str(int(request.work * 1000))]
        try:
            say(self.requests, known, request.nonce, request.on or "-", *limits, flags, *request.names)
        except OSError:
            return False
        return self.answers.readline().startswith("done")

    def close(self):
        os.close(self.requests)


def main():
    SWITCHES.switch(os.environ.get("WILDCAUGHT_ON", ""))
    name, arguments = sys.argv[1], sys.argv[2:]
    sys.argv = [name] + arguments
    # As `python -m` does; our own directory is not to be found.
    sys.path[0] = os.getcwd()
    try:
        framework = FRAMEWORKS[name](arguments)
    except ImportError as error:
        framework = Missing("%s (%s)" % (error, sys.executable))
    Server(framework).serve()


if __name__ == "__main__":
    main()
