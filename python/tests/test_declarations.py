"""The declarations of the package are those of the headers."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from fathom._ffi import ffi
from fathom._library import _open, lib, net


@pytest.mark.skipif(not shutil.which("cc"), reason="a C compiler reads the headers")
def test_the_declarations_are_those_of_the_headers():
    script = ROOT / "scripts" / "python-declarations"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def has(library, name):
    try:
        return hasattr(library, name)
    except ffi.error:
        return False


def test_every_declared_function_is_in_a_library():
    text = (ROOT / "python" / "src" / "fathom" / "_declarations.cdef").read_text()
    names = set(re.findall(r"^ [\w ]+?[ *]+(fm_\w+)\(", text, re.M))
    libraries = [lib, net(), _open("libfathom-draw")]
    assert [name for name in sorted(names) if not any(has(library, name) for library in libraries)] == []
    assert len(names) > 150
