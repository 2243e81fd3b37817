#!/bin/bash
# The C code of docs/library.md, taken out of it: it compiles without a warning against the library of BUILD, does what it
# says, and a file that is wrong or not there gets a message and an exit status, not a crash. And the library finds
# models where the program does.
# usage: test_readme.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
. "$(dirname "$0")/checks.sh"
compile() { # file program
    "$compiler" -Wall -Wextra -Werror "-I$source/include" "$1" -o "$2" "-L$build" -lfathom "-Wl,-rpath,$build"
}
block() { # the indented block of docs/library.md (or $2) that begins with the line $1
    awk -v first="    $1" 'index($0, first) == 1 { on = 1 } on && /^[^ ]/ { exit } on { print }' "$source/${2:-docs/library.md}"
}

# The first is a whole program.
block '#include <fathom/fathom.h>' >"$work/world.c"
check "docs/library.md has a program" grep -q "int main" "$work/world.c"
check "it compiles" compile "$work/world.c" "$work/world"
in_folder() { (cd "$1" && shift && "$@"); }
turns() { in_folder "$source" "$work/world" | grep -Eq '^-?[0-9.]+ m north, -?[0-9.]+ m east$'; }
check "it runs" turns
refuses() { # folder words: exit status 1, the words on stderr
    local status=0
    in_folder "$1" "$work/world" 2>"$work/said" || status=$?
    [ $status = 1 ] && grep -q "$2" "$work/said"
}
mkdir -p "$work/none" "$work/wrong/scenarios" "$work/broken/scenarios"
check "a file that is not there is told" refuses "$work/none" "phoenix-turn.xml"
echo '<fathom version="1"><vehicle nam="x"/></fathom>' >"$work/wrong/scenarios/phoenix-turn.xml"
check "a wrong attribute is told with its line" refuses "$work/wrong" "phoenix-turn.xml:1:"
head -c 200 /dev/urandom >"$work/broken/scenarios/phoenix-turn.xml"
check "a file of noise is told" refuses "$work/broken" "phoenix-turn.xml"

# The second stands in a program that has a model, or none.
{
    printf '#include <fathom/fathom.h>\nint main(int argc, char **argv)\n{\n(void)argc;\nfm_error error = {0};\n'
    printf 'fm_model *model = fm_model_load(argv[1], NULL, &error);\n'
    block 'fm_run *run = fm_run_create(model'
    printf 'fm_model_free(model);\nreturn error.status != FM_OK || depth.data == NULL;\n}\n'
} >"$work/run.c"
check "the run compiles" compile "$work/run.c" "$work/run"
check "it records and reads an instrument" in_folder "$work" "$work/run" "$source/scenarios/phoenix-dive.xml"
check "its log replays" in_folder "$work" "$build/fathom" replay dive.mcap --verify
says_no() { local status=0; in_folder "$work" "$work/run" no-such.xml || status=$?; [ $status = 1 ]; }
check "without a model it ends in order" says_no

# A model of one's own in $FATHOM_MODELS, with no folder given.
mkdir -p "$work/mine" "$work/own/scenarios"
sed 's/model="nps-auv-ii"/model="my-own"/' "$source/scenarios/phoenix-turn.xml" >"$work/own/scenarios/phoenix-turn.xml"
check "a model that is nowhere is refused" refuses "$work/own" "model 'my-own'"
cp "$source/models/nps-auv-ii.xml" "$work/mine/my-own.xml"
check "and found in \$FATHOM_MODELS" in_folder "$work/own" env "FATHOM_MODELS=$work/mine" "$work/world"

# The pilot of docs/sdk.md, against a server on another port.
block '#include <fathom/client.h>' docs/sdk.md >"$work/pilot.c"
check "docs/sdk.md has a program" grep -q "int main" "$work/pilot.c"
"$build/fathom" serve "$source/scenarios/lauv-survey.xml" --port 0 --quiet >"$work/serving" 2>"$work/serve-said" &
server=$!
trap 'kill -KILL $server 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 200); do ! grep -q ' port ' "$work/serving" || break; sleep 0.05; done
sed -i "s/127.0.0.1:4040/127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/serving")/" "$work/pilot.c"
check "it compiles with the client library alone" "$compiler" -Wall -Wextra -Werror "-I$source/include" "$work/pilot.c" -o "$work/pilot" \
    "-L$build" -lfathom-client "-Wl,-rpath,$build"
pilots() { # until the server closes: then it ends in good order
    : >"$work/piloted"
    stdbuf -oL "$work/pilot" >>"$work/piloted" &
    local pilot=$! status=0
    for _ in $(seq 200); do [ "$(wc -l <"$work/piloted")" -lt 10 ] || break; sleep 0.05; done
    kill -TERM $server && wait $server && wait $pilot || status=$?
    [ $status = 0 ] && [ "$(grep -Ec '^ +[0-9.]+ s  depth [0-9.]+ m$' "$work/piloted")" -ge 10 ]
}
check "it flies until the server closes" pilots
echo "[  PASSED  ] $passed test(s)." >&2
