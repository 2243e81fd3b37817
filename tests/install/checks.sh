# What the scripts here share: a folder to work in, and facts that are checked and counted.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
check() { # name command…
    local name=$1
    shift
    if ! "$@" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        echo "FAILED: $name" >&2
        echo "[  FAILED  ] 1 test(s)" >&2
        exit 1
    fi
    passed=$((passed + 1))
}
