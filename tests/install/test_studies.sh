#!/bin/bash
# A program of another project, built with pkg-config against an installation, searches and fits as the installed program
# does, bit for bit; and a thread of it cancels a search. usage: test_studies.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
. "$(dirname "$0")/checks.sh"
check "it installs" cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name 'libfathom.so' | head -1)")
export PKG_CONFIG_PATH=$library/pkgconfig
check "a program builds against libfathom" "$compiler" -Wall -Wextra -Werror "$source/tests/install/studies.c" -o "$work/studies" \
    $(pkg-config --define-prefix --cflags --libs fathom) "-Wl,-rpath,$library" -lm -lpthread
fathom=$work/usr/bin/fathom scenarios=$work/usr/share/fathom/scenarios
cd "$work"
check "the caller evaluates points" ./studies ask
same_search() {
    "$fathom" optimise lauv-survey --vary '/lauv/position/x=0:20 m' --vary '/lauv/position/z=1:20 m' --maximise lauv.x \
        --constraint 'lauv.z < 8 m' --generations 4 --duration 2 --seed 3 --csv table.csv --quiet &&
        ./studies search "$scenarios/lauv-survey.xml" table.csv
}
check "a search tries the same points as the program" same_search
same_fit() {
    "$fathom" run phoenix-turn --duration 20 --set /phoenix/hydrodynamics/X_u_absu=-0.0095 --log turn.mcap --quiet &&
        "$fathom" identify phoenix-turn --data turn.mcap --fit /phoenix/hydrodynamics/X_u_absu --set-list values.txt --quiet &&
        ./studies fit "$scenarios/phoenix-turn.xml" turn.mcap values.txt
}
if [ -e "$build/libfathom-gsl.so" ]; then # fits are part of this build
    check "a fit finds the same values as the program" same_fit
fi
check "another thread cancels a search" ./studies cancel "$scenarios/lauv-survey.xml"
echo "[  PASSED  ] $passed test(s)." >&2
