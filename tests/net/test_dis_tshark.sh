#!/bin/bash
# tshark, an independent reader of DIS, against what Fathom sends: a PDU of each kind, and all that a run says. None is malformed, every
# length is that of its datagram, and the numbers are the ones that were meant.
# usage: test_dis_tshark.sh WRITER FATHOM SCENARIO
set -euo pipefail
writer=$1 fathom=$2 scenario=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# From a file of PDUs one behind the other to a capture, a datagram each.
capture() { # pdus pcap
    od -An -v -tu1 -w1 "$1" | awk '
        function flush(i) { line = sprintf("%06x", 0); for (i = 0; i < n; i++) line = line sprintf(" %02x", b[i]); print line; n = 0 }
        { b[n++] = $1 } n == 10 { size = b[8] * 256 + b[9] } n >= 10 && n == size { flush() }' >"$1.hex"
    text2pcap -q -4 127.0.0.1,127.0.0.1 -u 40000,3000 "$1.hex" "$2" >/dev/null 2>&1
}
ask() { tshark -r "$work/pcap" "$@" 2>/dev/null; }
lines() { ask -Y "$1" | wc -l; }
sound() { # how many there must be at least
    [ "$(lines dis)" -ge "$1" ] || fail "$(lines dis) PDUs, expected $1"
    [ "$(lines _ws.malformed)" = 0 ] || fail "malformed: $(ask -Y _ws.malformed | head -3)"
    [ "$(lines 'dis && dis.pdu_length != udp.length - 8')" = 0 ] || fail "a length that is not that of its datagram"
}

"$writer" "$work/all"
capture "$work/all" "$work/pcap"
sound 12
[ "$(ask -Y 'dis.pdu_type==1 && dis.proto_ver==7' -T fields -e dis.entity_location.x | cut -c1-15)" = -2709078.983254 ] || fail "another place"
[ "$(ask -Y 'dis.pdu_type==1 && dis.proto_ver==6' -T fields -e dis.vp.artic_param_type | tr -d ' ')" != "" ] || fail "no articulated parts"
[ "$(lines 'dis.pdu_type==29')" = 2 ] || fail "no Underwater Acoustic PDUs"
[ "$(lines 'dis.pdu_type==13 || dis.pdu_type==14 || dis.pdu_type==15')" = 6 ] || fail "no simulation management"

# What a run says, taken by `nc`-like listening of our own: the bytes of each datagram as they came.
port=$((20000 + RANDOM % 20000))
python3 - "$port" "$work/said" <<'PY' &
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
s.bind(("127.0.0.1", int(sys.argv[1])))
s.settimeout(60)
open(sys.argv[2] + ".ready", "w").close()
with open(sys.argv[2], "wb") as file:
    while True:
        try:
            data = s.recv(65536)
        except socket.timeout:
            break
        if data == b"end":
            break
        file.write(data)
PY
listener=$!
while [ ! -e "$work/said.ready" ] && kill -0 "$listener"; do sleep 0.05; done
sed '/<bridge /d' "$scenario" >"$work/scenario.xml"
"$fathom" run "$work/scenario.xml" --duration 20 --bridge "dis address=127.0.0.1 port=$port listen-port=$((port + 1))" --log "$work/run.mcap" >/dev/null 2>&1
python3 -c 'import socket, sys; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"end", ("127.0.0.1", int(sys.argv[1])))' "$port"
wait "$listener"
capture "$work/said" "$work/pcap"
sound 10
[ "$(lines 'dis.pdu_type==29')" -ge 3 ] || fail "no pings"
ask -Y 'dis.pdu_type==1' -T fields -e dis.entity_marking | grep -q phoenix || fail "no phoenix"
"$fathom" replay "$work/run.mcap" --verify >/dev/null || fail "the log does not repeat"
echo "tshark read $(lines dis) PDUs of a run"
