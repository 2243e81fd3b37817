#!/usr/bin/env python3
"""Types every command line of README.md and docs/*.md, as a reader would, and checks what came of it.

rows.py has one row per documented command line. A documented line without a row fails, and so does a row whose line is
no longer documented. A row says what must be true after its line was typed: exit status, text, files, and for a line
that steers a vehicle what the log or the server says the vehicle did.

What differs from what a reader types:
- ports are replaced by free ones, on the line (own_ports) and in the <bridge> elements of the copied scenarios;
- `fathom serve`, `view` and other lines that go on until they are stopped are stopped with SIGINT after their check;
- rows with `typed` type something else, and `why` says what: fewer runs, or names in the place of SCENARIO, FILE …

usage: commands.py BUILD SOURCE [DOCUMENT…]"""
import concurrent.futures, os, re, shutil, signal, socket, subprocess, sys, tempfile, time, traceback

sys.dont_write_bytecode = True
PATIENCE = 240  # s that a condition may take to come true on a busy machine
PAGES_LEFT_OUT = {"docs/validation.md"}  # no commands to type: results of `fathom figures`
STARTS = re.compile(
    r"(\$ )?([A-Z][A-Z0-9_]*=\S+ )*("
    r"(fathom|ros2|sim_vehicle\.py|make|px4|python3|node|npm|cmake|ctest|pkg-config|cc|c\+\+|gcc|g\+\+|clang|mpirun|srun|gpsd|gpspipe|"
    r"sudo|apt|apt-get|cd|cp|head|export|curl|wget|git|nvcc|docker|octave|man)(?= )|\./\w|build/\w|scripts/\w|for \w+ in )"
)


class Failure(Exception):
    """What a documented command did not do."""


# ---- the documented command lines ------------------------------------------------------------------------------------


def command_of(line):
    """The command of a line: without the prompt, and without the remark after it (# …, or text after two spaces)."""
    line = line.strip()
    line = line[2:] if line.startswith("$ ") else line
    quote, at = "", 0
    while at < len(line):
        c = line[at]
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif line.startswith("  ", at) or line.startswith(" #", at):
            return line[:at]
        at += 1
    return line


def lines_of(text):
    """(number, command) of every command line in fenced and in indented blocks, continued lines as one, and of every
    `fathom ctl …` inside a sentence; then (number, span) of the other `fathom …` inside sentences."""
    commands, mentions, fenced, number = [], [], False, 0
    lines = text.split("\n")
    while number < len(lines):
        line, first = lines[number], number + 1
        number += 1
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            if not STARTS.match(line.strip()):
                continue
            command = command_of(line)
            while command.endswith("\\") and number < len(lines):
                command = command[:-1].rstrip() + " " + command_of(lines[number])
                number += 1
            commands.append((first, " ".join(command.split(" "))))
        else:
            for span in re.findall(r"`(fathom [^`]+)`", line):
                is_command = re.match(r"fathom ctl .*[a-z]", span) and "--help" not in span
                (commands if is_command else mentions).append((first, span))
    return commands, mentions


def documents(source):
    names = ["README.md"] + sorted("docs/" + n for n in os.listdir(os.path.join(source, "docs")) if n.endswith(".md"))
    return [name for name in names if name not in PAGES_LEFT_OUT]


def matched(found, rows):
    """Faults where documented lines and rows do not match: `found` is {document: [(number, command)]}."""
    faults = []
    for doc, commands in found.items():
        known = {row.line for row in rows if row.doc == doc}
        faults += [f"{doc}:{number}: no row in tests/docs/rows.py for: {c}" for number, c in commands if c not in known]
    for row in rows:
        if row.line not in [c for _, c in found.get(row.doc, [])]:
            faults.append(f"tests/docs/rows.py: {row.doc} no longer has the line: {row.line}")
    return faults


# ---- rows and how they are typed -------------------------------------------------------------------------------------


class Row:
    """A documented command line.

    typed, why    what is typed instead, and why
    needs, played software that is not part of the tests, and the test that plays its part
    separate      why it is not typed here, and what runs it
    prepare       called with the place before; makes the files that the line reads
    background    it goes on until stopped: `check` is called while it runs, `after` when it has ended
    stays         it goes on beside the following lines, until a row with `ends`
    log           a background simulation records place.log, which `after` reads
    status, prints, makes   exit status; regular expressions of its output; files that it makes"""

    def __init__(self, doc, line, typed=None, why=None, needs=None, played=(), separate=None, prepare=None, background=False,
                 stays=False, ends=False, log=False, status=None, prints=(), makes=(), check=None, after=None):
        self.doc, self.line, self.typed, self.why, self.needs, self.separate = doc, line, typed, why, needs, separate
        self.played = [played] if isinstance(played, str) else list(played)
        self.prepare, self.background, self.stays, self.ends, self.log = prepare, background or stays, stays, ends, log
        self.status, self.makes, self.check, self.after = status, makes, check, after
        self.prints = [prints] if isinstance(prints, str) else list(prints)
        assert not typed or why, f"{line}: a row that types something else says why"
        assert not needs or played, f"{line}: a row that needs other software names the test that plays it"


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err, self.text = status, out, err, out + err


def expect(truth, what):
    if not truth:
        raise Failure(what)


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(condition, what, seconds=PATIENCE):
    """The first true value of condition()."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise Failure(f"after {seconds} s still not: {what}")


class Place:
    """A folder with what a reader has: scenarios, models, examples, the program in PATH, libraries for pkg-config."""

    def __init__(self, build, source, folder):
        self.build, self.source, self.folder, self.cwd = build, source, folder, folder
        self.port, self.log, self.running, self.kept = None, None, [], {}
        for name in ("scenarios", "models", "examples"):
            shutil.copytree(os.path.join(source, name), os.path.join(folder, name))
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(os.path.join(build, "fathom"), os.path.join(folder, "bin", "fathom"))
        self.ports = {name: free_port(socket.SOCK_DGRAM) for name in ("ardupilot", "nmea", "nmea-in", "mavlink", "ping", "ping-360", "odometry", "dis", "dis-other")}
        self.ports["px4"] = free_port()
        self.bridges_of_scenarios()
        self.libraries()
        self.env = dict(os.environ, PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"],
                        FATHOM_MODELS=os.path.join(folder, "models"), PKG_CONFIG_PATH=folder, LD_LIBRARY_PATH=build,
                        ROS_DOMAIN_ID=str(100 + os.getpid() % 100), ROS_LOCALHOST_ONLY="1")

    def bridges_of_scenarios(self):
        """Ports of this test in the place of those that are written in, or are the default of, copied scenarios."""
        ports = {"ardupilot": f'port="{self.ports["ardupilot"]}"', "nmea": f'port="{self.ports["nmea"]}"',
                 "mavlink": f'port="{self.ports["mavlink"]}"', "dis": f'port="{self.ports["dis"]}"'}
        folder = os.path.join(self.folder, "scenarios")
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if not name.endswith(".xml"):
                continue
            text = open(path).read()
            mended = re.sub(r'<bridge kind="(\w+)"', lambda m: m.group(0) + " " + ports.get(m.group(1), ""), text)
            mended = mended.replace('simulator="4560"', f'simulator="{self.ports["px4"]}"')
            mended = mended.replace('listen-port="10111"', f'listen-port="{self.ports["nmea-in"]}"')
            if mended != text:
                open(path, "w").write(mended)

    def libraries(self):
        for name in ("fathom", "fathom-client"):
            text = open(os.path.join(self.build, name + ".pc")).read()
            text = re.sub(r"^libdir=.*$", f"libdir={self.build}", text, flags=re.M)
            text = re.sub(r"^includedir=.*$", f"includedir={self.source}/include", text, flags=re.M)
            open(os.path.join(self.folder, name + ".pc"), "w").write(text)

    def path(self, name):
        return os.path.join(self.cwd, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def own_ports(self, command):
        """The command with free ports in the place of those that are fixed or the default."""
        command = re.sub(r"^fathom serve [^&;]*", lambda m: m.group(0).rstrip() + " --port 0", command)
        if self.port and command.startswith("fathom ctl ") and "--queue" not in command:
            command += f" --port {self.port}" + ("" if "--timeout" in command else " --timeout 60")
        command = command.replace("127.0.0.1:4040", f"127.0.0.1:{self.port}")
        command = command.replace("=3001", f"={self.ports['dis']}").replace("=3000", f"={self.ports['dis-other']}")
        command = re.sub(r" --ping\b", f' --bridge "ping port={self.ports["ping"]}"', command)
        command = command.replace('instrument=scanning-sonar"', f'instrument=scanning-sonar port={self.ports["ping-360"]}"')
        for kind in ("ardupilot", "nmea", "mavlink", "odometry", "dis"):
            command = re.sub(rf" --{kind}\b", f' --bridge "{kind}"', command)
            if not re.search(rf'"{kind} [^"]*\bport=', command):
                command = re.sub(rf'"{kind}([^"]*)"', rf'"{kind}\1 port={self.ports[kind]}"', command)
        command = re.sub(r"^fathom dis 239\.1\.2\.3", f"fathom dis 239.1.2.3:{self.ports['dis']}", command)
        command = command.replace("udp:5000", "udp:0")
        return re.sub(r"127\.0\.0\.1:8080", f"127.0.0.1:{free_port()}", command)

    def type(self, command, seconds=PATIENCE):
        """Types a command and waits for its end."""
        done = subprocess.run(["bash", "-c", self.own_ports(command)], cwd=self.cwd, env=self.env, capture_output=True,
                              timeout=seconds, stdin=subprocess.DEVNULL)
        return Result(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def want(self, command):
        """The output of a command that must end with status 0."""
        result = self.type(command)
        expect(result.status == 0, f"`{command}` ended with status {result.status}: {result.text[-800:]}")
        return result.out

    def start(self, command, log=False):
        """Starts a command that goes on until stopped, and returns it: out() and err() are what it has said."""
        command = self.own_ports(re.sub(r"\s*&$", "", command))
        if log:
            self.log = self.path(f"background-{time.monotonic_ns()}.mcap")
            command += f" --log {self.log}"
        running = Running(command, self)
        self.running.append(running)
        if command.startswith("fathom serve"):
            self.port = int(until(lambda: running.said(r" port (\d+)"), f"`{command}` serves").group(1))
        return running

    def close(self):
        for running in self.running:
            running.kill()


class Running:
    def __init__(self, command, place):
        self.command = command
        stem = os.path.join(place.folder, f"said-{time.monotonic_ns()}")
        self.files = [open(stem + end, "w+b") for end in (".out", ".err")]
        self.process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=place.cwd, env=place.env, stdout=self.files[0],
                                        stderr=self.files[1], stdin=subprocess.DEVNULL)

    def text(self, which=None):
        texts = []
        for file in self.files if which is None else [self.files[which]]:
            with open(file.name, "rb") as reader:
                texts.append(reader.read().decode(errors="replace"))
        return "".join(texts)

    def said(self, pattern):
        found = re.search(pattern, self.text(), re.S)
        if not found and self.process.poll() is not None:
            raise Failure(f"`{self.command}` ended with status {self.process.returncode}: {self.text()[-800:]}")
        return found

    def stop(self):
        """Ctrl-C; the result, once it has ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self):
        """The result, once it has ended by itself."""
        self.process.wait(PATIENCE)
        return Result(self.process.returncode, self.text(0), self.text(1))

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for file in self.files:
            file.close()


def expect_result(row, place, result, status):
    expect(result.status == status, f"exit status {result.status} instead of {status}: {result.text[-800:]}")
    for pattern in row.prints:
        expect(re.search(pattern, result.text, re.S), f"no /{pattern}/ in: {result.text[-800:]}")
    for name in row.makes:
        expect(os.path.exists(place.path(name)) and os.path.getsize(place.path(name)) > 0, f"made no {name}")


def type_background(row, place, command):
    running = place.start(command, row.log)
    if row.check:
        row.check(place, running)
    if row.stays:
        place.kept["stays"] = running
        return
    finish(row, place, running)


def finish(row, place, running):
    """Stops what runs. `serve` then ends with 0, all other commands with 130."""
    usual = 0 if row.line.startswith("fathom serve") else 130
    expect_result(row, place, running.stop(), usual if row.status is None else row.status)
    if row.after:
        row.after(place)


def type_row(row, place):
    """Types a row's line; a Failure where something is not as the row says."""
    if row.prepare:
        row.prepare(place)
    command = row.typed or row.line
    if command.startswith("cd "):
        place.cwd = os.path.join(place.cwd, command[3:])
        expect(os.path.isdir(place.cwd), f"no folder {command[3:]}")
    elif row.background:
        type_background(row, place, command)
        if row.stays:
            place.kept["row"] = row
    else:
        result = place.type(command)
        expect_result(row, place, result, row.status or 0)
        if row.check:
            row.check(place, result)
    if row.ends:
        finish(place.kept["row"], place, place.kept.pop("stays"))
        place.port = None


def named_tests_exist(row, source):
    for test in row.played:
        file, _, fact = test.partition(":")
        path = os.path.join(source, file)
        expect(os.path.exists(path), f"no test {file}")
        expect(fact in open(path).read(), f"{file} has no {fact}")


def look_at(row, place):
    """What can be asked of a line that is not typed: that its test and its make target exist."""
    named_tests_exist(row, place.source)
    target = re.match(r"make ([\w-]+)$", row.line)
    if target:
        done = subprocess.run(["make", "-n", target.group(1)], cwd=place.source, capture_output=True)
        expect(done.returncode == 0, f"make has no target {target.group(1)}")


def clean_up(row, place):
    """A line that failed leaves nothing running that it started or would have ended."""
    if row.background and place.running:
        place.running[-1].kill()
    for name in ("beside", "stays") if row.ends else ("beside",):
        if name in place.kept:
            place.kept.pop(name).kill()


def type_document(doc, rows, build, source):
    """Faults of one document, its lines typed in their order in one folder."""
    faults, times = [], {}
    with tempfile.TemporaryDirectory(prefix="fathom-docs-") as folder:
        place = Place(build, source, folder)
        try:
            for row in rows:
                begin = time.monotonic()
                try:
                    (look_at if row.needs or row.separate else type_row)(row, place)
                    named_tests_exist(row, source)
                except Exception as fault:  # whatever a check stumbles over is a fault of its line
                    what = fault if isinstance(fault, Failure) else traceback.format_exc()
                    faults.append(f"{doc}: {row.line}\n    typed: {row.typed or row.line}\n    {what}")
                    clean_up(row, place)
                times[row.line] = time.monotonic() - begin
        finally:
            place.close()
    return doc, faults, times


# ---- commands named inside sentences ---------------------------------------------------------------------------------

HELP = {}


def mention_fault(build, span):
    """What is wrong with a `fathom COMMAND --option …` inside a sentence: a command or an option that does not exist."""
    words = span.split()
    command = words[1]
    if not re.fullmatch(r"[a-z]+", command):
        return None if command in ("--version", "COMMAND") else f"`{span}`: not a command"
    if command not in HELP:
        done = subprocess.run([os.path.join(build, "fathom"), command, "--help"], capture_output=True, text=True)
        HELP[command] = done.stdout if done.returncode == 0 else None
    if HELP[command] is None:
        return f"`{span}`: fathom has no command {command}"
    for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", span):
        if not re.search(re.escape(option) + r"(?![\w-])", HELP[command]):
            return f"`{span}`: fathom {command} has no option {option}"
    return None


# ---- can this test fail? ---------------------------------------------------------------------------------------------


def self_check(build, source):
    """A line without a row, a row without a line, a wrong status, text, file or vehicle, and a wrong option are faults."""
    page = "Text\n\n    fathom run a.xml \\\n        --fast   # remark\n    fathom nothing\n\n```\n$ make x  text\n```\n`fathom ctl stop`\n"
    commands, _ = lines_of(page)
    wanted = [(3, "fathom run a.xml --fast"), (5, "fathom nothing"), (8, "make x"), (10, "fathom ctl stop")]
    assert commands == wanted, commands
    rows = [Row("d", "fathom run a.xml --fast"), Row("d", "make x"), Row("d", "fathom ctl stop"), Row("d", "fathom gone")]
    faults = matched({"d": commands}, rows)
    assert len(faults) == 2 and faults[0].startswith("d:5: no row") and "fathom gone" in faults[1], faults

    def wrong(place, result):
        raise Failure("the vehicle stayed where it was")

    bad = [Row("d", "fathom nothing"), Row("d", "fathom --version", status=1), Row("d", "fathom --version", prints="no such text"),
           Row("d", "fathom --version", makes=["no-file"]), Row("d", "fathom --version", check=wrong),
           Row("d", "ros2 x", needs="ROS 2", played="tests/net/no-test.c"), Row("d", "make no-such-target", separate="no")]
    good = [Row("d", "fathom --version", prints="0")]
    faults = type_document("d", good + bad, build, source)[1]
    assert len(faults) == len(bad), faults
    assert mention_fault(build, "fathom run --no-such-option") and mention_fault(build, "fathom no")
    assert not mention_fault(build, "fathom run FILE --csv")


def main(build, source, *only):
    build, source = os.path.abspath(build), os.path.abspath(source)
    from rows import ROWS  # noqa: E402
    self_check(build, source)
    found, faults = {}, []
    for doc in documents(source):
        found[doc], mentions = lines_of(open(os.path.join(source, doc)).read())
        faults += [f"{doc}:{n}: {fault}" for n, span in mentions if (fault := mention_fault(build, span))]
    faults += matched(found, ROWS)
    order = [doc for doc in found if any(row.doc == doc for row in ROWS) and (not only or doc in only)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(type_document, doc, [row for row in ROWS if row.doc == doc], build, source) for doc in order]
        for job in concurrent.futures.as_completed(jobs):
            doc, wrong, times = job.result()
            faults += wrong
            slowest = max(times, key=times.get)
            print(f"{doc}: {len(times)} lines in {sum(times.values()):.0f} s, {len(wrong)} faults; slowest {times[slowest]:.0f} s: "
                  f"{slowest[:70]}", flush=True)
    report(ROWS)
    for fault in faults:
        print(f"FAULT {fault}")
    used = os.times()
    print(f"{len(faults)} faults; {used.children_user + used.children_system:.0f} s of CPU time")
    return 1 if faults else 0


def report(rows):
    needs = [row for row in rows if row.needs]
    separate = [row for row in rows if row.separate]
    reduced = [row for row in rows if row.typed and not row.needs and not row.separate]
    for row in reduced:
        print(f"  instead of: {row.line}\n       typed: {row.typed} ({row.why})")
    for row in needs:
        print(f"  needs {row.needs}: {row.line} (played by {', '.join(row.played)})")
    for row in separate:
        print(f"  separate, {row.separate}: {row.line}")
    typed = len(rows) - len(needs) - len(separate) - len(reduced)
    print(f"{len(rows)} documented command lines: {typed} typed, {len(reduced)} typed reduced or filled in, "
          f"{len(needs)} need other software, {len(separate)} run separately")


if __name__ == "__main__":
    sys.modules["commands"] = sys.modules["__main__"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(*sys.argv[1:]))
