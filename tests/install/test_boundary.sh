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
exported() { # library: its public symbols, those of the version node without PRIVATE; all where it has no nodes
    if ! nm -D --defined-only --with-symbol-versions "$1" | grep '@@FATHOM' >/dev/null; then
        nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort -u
        return
    fi
    nm -D --defined-only --with-symbol-versions "$1" | sed -n 's/.* \([a-z0-9_]*\)@@FATHOM_\([A-Z]*_\)\{0,1\}[0-9.]*$/\1 \2/p' |
        awk '$2 != "PRIVATE_" { print $1 }' | sort -u
}
defines() { # library: every function that it contains, exported or not
    nm --defined-only "$1" | awk '$2 ~ /[TtDdRr]/ && $3 ~ /^fm_/ { print $3 }' | sed 's/@.*//' | sort -u
}
contains_no_copy_of() { # upper library, library
    ! comm -12 <(defines "$1") <(defines "$2") | grep .
}
pulls_in_few() { # library: 20 shared objects at most
    local count
    count=$(ldd "$1" | wc -l)
    echo "$count shared objects"
    [ "$count" -le 20 ]
}
refuses_another_build() { # a libfathom of another version is refused before anything runs
    mkdir -p "$work/old"
    echo 'int fm_version(void); int fm_version(void) { return 9; }' >"$work/old/old.c"
    echo 'FATHOM_PRIVATE_0.0.9 { global: fm_*; local: *; };' >"$work/old/old.map"
    local soname
    soname=$(readelf -d "$build/libfathom.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    gcc -shared -fPIC "-Wl,--version-script=$work/old/old.map,-soname,$soname" -o "$work/old/$soname" "$work/old/old.c" &&
        ! LD_LIBRARY_PATH=$work/old "$build/fathom" --version 2>"$work/words" &&
        grep -q "version .FATHOM_PRIVATE_[0-9.]*' not found" "$work/words"
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
no_empty_runpath() { # every program and library below the build folder, but those of Python packages
    find "$build" -name 'python-venv*' -prune -o -type f \( -name '*.so*' -o -perm -u+x \) -print0 |
        xargs -0 readelf -d 2>/dev/null |
        awk '/^File: /      { file = $2 }
             /R(UN)?PATH/   { count++; path = $0; sub(/.*\[/, "", path); sub(/\].*/, "", path)
                              if (path == "" || path ~ /^:|::|:$/) { print file ": [" path "]"; bad = 1 } }
             END            { exit bad }'
}
is_taken_by_cpp() { # compiler header…
    local cpp=$1
    shift
    printf '#include <%s>\n' "$@" >"$work/one.cpp"
    "$cpp" -std=c++17 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror -fsyntax-only "-I$source/include" "$work/one.cpp"
}
links_from_cpp() { # compiler library header…: a program in C++ finds every function under the name that it has in C
    local cpp=$1 library=$2
    shift 2
    declared "$@" >"$work/declared"
    { printf '#include "%s"\n' "$@"
      echo 'typedef void function();'
      echo 'int main(int argc, char **argv) { static function *const all[] = {'
      sed 's/.*/    reinterpret_cast<function *>(\&&),/' "$work/declared"
      echo '}; (void)argv; return all[argc] == nullptr; }'; } >"$work/all.cpp"
    "$cpp" -std=c++17 -Wall -Wextra -Werror "-I$source/include" "$work/all.cpp" -o "$work/all" "-L$build" "-l$library" \
        "-Wl,-rpath,$build,-rpath-link,$build" && "$work/all"
}
links_from_both() { # library header…
    links_from_cpp g++ "$@" && links_from_cpp clang++ "$@"
}

example_is_cpp() { # file: without a warning; tables name only the members that they need
    local tables=
    case $1 in */plugin/*) tables=-Wno-missing-field-initializers ;; esac
    for cpp in g++ clang++; do
        "$cpp" -x c++ -std=c++17 -Wall -Wextra $tables -Werror -fsyntax-only "-I$source/include" "$1" || return 1
    done
}

refuses() { # program, command, arguments: names the module that is missing
    local program=$1
    shift
    ! $program "$@" 2>"$work/words" && grep -q "fathom $1: .* needs libfathom-program-[a-z]*.so, which could not be loaded" "$work/words"
}

headers=$(ls "$source"/include/fathom/*.h | grep -Ev '/(figures|server|client|shared|emulator).h')
drawing='cairo|pixman|freetype|fontconfig'
if [ -e "$build/libfathom.so" ]; then
    check "libfathom exports what its headers declare" exports_its_headers "$build/libfathom.so" $headers
    check "libfathom-draw exports what its header declares" exports_its_headers "$build/libfathom-draw.so" \
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
if [ -e "$build/libfathom.so" ]; then
    check "libfathom pulls in at most 20 shared objects" pulls_in_few "$build/libfathom.so"
    check "the program needs neither drawing nor the server at start" needs_none_of "$build/fathom" "$drawing|libuv|netcdf|gsl|libtiff"
    check "libfathom-draw contains no copy of libfathom" contains_no_copy_of "$build/libfathom-draw.so" "$build/libfathom.so"
    if [ -e "$build/libfathom-net.so" ]; then
        check "libfathom-net contains no copy of libfathom" contains_no_copy_of "$build/libfathom-net.so" "$build/libfathom.so"
    fi
    check "a libfathom of another version is refused" refuses_another_build
    mkdir "$work/bare"
    cp "$build/fathom" "$work/bare/"
    cp -L "$build/libfathom.so.$(sed -n 's/#define FM_VERSION_MAJOR //p' "$source/include/fathom/version.h").$(
        sed -n 's/#define FM_VERSION_MINOR //p' "$source/include/fathom/version.h")" "$work/bare/"
    bare="env LD_LIBRARY_PATH=$work/bare $work/bare/fathom"
    check "without its modules the program runs a scenario" $bare run "$source/scenarios/phoenix-turn.xml" --fast --quiet --duration 5
    check "and says what it lacks" refuses "$bare" plot x.mcap -o x.png
    check "of serving too" refuses "$bare" ctl status
fi
check "no library is looked for in the current folder" no_empty_runpath
for header in $(cd "$source/include" && find fathom -name '*.h' | sort); do
    check "C++ takes $header" is_taken_by_cpp g++ "$header"
done
check "clang++ takes all of them" is_taken_by_cpp clang++ $(cd "$source/include" && find fathom -name '*.h' | sort)
if [ -e "$build/libfathom.so" ]; then
    check "C++ links with libfathom" links_from_both fathom $headers
    check "C++ links with libfathom-client" links_from_both fathom-client "$source/include/fathom/client.h"
    if [ -e "$build/libfathom-net.so" ]; then
        check "C++ links with libfathom-net" links_from_both fathom-net "$source/include/fathom/server.h"
    fi
    if [ -e "$build/libfathom-draw.so" ]; then
        check "C++ links with libfathom-draw" links_from_both fathom-draw "$source/include/fathom/figures.h"
    fi
fi
for example in "$source"/examples/*.c "$source"/examples/plugin/*.c; do
    check "C++ takes $(basename "$example")" example_is_cpp "$example"
done
echo "[  PASSED  ] $passed test(s)." >&2
