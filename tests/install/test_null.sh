#!/bin/bash
# Every public function takes NULL for each of its pointers, and numbers out of range for each of its indexes: it answers
# with an error or empty, and never crashes or hangs. The calls are made from the headers, so that none is forgotten.
# usage: test_null.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
here=$source/tests/install
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '#include <fathom/fathom.h>\n#include <fathom/figures.h>\n' >all.c
net=() libraries=(-lfathom-draw -lfathom)
if [ -e "$build/libfathom-net.so" ]; then # the server is part of this build
    echo '#include <fathom/server.h>' >>all.c
    net=(-DWITH_NET) libraries=(-lfathom-net "${libraries[@]}")
fi
gcc -std=gnu17 "-I$source/include" -aux-info prototypes -fsyntax-only all.c
python3 "$here/null_calls.py" prototypes >calls.c
flags="-g -O0 -I$here -I$source/include"
# shellcheck disable=SC2086
"$compiler" $flags "${net[@]}" -fPIC -shared -DPLUGIN "$here/null.c" calls.c -o libnull.so
# shellcheck disable=SC2086
"$compiler" $flags "${net[@]}" "$here/null.c" calls.c -o null "-L$build" "${libraries[@]}" "-Wl,-rpath,$build"
status=0
FATHOM_MODELS=$source/models ./null >said 2>wrong || status=$?
cat said >&2
# from the program, from a plugin that is loaded, from one that runs: all have made calls, and none was wrong
for where in load context program; do
    grep -Eq "^$where: [1-9][0-9]+ calls, 0 wrong$" said || status=1
done
if [ $status != 0 ] || [ "$(sed -n 's/ functions$//p' said)" -lt 100 ]; then
    sort -u wrong | head -60 >&2
    echo "[  FAILED  ] 1 test(s)" >&2
    exit 1
fi
echo "[  PASSED  ] $(sed -n 's/ functions$//p' said) test(s)." >&2
