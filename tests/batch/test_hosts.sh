#!/bin/sh
# A sweep on three computers gives the result of one: network namespaces with names of their own, between which Open MPI
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
on_hosts() {
    mpirun --oversubscribe --mca plm_rsh_agent "$PWD/agent" --mca btl self,tcp --mca oob_tcp_if_include 10.9.0.0/24 \
        --mca btl_tcp_if_include 10.9.0.0/24 --host head,host1,host2 -n 3 "$@"
}
on_hosts hostname | sort >names
printf 'head\nhost1\nhost2\n' | cmp names - || { echo "three computers were asked for, these answered:"; cat names; exit 1; }
set -- sweep "$source/scenarios/snookie-wall.xml" --duration 0.2 --backend worlds --threads 1 --metric snookie.distance \
    --vary '/snookie/approach/angle=10:80:2 deg'
"$build/fathom" "$@" --csv whole.csv --quiet && on_hosts "$build/fathom" "$@" --csv hosts.csv && cmp whole.csv hosts.csv &&
    echo "the same on three computers"
