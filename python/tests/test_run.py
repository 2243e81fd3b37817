"""Runs: logs, pace, the page."""

import json
import subprocess
import time
import urllib.request

import pytest

import fathom
from fathom._library import program


def test_a_logged_run_is_replayed_by_the_program_with_the_same_bits(hover, tmp_path):
    with fathom.Run(hover, duration=2, log=tmp_path / "a.mcap") as run:
        run.world["rov"].order("front-port", 4)
        run.run_until(2)
        assert run.over
    done = subprocess.run([program(), "replay", str(tmp_path / "a.mcap"), "--verify"], capture_output=True, text=True)
    assert done.returncode == 0 and "the same" in done.stdout, done.stdout + done.stderr


def test_a_paced_run_follows_the_clock(hover):
    start = time.monotonic()
    run = fathom.Run(hover, duration=2, pace=10).go()
    assert run.time == pytest.approx(2) and time.monotonic() - start > 0.19


def test_a_run_that_has_not_been_finished_raises_what_went_wrong(hover, tmp_path):
    with pytest.raises(OSError, match="no-such-folder"):
        fathom.Run(hover, log=tmp_path / "no-such-folder" / "a.mcap")
    with pytest.raises(ValueError, match="gzip"):
        fathom.Run(hover, log=tmp_path / "a.mcap", compression="gzip")


def test_the_page_of_a_run_is_served(hover):
    run = fathom.Run(hover, duration=60)
    with run.view(open=False) as view:
        page = urllib.request.urlopen(view.url, timeout=20).read()
        assert b"<html" in page.lower() and view.url in view._repr_html_()
    run.step()
    with pytest.raises(ValueError, match="start"):
        run.view(open=False)
