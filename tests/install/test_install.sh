#!/bin/bash
# Installs BUILD into a fresh folder, then builds examples/depth.c against it through pkg-config and through CMake, a
# program in C++ and the example plugin, and runs what came out on an installed scenario.
# usage: test_install.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
. "$(dirname "$0")/checks.sh"
says_depths() { # thirteen lines of 0 … 120 s, each with a depth
    "$@" >"$work/depths" && [ "$(grep -c ' s  phoenix at .* m$' "$work/depths")" = 13 ]
}

check "it installs below another prefix" cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name 'libfathom.*' | head -1)")
scenario=$work/usr/share/fathom/scenarios/phoenix-turn.xml
models=$work/usr/share/fathom/models
check "fathom.pc stands beside the library" test -f "$library/pkgconfig/fathom.pc"
check "scenarios and models are installed" test -f "$scenario" -a -d "$models"
check "so are the parameter files of autopilots" test -s "${scenario%/*}/ardupilot-bluerov2.parm" \
    -a -s "${scenario%/*}/ardupilot-bluerov2-heavy.parm" -a -s "${scenario%/*}/ardupilot-otter.parm"
check "schema and examples too" test -s "$work/usr/share/fathom/fathom.rng" -a -f "$work/usr/share/doc/fathom/examples/depth.c"
check "the schema takes an installed scenario" xmllint --noout --relaxng "$work/usr/share/fathom/fathom.rng" "$scenario"
runs_by_name() { (cd "$work" && ./usr/bin/fathom run phoenix-turn --quiet --duration 1 && ./usr/bin/fathom scenarios | grep -q '^  showcase '); }
check "a scenario is found by its name" runs_by_name

package() { # of the same files, with what they depend on
    cpack --config "$build/CPackConfig.cmake" -B "$work/deb" &&
        dpkg-deb -c "$work"/deb/fathom_*.deb >"$work/contents" && dpkg-deb -f "$work"/deb/fathom_*.deb Depends >"$work/depends" &&
        grep -q ' ./usr/bin/fathom$' "$work/contents" && grep -q ' ./usr/share/fathom/scenarios/showcase.xml$' "$work/contents" &&
        grep -q libxml2 "$work/depends" && grep -q fonts-dejavu-core "$work/depends"
}
check "a Debian package is made" package

# man finds a page for every command that the help lists; bash, zsh and fish find what they complete.
share=$work/usr/share
has_pages() {
    local name names
    names=$("$work/usr/bin/fathom" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
    [ "$(wc -w <<<"$names")" = "$(find "$share/man/man1" -name 'fathom-*.1' | wc -l)" ] || return 1
    for name in $names; do man -M "$share/man" -w "fathom-$name" || return 1; done
    man -M "$share/man" -w fathom
}
check "every command has its manual page" has_pages
completes() { # a shell of its own reads the installed file
    bash -c 'source "$1" && COMP_WORDS=(fathom ru) COMP_CWORD=1 && _fathom && [ "${COMPREPLY[*]}" = run ]' - \
        "$share/bash-completion/completions/fathom"
}
check "bash completes" completes
check "zsh and fish have theirs" test -s "$share/zsh/site-functions/_fathom" -a -s "$share/fish/vendor_completions.d/fathom.fish"

export PKG_CONFIG_PATH=$library/pkgconfig CC=$compiler
flags=$(pkg-config --define-prefix --cflags --libs fathom)
check "pkg-config names libfathom alone" test "$flags" = "-I$work/usr/include -L$library -lfathom "
static_flags() { # an archive names its libraries to the linker, and to the compiler nothing but our headers
    cmake -S "$source" -B "$work/static" -DBUILD_SHARED_LIBS=OFF -DFATHOM_TESTS=OFF >/dev/null &&
        [ "$(PKG_CONFIG_PATH=$work/static pkg-config --cflags fathom fathom-draw)" = "-I/usr/local/include " ] &&
        PKG_CONFIG_PATH=$work/static pkg-config --static --libs fathom-draw | grep -q -e '-lcairo.*-lsleef\|-lsleef.*-lcairo'
}
check "pkg-config of an archive has no headers of others" static_flags
check "the example builds through pkg-config" "$compiler" -Wall -Wextra -Werror "$source/examples/depth.c" -o "$work/depth" $flags \
    "-Wl,-rpath,$library"
check "and runs" says_depths "$work/depth" "$scenario" "$models"
cp "$work/depths" "$work/depths-pkg-config"
mkdir "$work/elsewhere"
cp "$models/nps-auv-ii.xml" "$models/only-installed.xml"
sed 's/model="nps-auv-ii"/model="only-installed"/' "$scenario" >"$work/elsewhere/turn.xml"
check "the library finds the installed models without being told" says_depths "$work/depth" "$work/elsewhere/turn.xml"

check "find_package finds the library" cmake -S "$source/examples" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/usr"
check "the example builds through CMake" cmake --build "$work/build"
check "and runs" says_depths "$work/build/depth" "$scenario" "$models"
check "both print the same" cmp "$work/depths" "$work/depths-pkg-config"

check "the installed program runs the installed scenario" "$work/usr/bin/fathom" run "$scenario" --fast --quiet

# Drawing is a library of its own.
draws() { # program: the same overview and report as those of the installed program
    "$1" "$work/run.mcap" "$work/run.png" "$work/run.html" && cmp "$work/run.png" "$work/expected.png" &&
        cmp "$work/run.html" "$work/expected.html" && rm "$work/run.png" "$work/run.html"
}
check "the program records a run" "$work/usr/bin/fathom" run "$scenario" --fast --quiet --log "$work/run.mcap"
check "draws it" "$work/usr/bin/fathom" plot "$work/run.mcap" -o "$work/expected.png"
check "and reports it" "$work/usr/bin/fathom" report "$work/run.mcap" -o "$work/expected.html"
check "the drawing example builds through pkg-config" "$compiler" -Wall -Wextra -Werror "$source/examples/draw.c" \
    -o "$work/draw" $(pkg-config --define-prefix --cflags --libs fathom-draw) "-Wl,-rpath,$library"
check "and draws the same" draws "$work/draw"
check "as it does through CMake" draws "$work/build/draw"
check "its libraries are found" test "$(env -u LD_LIBRARY_PATH ldd "$library/libfathom-draw.so" | grep -c 'not found')" = 0

cat >"$work/depth.cpp" <<'END'
#include <cstdio>
#include <fathom/fathom.h>

int main(int, char **argv)
{
    fm_error error = {};
    const char *const folders[] = {argv[2]};
    fm_load_options options = {};
    options.model_dirs = folders;
    options.model_dir_count = 1;
    fm_model *model = fm_model_load(argv[1], &options, &error);
    fm_world *world = model ? fm_world_create(model, nullptr, &error) : nullptr;
    for (double t = 0; world && t <= fm_model_duration(model); t += 10) {
        fm_pose pose;
        if (fm_world_run_until(world, t, &error) == FM_OK && fm_world_pose(world, 0, &pose) == FM_OK)
            std::printf("%8.2f s  %s at %8.3f m\n", fm_world_time(world), fm_world_name(world, 0), pose.position[2]);
    }
    fm_world_free(world);
    fm_model_free(model);
    return world ? 0 : 1;
}
END
check "a program in C++ builds" g++ -std=c++17 -Wall -Wextra -Wconversion -Werror "$work/depth.cpp" -o "$work/depth-cpp" $flags \
    "-Wl,-rpath,$library"
check "and runs" says_depths "$work/depth-cpp" "$scenario" "$models"
check "and prints the same" cmp "$work/depths" "$work/depths-pkg-config"

# Software on board: the client library, by itself too.
check "the client installs alone" cmake --install "$build" --component client --prefix "$work/aboard"
only_the_client() { # library, pkg-config file, CMake package, four headers, manual pages
    [ "$(find "$work/aboard" -type f ! -name '*fathom-client*' ! -path '*/man3/*' -printf '%f\n' | sort | tr '\n' ' ')" = "client.h command.h command_table.h emulator.h shared.h status.h " ] &&
        [ "$(find "$work/aboard" -name 'libfathom-client.*' | wc -l)" -ge 1 ]
}
check "and nothing else with it" only_the_client
aboard=$(dirname "$(find "$work/aboard" -name 'libfathom-client.so' | head -1)")
client_flags=$(PKG_CONFIG_PATH=$aboard/pkgconfig pkg-config --define-prefix --cflags --libs fathom-client)
check "pkg-config names libfathom-client alone" test "$client_flags" = "-I$work/aboard/include -L$aboard -lfathom-client "
has_client_pages() {
    local name pages=0
    for name in $(sed -n 's/^FM_API .*\(fm_[a-z_]*\)(.*/\1/p' "$work/aboard/include/fathom/client.h"); do
        man -M "$work/aboard/share/man" -w "$name" && man -M "$work/aboard/share/man" "$name" | grep -q "$name(" || return 1
        pages=$((pages + 1))
    done
    [ $pages -gt 25 ]
}
check "every function of the client has its manual page" has_client_pages
cat >"$work/nobody.cpp" <<'END'
#include <cstdio>
#include <fathom/client.h>

int main()
{
    fm_error error = {};
    fm_client_options options = {};
    options.name = "nobody";
    options.role = FM_CLIENT_OBSERVER;
    options.timeout = 0.2;
    fm_client *client = fm_client_open("127.0.0.1:9", &options, &error);
    std::printf("%s\n", error.text);
    return client ? 1 : 0;
}
END
check "a client in C++ builds" g++ -std=c++17 -Wall -Wextra -Wconversion -Werror "$work/nobody.cpp" -o "$work/nobody" $client_flags \
    "-Wl,-rpath,$aboard"
finds_nobody() { "$work/nobody" | grep -q '127.0.0.1:9: no answer'; }
check "and says that nobody answers" finds_nobody
mkdir "$work/cmake-client"
cat >"$work/cmake-client/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(nobody LANGUAGES CXX)
find_package(fathom-client REQUIRED)
add_executable(nobody ../nobody.cpp)
target_link_libraries(nobody PRIVATE fathom::client)
END
check "find_package finds the client" cmake -S "$work/cmake-client" -B "$work/cmake-client/build" "-DCMAKE_PREFIX_PATH=$work/aboard"
check "and builds it" cmake --build "$work/cmake-client/build"

# A plugin that names no library finds the public functions in the program that loads it, whoever that is.
check "the example plugin builds" "$compiler" -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden \
    "$source/examples/plugin/zigzag.c" -o "$work/libzigzag.so" $(pkg-config --define-prefix --cflags fathom)
cat >"$work/zigzag.xml" <<'END'
<fathom version="1">
  <world dt="0.02 s" duration="120 s" gravity="32.174 ft/s2"/>
  <vehicle name="phoenix" model="nps-auv-ii" velocity="2 0 0 ft/s">
    <controller plugin="./libzigzag.so" angle="15 deg" heading="20 deg" rudder="bow-rudder" counter="stern-rudder"/>
    <orders><at t="0 s" propellers="700 rpm"/></orders>
  </vehicle>
</fathom>
END
reverses_rudder() { # bow-rudder, the 20th column, goes to 15° and to -15°
    "$work/usr/bin/fathom" run "$work/zigzag.xml" --fast --quiet --csv "$work/zigzag" &&
        awk -F, 'NR > 1 { if ($20 > 14.9) right = 1; if ($20 < -14.9) left = 1 } END { exit !(left && right) }' \
            "$work/zigzag/phoenix.csv"
}
check "the program runs it" reverses_rudder
check "a program that links libfathom runs it" says_depths "$work/depth" "$work/zigzag.xml" "$models"

# A bridge of a plugin: poses arrive, and an order that is sent back turns the rudder.
check "the example bridge builds" "$compiler" -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden \
    "$source/examples/plugin/lines.c" -o "$work/liblines.so" $(pkg-config --define-prefix --cflags fathom)
cat >"$work/lines.py" <<'END'
import json, socket, subprocess, sys
heard, spare = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
for one in heard, spare:
    one.bind(("127.0.0.1", 0))
port, orders = heard.getsockname()[1], spare.getsockname()[1]
spare.close()
heard.settimeout(60)
program, scenario, csv = sys.argv[1:]
run = subprocess.Popen([program, "run", scenario, "--speed", "20", "--quiet", "--duration", "20", "--csv", csv, "--bridge",
                        f"lines plugin=./liblines.so port={port} listen-port={orders} rate='2 Hz'"])
first = json.loads(heard.recv(1000))
heard.sendto(b"order phoenix bow-rudder 0.2", ("127.0.0.1", orders))
assert first["vehicle"] == "phoenix" and first["time"] == 0, first
assert run.wait() == 0
END
turns_rudder() { # bow-rudder, the 20th column, goes to 0.2 rad
    (cd "$work" && python3 lines.py ./usr/bin/fathom "$scenario" lines) &&
        awk -F, 'NR > 1 && $20 > 11.4 && $20 < 11.5 { found = 1 } END { exit !found }' "$work/lines/phoenix.csv"
}
check "the program opens it" turns_rudder
echo "[  PASSED  ] $passed test(s)." >&2
