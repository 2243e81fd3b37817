"""Every code block of docs/python.md runs, and so does every notebook."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NEEDS = {"train": ["gymnasium"], "first-vehicle": ["matplotlib"]}


def run_cell(source, names, place):
    """As a notebook does: the last expression is shown."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), place, "eval"), names)
    shown = [getattr(value, form)() for form in ("_repr_png_", "_repr_html_") if hasattr(value, form)]
    assert not shown or any(shown), f"{value!r} shows nothing"
    return value


def test_every_code_block_of_the_page_runs(tmp_path, monkeypatch, capsys):
    for name in ("xarray", "pandas", "matplotlib"):
        pytest.importorskip(name)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) >= 15 and len(blocks) == len(re.findall("^```", text, re.M)) / 2
    names = {}
    for number, block in enumerate(blocks, 1):
        run_cell(block, names, f"docs/python.md block {number}")
    printed = capsys.readouterr().out
    assert "11.5 kg" in printed and "0 s' is out of range" in printed and (tmp_path / "clearance.png").stat().st_size > 5000
    assert names["search"].best == pytest.approx({"x": 1, "y": -2}, abs=1e-3)


def test_the_code_of_the_readme_runs(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    run_cell(block, {}, "README.md")
    assert "max_depth" in capsys.readouterr().out


def cells(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4 and book["cells"][0]["cell_type"] == "markdown"
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    for name in ("xarray", "pandas", "matplotlib", *NEEDS.get(path.stem, [])):
        pytest.importorskip(name)
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, cell in enumerate(cells(path), 1):
        run_cell(cell, names, f"{path.name} cell {number}")


def test_there_are_five_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["first-vehicle", "identify-from-a-csv", "read-a-recording",
                                                 "sweep-and-sensitivity", "train"]


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_jupyter(path, tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(path, 4)
    nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = {kind for cell in book.cells if cell.cell_type == "code" for output in cell.outputs
             for kind in output.get("data", ())}
    assert "image/png" in shown


def test_the_package_is_imported_without_its_extras():
    code = ("import sys\nfor name in ('xarray', 'pandas', 'matplotlib', 'gymnasium', 'torch', 'jax', 'dask', 'ray'):\n"
            "    sys.modules[name] = None\nimport fathom\n"
            "study = fathom.Study('snookie-wall', {'/snookie/approach/angle': [1.0]}, duration=1).make()\n"
            "assert study.outcomes.all()\n"
            "try: fathom.sweep('snookie-wall', runs=1)\n"
            "except ImportError as error: print(error)\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert "fathom-sim[studies]" in done.stdout, done.stdout + done.stderr
