#!/bin/bash
# Installs BUILD into a fresh folder, then builds examples/depth.c against it through pkg-config and through CMake, and
# runs what came out on an installed scenario.
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
says_depths() { # thirteen lines of 0 … 120 s, each with a depth
    "$@" >"$work/depths" && [ "$(grep -c ' s  phoenix at .* m$' "$work/depths")" = 13 ]
}

check "it installs below another prefix" cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name 'libfathom.*' | head -1)")
scenario=$work/usr/share/fathom/scenarios/phoenix-turn.xml
models=$work/usr/share/fathom/models
check "fathom.pc stands beside the library" test -f "$library/pkgconfig/fathom.pc"
check "scenarios and models are installed" test -f "$scenario" -a -d "$models"

export PKG_CONFIG_PATH=$library/pkgconfig CC=$compiler
flags=$(pkg-config --define-prefix --cflags --libs fathom)
check "the example builds through pkg-config" "$compiler" -Wall -Wextra -Werror "$source/examples/depth.c" -o "$work/depth" $flags \
    "-Wl,-rpath,$library"
check "and runs" says_depths "$work/depth" "$scenario" "$models"
cp "$work/depths" "$work/depths-pkg-config"

check "find_package finds the library" cmake -S "$source/examples" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/usr"
check "the example builds through CMake" cmake --build "$work/build"
check "and runs" says_depths "$work/build/depth" "$scenario" "$models"
check "both print the same" cmp "$work/depths" "$work/depths-pkg-config"

check "the installed program runs the installed scenario" "$work/usr/bin/fathom" run "$scenario" --fast --quiet
echo "[  PASSED  ] $passed test(s)." >&2
