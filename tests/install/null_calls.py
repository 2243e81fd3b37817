#!/usr/bin/env python3
"""Writes C that calls every public function with NULL for each of its pointers in turn, and with numbers out of range for
each of its indexes, everything else being good.

usage: null_calls.py PROTOTYPES.txt >calls.c      (of gcc -aux-info)

`things` (null.h) has a good value for every type of argument. Function i of `calls` makes one call; the status it
returns is 0: fine, 1: an object that is not there got no error."""
import re
import sys

# What does not return, or takes what a caller cannot get wrong.
LEFT_OUT = {"fm_batch_create", "fm_env_create"}  # a million vehicles would be made; tests/batch and tests/envs cover them
# Objects: a status function without its object fails.
OBJECTS = ("fm_model *", "fm_world *", "fm_run *", "fm_batch *", "fm_env *", "fm_search *", "fm_fit *", "fm_sink *", "fm_figures *", "fm_server *")
# Callbacks that a plugin gets these from; they are called from inside it.
INSIDE = {"fm_part_load *": "load", "fm_part_context *": "context"}
GOOD = {
    "char *": "things->text",
    "void *": "things->memory",
    "unsigned char *": "things->bytes",
    "double *": "things->doubles",
    "int *": "things->ints",
    "size_t *": "&things->size",
    "void (*) (void *)": "things->release",
    "double": "1",
    "int": "0",
    "unsigned int": "0",
    "uint64_t": "1",
    "uint32_t": "0",
    "size_t": "0",
}
INDEXES = {"int": ["-1", "2147483647", "-2147483647 - 1"], "size_t": ["(size_t)-1", "1000000"], "uint32_t": ["4294967295u"]}


def split(arguments):
    """At commas outside parentheses."""
    parts, depth, at = [], 0, 0
    for i, c in enumerate(arguments):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(arguments[at:i].strip())
            at = i + 1
    return parts + [arguments[at:].strip()]


def plain(type_name):
    return type_name.replace("const ", "").replace("struct ", "").strip()


def good(type_name):
    t = plain(type_name)
    if t in GOOD:
        return GOOD[t]
    if t.endswith("**"):
        return "(void *)&things->pointer"
    if t.endswith("*"):
        return "things->" + re.sub(r"\W", "", t)
    return "0"  # an enum


def call(name, types, values, result):
    arguments = ", ".join(values)
    void = plain(result) == "void"
    return f"{name}({arguments})", void


def write_call(out, name, types, result, values, expect_error):
    text, void = call(name, types, values, result)
    body = f"    {text};\n    return 0;" if void else f"    (void){text};\n    return 0;"
    if expect_error and plain(result) == "fm_status":
        body = f"    return {text} == FM_OK;"
    number = len(out)
    out.append((f"static int call_{number}(struct things *things)\n{{\n    (void)things;\n{body}\n}}\n", text, inside(types)))


def inside(types):
    for t in types:
        if plain(t) in INSIDE:
            return INSIDE[plain(t)]
    return "program"


def calls_of(out, result, name, types):
    variadic = types[-1] == "..."
    if variadic:
        types = types[:-1]
    values = [good(t) for t in types]
    if types == ["void"]:
        return write_call(out, name, types, result, [], False)
    for i, t in enumerate(types):
        wrong = ["NULL"] if t.endswith("*") or "(*)" in t else INDEXES.get(plain(t), ["99"] if plain(t).startswith("fm_") else [])
        for value in wrong:
            first_object = i == 0 and plain(t) in OBJECTS
            write_call(out, name, types, result, values[:i] + [value] + values[i + 1 :], first_object)
    write_call(out, name, types, result, ["NULL" if "*" in t else v for t, v in zip(types, values)], False)


def main():
    out, functions = [], 0
    for line in open(sys.argv[1], encoding="utf-8"):
        match = re.search(r"include/fathom/\S+ \*/ extern (.*?)\b(fm_\w+) \((.*)\);", line)
        if not match or match.group(2) in LEFT_OUT:
            continue
        functions += 1
        calls_of(out, match.group(1).strip(), match.group(2), split(match.group(3)))
    print('#include "null.h"\n')
    for text, _, _ in out:
        print(text)
    print("const struct public_call public_calls[] = {")
    for i, (_, text, where) in enumerate(out):
        print(f'    {{call_{i}, "{where}", "{text}"}},')
    print(f"}};\nconst size_t public_call_count = {len(out)}, public_function_count = {functions};")


main()
