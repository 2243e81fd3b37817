#!/bin/bash
# The libraries export the functions that their headers declare and nothing else; libfathom needs no drawing library;
# nothing that was built looks for libraries in the current folder; C++ takes every public header.
# usage: test_boundary.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
. "$(dirname "$0")/checks.sh"

declared() { # header…: the functions declared in them, as the compiler sees them
    printf '#include "%s"\n' "$@" >"$work/all.c"
    gcc -std=c17 "-I$source/include" -aux-info "$work/prototypes" -fsyntax-only "$work/all.c"
    for header in "$@"; do grep -F "/* $header:" "$work/prototypes"; done | grep ' extern ' | grep -o '\bfm_[a-z0-9_]* (' | tr -d ' (' | sort -u
}
exported() { # library
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort -u
}
exports_its_headers() { # library header…
    local library=$1
    shift
    declared "$@" >"$work/declared"
    exported "$library" >"$work/exported"
    [ "$(wc -l <"$work/declared")" -gt 4 ] && diff "$work/declared" "$work/exported"
}
needs_none_of() { # library pattern
    ! ldd "$1" | grep -E "$2"
}
needs_only_libc() { # library
    [ "$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v ld-linux)" = libc.so.6 ]
}
no_empty_runpath() { # every program and library below the build folder
    find "$build" -type f \( -name '*.so*' -o -perm -u+x \) -print0 |
        xargs -0 readelf -d 2>/dev/null |
        awk '/^File: /      { file = $2 }
             /R(UN)?PATH/   { count++; path = $0; sub(/.*\[/, "", path); sub(/\].*/, "", path)
                              if (path == "" || path ~ /^:|::|:$/) { print file ": [" path "]"; bad = 1 } }
             END            { exit bad }'
}
is_taken_by_cpp() { # header
    echo "#include <$1>" >"$work/one.cpp"
    g++ -std=c++17 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -fsyntax-only "-I$source/include" "$work/one.cpp"
}

refuses_to_draw() {
    ! "$1" plot x.mcap -o x.png 2>"$work/words" && grep -q 'fathom plot: .*built without drawing' "$work/words"
}

headers=$(ls "$source"/include/fathom/*.h | grep -Ev '/(figures|server|client|shared|emulator).h')
drawing='cairo|pixman|freetype|fontconfig'
if [ -e "$build/libfathom.so" ]; then
    check "libfathom exports what its headers declare" exports_its_headers "$build/libfathom.so" $headers
    check "libfathom-figures exports what its header declares" exports_its_headers "$build/libfathom-figures.so" \
        "$source/include/fathom/figures.h"
    check "libfathom-client exports what its header declares" exports_its_headers "$build/libfathom-client.so" \
        "$source/include/fathom/client.h"
    check "libfathom-client needs the C library alone" needs_only_libc "$build/libfathom-client.so"
    if [ -e "$build/libfathom-net.so" ]; then
        check "libfathom-net exports what its header declares" exports_its_headers "$build/libfathom-net.so" \
            "$source/include/fathom/server.h"
    fi
    check "libfathom needs no library of the server" needs_none_of "$build/libfathom.so" 'libuv|libsodium|libwebsockets'
    check "libfathom needs no drawing library" needs_none_of "$build/libfathom.so" "$drawing"
fi
bare=$build/tests/fathom-without-drawing
check "a program without drawing needs none either" needs_none_of "$bare" "$drawing"
check "it runs a scenario" "$bare" run "$source/scenarios/phoenix-turn.xml" --fast --quiet --duration 5
check "and says what it lacks" refuses_to_draw "$bare"
check "no library is looked for in the current folder" no_empty_runpath
for header in $(cd "$source/include" && find fathom -name '*.h' | sort); do
    check "C++ takes $header" is_taken_by_cpp "$header"
done
echo "[  PASSED  ] $passed test(s)." >&2
