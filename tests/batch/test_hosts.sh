#!/bin/sh
# A sweep on three computers gives the result of one, also when a rank dies on one of them; ranks know who shares their
# computer and take its GPUs in turn. Network namespaces with names of their own, between which Open MPI
# speaks TCP. Exits 77 where there is no mpirun, or where namespaces may not be made.
# usage: test_hosts.sh BUILD SOURCE
set -u
build=$1 source=$2
if [ "${3-}" != inside ]; then
    command -v mpirun >/dev/null && [ -e "$build/libfathom-mpi.so" ] || { echo "no mpirun here, or a build without MPI"; exit 77; }
    unshare --mount --net --uts true 2>/dev/null || { echo "namespaces may not be made here"; exit 77; }
    folder=$(mktemp -d)
    unshare --mount --net --uts "$0" "$build" "$source" inside "$folder"
    status=$?
    rm -rf "$folder"
    exit $status
fi

cd "$4" || exit 1
hostname head
mkdir -p /run/netns && mount -t tmpfs hosts /run/netns || exit 77
ip link set lo up && ip link add bridge type bridge && ip addr add 10.9.0.1/24 dev bridge && ip link set bridge up ||
    { echo "no bridge can be made here"; exit 77; }
for i in 1 2; do
    ip netns add host$i && ip link add to$i type veth peer name eth0 netns host$i && ip link set to$i master bridge up &&
        ip -n host$i addr add 10.9.0.1$i/24 dev eth0 && ip -n host$i link set eth0 up && ip -n host$i link set lo up ||
        { echo "no computers can be made here"; exit 77; }
done
cat >agent <<'EOF'
#!/bin/sh
# Stands for ssh: NAME COMMAND
name=$1; shift
exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"
EOF
chmod +x agent
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on_hosts() { # HOSTS RANKS COMMAND …
    hosts=$1 ranks=$2
    shift 2
    mpirun --oversubscribe --enable-recovery --mca plm_rsh_agent "$PWD/agent" --mca btl self,vader,tcp \
        --mca oob_tcp_if_include 10.9.0.0/24 --mca btl_tcp_if_include 10.9.0.0/24 -x FATHOM_SILENCE -x LD_LIBRARY_PATH \
        --host "$hosts" -n "$ranks" "$@"
}
fail() {
    echo "$*"
    exit 1
}
export LD_LIBRARY_PATH="$build" FATHOM_SILENCE=1 ASAN_OPTIONS=detect_leaks=0

# Each computer has two ranks, which take its first two GPUs.
on_hosts head:2,host1:2,host2:2 6 sh -c "unset CUDA_VISIBLE_DEVICES; exec $build/tests/batch_test_ranks place" | sort >places
for host in head host1 host2; do
    printf '%s: 0 told, 0 of 2, GPU 0\n%s: 1 told, 1 of 2, GPU 1\n' $host $host
done | cmp places - || fail "the ranks have other places: $(cat places)"

set -- sweep "$source/scenarios/snookie-wall.xml" --duration 1 --backend worlds --threads 1 --metric snookie.distance \
    --vary '/snookie/approach/angle=10:80:1 deg'
"$build/fathom" "$@" --csv whole.csv --quiet || fail "the sweep failed"
on_hosts head,host1,host2 3 "$build/fathom" "$@" --csv hosts.csv 2>told || fail "$(cat told)"
grep -q "71 of 71 runs.*3 ranks" told && cmp whole.csv hosts.csv || fail "$(cat told)"

# A rank that dies on another computer loses its unfinished runs to the others.
on_hosts head,host1,host2 3 "$build/fathom" "$@" -o dead.nc --csv dead.csv 2>told &
until [ "$(stat -c %s dead.nc.journal 2>/dev/null || echo 0)" -gt 120 ] || ! kill -0 $!; do sleep 0.01; done
for process in $(ip netns pids host2); do
    [ "$(cat /proc/$process/comm)" != fathom ] || kill -9 $process
done
wait $! || fail "$(cat told)"
grep -q "of 3 ranks stopped responding" told && cmp whole.csv dead.csv || fail "$(cat told)"
echo "the same on three computers, also when one of them loses its rank"
