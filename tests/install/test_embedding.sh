#!/bin/bash
# A program of another project, built with pkg-config against an installation, serves and records every shipped scenario with
# its bridges and the page, and draws figures of every set: all equal to what the installed program does. In a folder and a
# home of its own. usage: test_embedding.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
. "$(dirname "$0")/checks.sh"
check "it installs" cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name 'libfathom.so' | head -1)")
export PKG_CONFIG_PATH=$library/pkgconfig HOME=$work
check "a program builds against libfathom, -net and -draw" "$compiler" -Wall -Wextra -Werror "$source/tests/install/embedding.c" \
    -o "$work/embedding" $(pkg-config --define-prefix --cflags --libs fathom fathom-net fathom-draw) "-Wl,-rpath,$library" -lpthread
fathom=$work/usr/bin/fathom
cd "$work"

channels() { # log: names and types of its channels
    "$fathom" info "$1" | grep -oE '^ *"?/[A-Za-z0-9_/.-]+"? .*(msgs/[A-Za-z]+)' | awk '{ print $1, $NF }' | sort -u
}
bridges() { # file: the lines that bridges print when they open, without ports
    grep -oE '(DIS|ROS 2|ArduPilot|MAVLink|NMEA)[^:]*' "$1" | sort -u
}
served() { # text arguments: the program; a run that waits for software outside is stopped a second after it says so
    local text=$1 pid
    shift
    "$fathom" serve "$@" >"$text" 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        if grep -q 'waits for' "$text" && grep -q '^serving at' "$text"; then
            sleep 1
            kill -TERM $pid 2>/dev/null || true
            break
        fi
        sleep 0.05
    done
    wait $pid || [ $? -gt 128 ]
}
one() { # scenario
    local name
    name=$(basename "$1" .xml)
    echo "$name"
    ./embedding serve "$1" "$name-own.mcap" 1 >"$name-own.txt" 2>&1 || { cat "$name-own.txt"; return 1; }
    grep -q '^page at http://127.0.0.1:' "$name-own.txt" || return 1
    served "$name-program.txt" "$1" --port 0 --fast --duration 1 --http "127.0.0.1:$((20000 + $$ % 20000))" --log "$name-program.mcap" ||
        { cat "$name-program.txt"; return 1; }
    "$fathom" replay "$name-own.mcap" --verify >"$name-replay.txt" 2>&1 || { cat "$name-replay.txt"; return 1; }
    diff <(channels "$name-own.mcap") <(channels "$name-program.mcap") && [ "$(channels "$name-own.mcap" | wc -l)" -ge 5 ] &&
        diff <(bridges "$name-own.txt") <(bridges "$name-program.txt")
    local same=$?
    rm -f "$name"-*
    return $same
}
for scenario in "$work"/usr/share/fathom/scenarios/*.xml; do
    check "$(basename "$scenario") is served, recorded and replayed as by the program" one "$scenario"
done

figures=(phoenix/turn remus/fig3 remus/planners fish/fig12 snookie/stopping snookie/mirror wavesim/fig2 wavesim/homing
    measured/heron measured/slocum-flight)
every_set() {
    diff <("$fathom" figures --list | sed -n 's/^\([a-z]*\): .*/\1/p' | sort) <(printf '%s\n' "${figures[@]%/*}" | sort -u)
}
check "figures of every set are chosen" every_set
draw_both() {
    ./embedding figures own "${figures[@]}" && "$fathom" figures --quiet --known -o program "${figures[@]}" && diff -r own program
}
check "they are the same" draw_both
echo "[  PASSED  ] $passed test(s)." >&2
