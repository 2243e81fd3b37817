#!/usr/bin/env python3
"""`fathom view` as its help describes it: the next free port, the status after a signal, a browser on a desktop.

usage: test_view.py BUILD SOURCE"""
import os, pty, re, signal, socket, subprocess, sys, tempfile, time

BUILD, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
VIEW = [os.path.join(BUILD, "fathom"), "view", os.path.join(SOURCE, "scenarios/phoenix-turn.xml")]
PORT = 8080  # of the page, by default


def started(arguments=(), **options):
    run = subprocess.Popen(VIEW + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    line = run.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
    assert found, (line, run.stderr.read())
    return run, int(found.group(1))


def ended(run, number):
    run.send_signal(number)
    said = run.communicate(timeout=60)[1]
    assert run.returncode == 128 + number, (run.returncode, said)


def check_ports():
    """Where the default port is taken, by whatever address, the page is at the next free one."""
    for address in ("127.0.0.1", "0.0.0.0"):
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                taken.bind((address, PORT))
                taken.listen(1)
            except OSError:
                pass  # something else has it already
            run, port = started()
            assert PORT < port < PORT + 100, port
            ended(run, signal.SIGINT)
    run, port = started()
    other, next_port = started()
    assert next_port > port, (port, next_port)
    ended(run, signal.SIGTERM)
    ended(other, signal.SIGHUP)


def opened_by_browser(environment, arguments=()):
    """What the desktop's opener is called with by a view that was started in a terminal; "": it is not called."""
    with tempfile.TemporaryDirectory(prefix="fathom-view-") as folder:
        opener, note = os.path.join(folder, "xdg-open"), os.path.join(folder, "note")
        with open(opener, "w") as file:
            file.write(f'#!/bin/sh\necho "$1" >{note}.part && mv {note}.part {note}\n')
        os.chmod(opener, 0o755)
        plain = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION")}
        ours, theirs = pty.openpty()
        run = subprocess.Popen(VIEW + list(arguments), stdout=theirs, stderr=subprocess.DEVNULL,
                               env=dict(plain, PATH=f"{folder}:{plain['PATH']}", **environment))
        os.close(theirs)
        said = b""
        while b"\n" not in said:
            said += os.read(ours, 1000)
        patience = time.time() + (20 if environment and not arguments else 1)
        while not os.path.exists(note) and time.time() < patience:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=60) == 130
        os.close(ours)
        return (open(note).read().strip() if os.path.exists(note) else ""), said.decode().split()[0]


def main():
    check_ports()
    called, address = opened_by_browser({"DISPLAY": ":99"})
    assert called == address, (called, address)
    assert opened_by_browser({})[0] == ""
    assert opened_by_browser({"DISPLAY": ":99"}, ["--no-browser"])[0] == ""
    print("view takes the next free port, ends with the status of its signal, and opens a browser on a desktop")


main()
