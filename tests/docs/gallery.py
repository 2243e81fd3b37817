#!/usr/bin/env python3
"""docs/gallery.md shows every shipped scenario: with its title, and on a screen and a phone, dark and light.
usage: gallery.py SOURCE"""
import glob, os, re, struct, sys
import xml.etree.ElementTree as xml


def size_of(path):
    """Width and height of a WebP picture (its frame's header)."""
    with open(path, "rb") as file:
        data = file.read(64)
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP", f"{path} is no WebP"
    if data[12:16] == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    assert data[12:16] == b"VP8X", f"{path}: {data[12:16]}"
    return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")


def faults_of(source):
    with open(os.path.join(source, "docs/gallery.md")) as file:
        sections = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^### |\Z)", file.read(), re.S | re.M))
    scenarios = {os.path.basename(p)[:-4]: p for p in glob.glob(os.path.join(source, "scenarios/*.xml"))}
    for name in sorted(scenarios.keys() ^ sections.keys()):
        yield f"{name} is not both a scenario and a section of docs/gallery.md: run scripts/gallery, then scripts/gallery --docs"
    for name in sorted(scenarios.keys() & sections.keys()):
        title = xml.parse(scenarios[name]).getroot().get("title", "")
        if not sections[name].startswith(title + "\n"):
            yield f"{name}: its title is not '{title}'"
        for window, size in ((1280, (640, 360)), (390, (160, 346))):
            for theme in ("dark", "light"):
                picture = f"images/gallery/{name}-{window}-{theme}.webp"
                path = os.path.join(source, "docs", picture)
                if picture not in sections[name]:
                    yield f"{name}: no {picture} in the page"
                elif not os.path.exists(path) or size_of(path) != size:
                    yield f"{path} is missing or not {size[0]} × {size[1]}"


def main():
    faults = list(faults_of(sys.argv[1]))
    for fault in faults:
        print("FAULT", fault)
    moving = os.path.join(sys.argv[1], "docs/images/fathom.webp")
    with open(moving, "rb") as file:
        data = file.read()
    if data[12:16] != b"VP8X" or not data[20] & 2 or data.count(b"ANMF") < 40:
        faults.append(moving)
        print("FAULT", moving, "is not an animation of 40 pictures")
    sys.exit(1 if faults else 0)


main()
