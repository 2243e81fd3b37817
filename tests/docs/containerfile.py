#!/usr/bin/env python3
"""Containerfile, without an engine: its instructions, what it copies and calls, and that its command is one of the program's.
usage: containerfile.py FATHOM SOURCE"""
import fnmatch, json, os, re, subprocess, sys

TAKES = {"FROM": r"(\S+)( AS \w+)?", "WORKDIR": r"/\S*", "COPY": r"(--from=\w+ )?\S+( \S+)+", "RUN": r".+", "USER": r"\w+",
         "EXPOSE": r"\d+", "ENTRYPOINT": r"\[.*\]", "CMD": r"\[.*\]"}


def instructions(text):
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
        if line.strip():
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def check(program, source):
    def here(path):
        return os.path.join(source, path)

    with open(here("Containerfile")) as file:
        steps = list(instructions(file.read()))
    stages, last = [], {}
    for name, rest in steps:
        assert name in TAKES and re.fullmatch(TAKES[name], rest), f"{name} {rest}"
        if name == "FROM":
            stages.append((re.search(r" AS (\w+)", rest) or [None, None])[1])
            assert rest.startswith("debian:12"), f"packages.txt is that of Debian 12, not of {rest}"
        if name == "COPY" and not rest.startswith("--from="):
            for path in rest.split()[:-1]:
                assert os.path.exists(here(path)), f"COPY {path}: it does not exist"
        if name == "COPY" and rest.startswith("--from="):
            assert rest.split()[0][7:] in stages[:-1], f"COPY {rest}: no such stage"
        if name == "RUN":
            subprocess.run(["bash", "-n", "-c", rest], check=True)
            for script in re.findall(r"(?<![\w/])scripts/(\w+)", rest):
                assert os.access(here("scripts/" + script), os.X_OK), f"RUN {rest}: no scripts/{script}"
        last[name] = rest
    run = [step for step in steps if step[0] == "RUN"]
    assert any("make package" in rest for _, rest in run), "it makes no package"
    assert re.search(r"^package:", open(here("Makefile")).read(), re.M), "make has no target package"
    assert json.loads(last["ENTRYPOINT"]) == ["fathom"]
    command = json.loads(last["CMD"])
    assert command[-1].endswith(":" + last["EXPOSE"]), f"EXPOSE {last['EXPOSE']}, but {command}"
    known = subprocess.run([program, "help", command[0]], capture_output=True, text=True, check=True).stdout
    for option in [word for word in command if word.startswith("--")]:
        assert re.search(rf"^  {option}\b", known, re.M), f"{command[0]} has no {option}"
    subprocess.run([program, "check", command[1]], capture_output=True, check=True)


def check_ignored(source):
    """What is built here does not go along."""
    with open(os.path.join(source, ".dockerignore")) as file:
        patterns = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    for path in ("build", "build-asan", "out", "viewer/node_modules"):
        assert any(fnmatch.fnmatch(path, p) for p in patterns), f".dockerignore lets {path} through"
    tracked = subprocess.run(["git", "-C", source, "ls-files"], capture_output=True, text=True).stdout.split()
    lost = [f for f in tracked if any(fnmatch.fnmatch(part, p) for p in patterns for part in (f, f.split("/")[0]))]
    assert not lost, f".dockerignore holds back {lost[:3]}"


check(sys.argv[1], sys.argv[2])
check_ignored(sys.argv[2])
