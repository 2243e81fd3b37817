#!/bin/bash
# Software outside against `fathom serve`, each in a process of its own: a mission flown by examples/waypoint-client, clients in
# Python and JavaScript that were written from docs/protocol.md, and examples/broker with a reader of its serial lines.
# usage: test_outside.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
. "$source/tests/install/checks.sh"
here=$source/tests/net
server=
trap '[ -z "$server" ] || kill -KILL $server 2>/dev/null || true; rm -rf "$work"' EXIT

serve() { # scenario option…: on a port that is free; $address and $server
    : >"$work/serving"
    "$build/fathom" serve "$source/examples/$1" --port 0 "${@:2}" >"$work/serving" 2>"$work/server-said" &
    server=$!
    for _ in $(seq 600); do
        ! grep -q ' port ' "$work/serving" || break
        sleep 0.05
    done
    address=127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/serving")
}
quit() { # 0 when the server ended in good order
    local status=0
    kill -TERM $server && wait $server || status=$?
    server=
    [ $status = 0 ] || cat "$work/server-said"
    return $status
}

# A whole mission in lock-step: the same each time, and again from its log.
flies() { # log
    serve waypoint-client/mission.xml --lockstep --log "$1" && "$build/tests/example_waypoint_client" "$address" --lockstep && quit
}
flown() { # within half a metre of the track, a quarter of the depth
    sed -n 's/^mission flown: at most \(.*\) m off the track, \(.*\) m off the depth$/\1 \2/p' "$1" | awk '{ exit !($1 < 0.6 && $2 < 0.25) }' &&
        [ "$(grep -c ' waypoint ' "$1")" = 5 ]
}
again() { flies "$work/two.mcap" >"$work/second" && cmp "$work/first" "$work/second"; }
check "a mission is flown over UDP" eval 'flies "$work/one.mcap" >"$work/first"'
check "on its track" flown "$work/first"
check "a second time the same" again
check "and the log makes it again" "$build/fathom" replay "$work/one.mcap" --verify

# Clients in other languages.
steered() { # file name parameter: what a client printed: it steered LAUV for a second
    python3 - "$@" <<'END'
import json, sys
said = json.load(open(sys.argv[1]))
orders = [100, 0.1, 0.1, 0, 0]
assert said["result"] == 0 and said["parameter"] == [float(sys.argv[2])] and said["bye"] == 0, said
assert said["actuators"] == ["propeller", "upper-rudder", "lower-rudder", "port-plane", "starboard-plane"], said
assert said["instruments"][:6] == ["dvl", "ctd", "compass", "pressure", "depth", "echosounder"], said
assert said["dt"] == 20000000 and said["vehicle"] > 0 and said["states"] >= 5, said
assert all(abs(a - b) < 1e-3 * max(1, abs(b)) for a, b in zip(said["doing"], orders)), said
assert abs(said["values"]["4/value"][0] - said["position"][2]) < 0.05, said                 # depth, as the state has it
assert abs(said["values"]["3/fluid_pressure"][0] - 101325 - 1025 * 9.81 * said["position"][2]) < 500, said
assert abs(said["values"]["0/altitude"][0] + said["position"][2] - 8) < 0.1, said           # over the bottom at 8 m
END
}
speaks() { # parameter command…: the command, with orders, leaves what `steered` looks for
    "${@:2}" 100 0.1 0.1 0 0 >"$work/said" && steered "$work/said" "$1"
}
head -c 32 /dev/urandom | od -An -tx1 -v | tr -d ' \n' >"$work/key"
chmod 600 "$work/key"
serve broker/sea.xml
check "Python speaks the protocol" speaks 0.5 python3 "$here/client.py" "$address" lauv 1 /lauv/propeller/efficiency=0.5 -
if command -v node >/dev/null; then
    check "so does JavaScript" speaks 0.75 node "$here/client.mjs" "$address" lauv 1 /lauv/propeller/efficiency=0.75 -
fi
check "the server ends in good order" quit
serve broker/sea.xml --key "$work/key" --socket "$work/socket"
check "sealed, over a local socket" speaks 0.25 python3 "$here/client.py" "unix:$work/socket" lauv 0.5 /lauv/propeller/efficiency=0.25 "$work/key"

if command -v node >/dev/null; then
    check "sealed, in JavaScript" speaks 0.6 node "$here/client.mjs" "$address" lauv 0.5 /lauv/propeller/efficiency=0.6 "$work/key"
fi

# Serial lines, by a broker that shares the key.
lines="--dvl $work/d0=pd0 --dvl $work/d6=pd6 --dvl $work/dn=nortek --dvl $work/dm=nortek-nmea --dvl $work/dw=waterlinked --ctd $work/ctd
    --compass $work/hdg --pressure $work/p=nmea --pressure $work/pq=digiquartz --echosounder $work/es --gps $work/gps --modem $work/modem --motors $work/motors"
# shellcheck disable=SC2086
"$build/tests/example_broker" "$address" lauv --key "$work/key" --epoch 1700000000 $lines >"$work/reports" 2>&1 &
broker=$!
for _ in $(seq 100); do [ ! -e "$work/motors" ] || break; sleep 0.05; done
reads() {
    python3 "$source/tests/broker/decode.py" "$work" 3 "propeller=200, port-plane=0.05, starboard-plane=0.05" >"$work/decoded" || { cat "$work/reports"; return 1; }
    python3 - "$work/decoded" <<'END'
import json, sys
said = json.load(open(sys.argv[1]))
assert said["motors"] == ["ok"] and said["fix"][0] == "V" and said["last"][0] > 0.5, said   # no fix under water; it goes ahead
assert abs(said["ctd"][0] - 18) < 0.1 and abs(said["ctd"][3] - 35) < 0.01, said
END
}
check "five DVL formats, CTD, compass, pressure, echosounder and GPS are read from serial lines" reads
modem_takes() { # a frame to the station, one that is spoilt, one that is none
    local first second
    exec 5<>"$work/modem"
    printf '$CCTXD,7,3,0,48656C6C6F*03\r\n$CCTXD,7,3,0,48656C6C6F*04\r\n' >&5
    read -r -t 20 first <&5 && read -r -t 20 second <&5 || return 1
    exec 5>&-
    printf '%s\n%s\n' "$first" "$second" | tee /dev/stderr | sort | tr -d '\r\n' | grep -q '^$CAERR,not understood\*..$CATXD,7,3,0,5\*..$'
}
check "the modem takes a frame, and no spoilt one" modem_takes
closes() { kill -TERM $broker && wait $broker && [ ! -e "$work/d0" ] && grep -q "d0: [1-9][0-9]* reports" "$work/reports"; }
check "the broker takes its lines away" closes
refuses() { ! "$build/tests/example_broker" "$address" lauv --dvl "$work/x=pd9" 2>"$work/words" && grep -q 'unknown format' "$work/words"; }
check "and refuses a format that it does not know" refuses
check "the server ends in good order" quit
echo "[  PASSED  ] $passed test(s)." >&2
