#!/bin/bash
# Installs BUILD into a fresh folder, then builds and runs a program against it through pkg-config and through CMake.
# usage: test_install.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
check() { # name command…
    local name=$1
    shift
    if ! "$@" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "FAILED: $name" >&2
        echo "[  FAILED  ] 1 test(s)" >&2
        exit 1
    fi
    passed=$((passed + 1))
}

check "it installs below another prefix" cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name 'libfathom.*' | head -1)")
[ -f "$library/pkgconfig/fathom.pc" ] || { echo "no fathom.pc beside libfathom" >&2; exit 1; }
export PKG_CONFIG_PATH=$library/pkgconfig CC=$compiler
flags=$(pkg-config --define-prefix --cflags --libs fathom)
check "pkg-config finds it" "$compiler" "$source/tests/install/consumer.c" -o "$work/by-pkg-config" $flags "-Wl,-rpath,$library"
check "a program built through pkg-config runs" "$work/by-pkg-config"

check "find_package finds it" cmake -S "$source/tests/install" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/usr"
check "a CMake project builds against it" cmake --build "$work/build"
check "a program built through CMake runs" "$work/build/consumer"
if [ -x "$work/usr/bin/fathom" ]; then
    check "the installed program starts" "$work/usr/bin/fathom" --version
fi
echo "[  PASSED  ] $passed test(s)." >&2
