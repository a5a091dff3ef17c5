# A private service for a measurement; the scripts in this directory source this file. GBANDIT is
# the program (default: the release build).
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
gbandit="${GBANDIT:-${CARGO_TARGET_DIR:-$here/target}/release/gbandit}"
directory="$(mktemp -d)"
store="sqlite://$directory/fleet.db"

start() {
    : >"$directory/out"
    "$gbandit" serve --listen 127.0.0.1:0 --store "$store" --log warn >"$directory/out" &
    service=$!
    until grep -q listening "$directory/out"; do kill -0 "$service" && sleep 0.005; done
    url="$(sed 's/listening on //' "$directory/out")"
}

stop() {
    kill -TERM "$service"
    wait "$service"
}

finish() {
    kill -KILL "$service" 2>/dev/null || true
    rm -rf "$directory"
}
trap finish EXIT

metric() {
    curl -s "$url/metrics" | awk -v name="$1" '$1 == name { printf "%.0f\n", $2 }'
}
