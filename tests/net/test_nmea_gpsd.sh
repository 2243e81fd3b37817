#!/bin/bash
# gpsd reads what a run says in NMEA 0183: by UDP the daemon itself, by pseudo-terminal its decoder.
# usage: test_nmea_gpsd.sh FATHOM SCENARIO
set -euo pipefail
fathom=$1 scenario=$2
work=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || kill $daemon 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
sed '/<bridge /d' "$scenario" >"$work/scenario.xml"
sed -i 's/<vehicle name="phoenix" model="nps-auv-ii" position="0 0 5 m"/<vehicle name="phoenix" model="nps-auv-ii" position="0 0 0.2 m"/' "$work/scenario.xml"

# A ship and a boat beside it: AIS of class A and class B.
sed 's#</fathom>#<vehicle name="tanker" model="wavesim-asv" position="500 0 -0.05 m"><hull kind="box" size="120 20 2 m"/></vehicle></fathom>#' "$work/scenario.xml" >"$work/ships.xml"

# The decoder, from a pseudo-terminal.
ships="mmsis='tanker=211000001' call-signs='tanker=DABC7' ship-types='tanker=80 asv=99'"
"$fathom" run "$work/ships.xml" --duration 6 --speed 4 --bridge "nmea vehicle=phoenix transport=pty device=$work/tty $ships" >/dev/null 2>&1 &
run=$!
for _ in $(seq 100); do [ -e "$work/tty" ] && break; sleep 0.05; done
timeout 4 cat "$work/tty" >"$work/said" || true
wait $run || fail "the run"
[ -s "$work/said" ] || fail "nothing came from the terminal"
gpsdecode -j <"$work/said" >"$work/decoded" 2>/dev/null
grep -q '"class":"TPV".*"lat":36.6.*"lon":-121.9' "$work/decoded" || fail "no place"
grep -q '"class":"AIS".*"mmsi":200000002' "$work/decoded" || fail "no AIS"
static='"mmsi":211000001.*"callsign":"DABC7","shipname":"TANKER","shiptype":80.*"to_bow":60,"to_stern":60,"to_port":10,"to_starboard":10'
grep -q "\"type\":5,.*$static" "$work/decoded" || fail "no static data of class A: $(grep '"type":5,' "$work/decoded" | head -1)"
grep -q '"type":1,.*"mmsi":211000001' "$work/decoded" || fail "no position of class A"
grep -q '"type":18,.*"mmsi":200000002' "$work/decoded" || fail "no position of class B"
grep -q '"type":24,.*"mmsi":200000002.*"shipname":"ASV"' "$work/decoded" || fail "no static data of class B"
[ ! -e "$work/tty" ] || fail "the link was left"

# The daemon, by UDP.
port=$((20000 + RANDOM % 20000))
gpsd -N -n -S $((port + 1)) udp://127.0.0.1:$port >/dev/null 2>&1 &
daemon=$!
sleep 1
"$fathom" run "$work/scenario.xml" --duration 20 --speed 4 --bridge "nmea vehicle=phoenix talker=GP port=$port" >/dev/null 2>&1 &
run=$!
timeout 10 gpspipe -w -n 12 127.0.0.1:$((port + 1)) >"$work/told" 2>/dev/null || true
wait $run || fail "the run by UDP"
grep -q '"class":"TPV".*"lat":36.6' "$work/told" || fail "gpsd has no place: $(cut -c1-200 "$work/told" | head -5)"
echo "gpsd: $(wc -l <"$work/decoded") decoded, $(wc -l <"$work/told") told"
