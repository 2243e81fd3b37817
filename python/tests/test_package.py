"""The package as a whole: every public thing is documented, and typed."""

import importlib
import inspect

import pytest

import fathom

MODULES = ["env", "errors", "fits", "log", "model", "parts", "plot", "run", "searches", "studies", "world"]


def public(thing):
    for name, value in vars(thing).items():
        if not name.startswith("_") and (inspect.isfunction(value) or inspect.isclass(value) or isinstance(
                value, (property, classmethod, staticmethod))):
            yield name, value


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_docstring_and_types(name):
    module = importlib.import_module(f"fathom.{name}")
    assert module.__doc__
    for outer, value in public(module):
        if inspect.isclass(value) and value.__module__ == module.__name__:
            assert value.__doc__, f"{name}.{outer}"
            for inner, member in public(value):
                function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                assert function.__doc__, f"{name}.{outer}.{inner}"
                assert "return" in function.__annotations__, f"{name}.{outer}.{inner}"
        elif inspect.isfunction(value) and value.__module__ == module.__name__:
            assert value.__doc__, f"{name}.{outer}"
            assert "return" in value.__annotations__, f"{name}.{outer}"


def test_what_the_package_offers_is_there():
    assert [name for name in fathom.__all__ if not hasattr(fathom, name)] == []
    assert fathom.__version__.count(".") == 2
