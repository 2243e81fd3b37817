#!/bin/bash
# docs/sdk.md as a newcomer follows it: the client library alone is installed, and from another folder, by pkg-config, come
# its pilot.c, the examples for software on board, the headers of the shared memory in C++, and a program in C++ that takes its messages
# from a POSIX queue with a signal. All of them meet `fathom serve`.
# usage: test_sdk.sh BUILD SOURCE COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
. "$(dirname "$0")/checks.sh"
server=
trap '[ -z "$server" ] || kill -KILL $server 2>/dev/null || true; rm -rf "$work"' EXIT

check "the client installs alone" cmake --install "$build" --component client --prefix "$work/aboard"
aboard=$(dirname "$(find "$work/aboard" -name 'libfathom-client.so' | head -1)")
mkdir "$work/elsewhere"
cp -r "$source/examples/broker" "$source/examples/waypoint-client" "$work/elsewhere"
cd "$work/elsewhere"
export PKG_CONFIG_PATH=$aboard/pkgconfig LD_LIBRARY_PATH=$aboard CC=$compiler
flags=$(pkg-config --define-prefix --cflags --libs fathom-client)

serve() { # scenario option…: on a port that is free; $address and $server
    : >serving
    "$build/fathom" serve "$@" --port 0 >serving 2>server-said &
    server=$!
    for _ in $(seq 600); do
        ! grep -q ' port ' serving || break
        sleep 0.05
    done
    address=127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' serving)
}
quit() {
    local status=0
    kill -TERM $server && wait $server || status=$?
    server=
    return $status
}

# The program of "In a minute": as it stands, but for the port.
sed -n '/^`pilot.c`:/,/^And on board:/p' "$source/docs/sdk.md" | sed -n 's/^    //p' >pilot.c
check "sdk.md has a pilot" grep -q fm_client_open pilot.c
serve "$source/scenarios/lauv-survey.xml" --shared "sdk-$$"
sed -i "s/127.0.0.1:4040/$address/" pilot.c
check "it compiles by the line that sdk.md gives" eval "$(sed -n 's/^    cc pilot.c/$compiler -Wall -Wextra pilot.c/p' "$source/docs/sdk.md" | sed 's/pkg-config /pkg-config --define-prefix /')"
goes_down_its_way() { # a second of it: times go up, a depth stands on every line
    timeout 2 stdbuf -oL ./pilot >flown || [ $? = 124 ]
    awk '!/ s  depth -?[0-9.]+ m$/ || $1 < last { bad = 1 } { last = $1 } END { exit bad || NR < 5 }' flown
}
check "and flies" goes_down_its_way

# Shared memory and emulators: headers alone, in C++.
cat >look.cpp <<'END'
#include <cstdio>
#include <cstdlib>
#include <fathom/emulator.h>

int main(int, char **argv)
{
    static fm_shared_client lauv;
    fm_shared_map map;
    fm_emulator e;
    if (fm_shared_open(&map, "clients", argv[1], 0) != 0 || !fm_shared_client_find(&map, "lauv", &lauv))
        return 1;
    std::printf("%s at %g s\n", lauv.name, lauv.time);
    if (fm_emulator_open(&e, argv[1], "lauv", "depth/value", 1.0) != 0 || fm_emulator_put(&e, 3.5, lauv.time, 1.0) != 0)
        return 2;
    fm_emulator_close(&e);
    fm_shared_close(&map);
    return lauv.time >= 0 ? 0 : 3;
}
END
check "shared memory and emulators in C++" g++ -std=c++17 -Wall -Wextra -Werror look.cpp -o look "-I$work/aboard/include" -pthread
check "see the vehicle" ./look "sdk-$$"
check "the server ends in good order" quit

# WaVeSim's way: one process connects and delivers, another takes messages from the queue when the signal comes.
cat >deliver.cpp <<'END'
#include <cstdio>
#include <fathom/client.h>
#include <unistd.h>

int main(int, char **argv)
{
    fm_error error = {};
    fm_client_options options = {};
    options.name = "broker";
    options.role = FM_CLIENT_CONTROLLER;
    options.model = "lauv";
    options.state_period = 0.05;
    options.sensor_period = -1;
    fm_client *client = fm_client_open(argv[1], &options, &error);
    if (!client || fm_client_deliver(client, argv[2], &error) != FM_OK)
        return std::fprintf(stderr, "%s\n", error.text), 1;
    sleep(20);
}
END
cat >take.cpp <<'END'
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fathom/client.h>
#include <mqueue.h>

static fm_mailbox box;
static volatile sig_atomic_t signals, states;
static volatile unsigned long long newest;

static void take(int)
{
    fm_mail mail;
    signals = signals + 1;
    while (fm_mailbox_next(&box, &mail))
        if (mail.kind == FM_MAIL_STATE && mail.is.state.stamp > newest) {
            newest = mail.is.state.stamp;
            states = states + 1;
        }
}

int main(int, char **argv)
{
    fm_error error = {};
    std::signal(SIGUSR1, take);
    if (fm_mailbox_open(&box, argv[1], SIGUSR1, &error) != FM_OK)
        return std::fprintf(stderr, "%s\n", error.text), 1;
    take(0); /* what waits already */
    for (int i = 0; i < 200 && states < 20; i++) {
        timespec t = {0, 50000000};
        nanosleep(&t, nullptr);
    }
    fm_mailbox_close(&box);
    mq_unlink(argv[1]);
    std::printf("%d states by %d signals\n", (int)states, (int)signals);
    return states >= 20 && signals >= 5 ? 0 : 1;
}
END
check "a broker in C++" g++ -std=c++17 -Wall -Wextra -Wconversion -Werror deliver.cpp -o deliver $flags
check "and its other end" g++ -std=c++17 -Wall -Wextra -Wconversion -Werror take.cpp -o take $flags
serve broker/sea.xml
mailed() {
    local status=0
    ./deliver "$address" "/sdk-$$" &
    local deliverer=$!
    ./take "/sdk-$$" || status=$?
    kill $deliverer
    wait $deliverer || true
    return $status
}
check "states come into the user's queue with the user's signal" mailed
check "the server ends in good order" quit

# The examples, without the tree that they come from.
check "the broker builds" "$compiler" -std=gnu17 -Wall -Wextra -Werror broker/*.c -o the-broker $flags -lm
check "the waypoint client builds" "$compiler" -std=gnu17 -Wall -Wextra -Werror waypoint-client/waypoint-client.c -o waypoints $flags -lm
as_cpp() { # compiler output source…: the same sources are C++
    local cpp=$1 output=$2
    shift 2
    "$cpp" -x c++ -std=c++17 -Wall -Wextra -Werror "$@" -x none -o "$output" $flags -lm
}
for cpp in g++ clang++; do
    check "the waypoint client is C++ for $cpp" as_cpp $cpp "waypoints-$cpp" waypoint-client/waypoint-client.c
    check "the broker too" as_cpp $cpp "broker-$cpp" broker/*.c
done
serve broker/sea.xml
reads() { # broker: a depth sounder's line, from a pseudo-terminal
    "./$1" "$address" lauv --pressure "$work/ttyP=nmea" &
    local broker=$! line=
    for _ in $(seq 200); do [ ! -e "$work/ttyP" ] || break; sleep 0.05; done
    read -r -t 10 line <"$work/ttyP" || true
    kill $broker
    wait $broker || true
    grep -q '^\$YXXDR,P,[0-9.]*,B' <<<"$line"
}
check "a driver reads its serial line" reads the-broker
check "the server ends in good order" quit
serve broker/sea.xml
check "from the broker in C++ too" reads broker-g++
check "the server ends in good order" quit
for program in waypoints waypoints-g++; do
    serve waypoint-client/mission.xml --lockstep
    check "a mission is flown by $program" eval './$program "$address" --lockstep >"flown-$program" && grep -q "^mission flown" "flown-$program"'
    check "the server ends in good order" quit
    check "the same in C and C++" cmp flown-waypoints "flown-$program"
done
serve "$source/scenarios/lauv-survey.xml"
sed -i "s/127.0.0.1:[0-9]*/$address/" pilot.c
check "the pilot of sdk.md is C++ too" as_cpp clang++ pilot pilot.c
check "and flies" goes_down_its_way
check "the server ends in good order" quit
echo "[  PASSED  ] $passed test(s)." >&2
