#!/usr/bin/env bash
# Paired measurements beside other tools, on one tree: the first argument,
# SEXTANT_BENCH_ROOT, or the source of the Go distribution. Every pair runs in
# turn on the same machine, so ratios hold when absolute times drift. A tool
# that is not installed is left out, aloud.
set -euo pipefail
root=${1:-${SEXTANT_BENCH_ROOT:-$(go env GOROOT)/src}}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/sextant" ./cmd/sextant

# timed NAME COMMAND…: wall seconds, CPU seconds, peak memory in MB
timed() {
	local name=$1
	shift
	/usr/bin/time -o "$work/time" -f '%e %U %S %M' "$@" >/dev/null 2>"$work/err" || { echo "$name failed: $(tail -1 "$work/err")"; return; }
	awk -v n="$name" 'END { printf "%-34s %8.2f s wall %8.2f s CPU %7.0f MB\n", n, $1, $2+$3, $4/1024 }' "$work/time"
}

echo "tree: $root"
find "$root" -type f -not -path '*/.git/*' -print0 >"$work/files"
echo "files: $(tr -cd '\0' <"$work/files" | wc -c), bytes: $(xargs -0 cat <"$work/files" | wc -c)"

echo; echo "cold index"
for i in 1 2 3; do
	timed "plain read" xargs -0 -a "$work/files" cat
	timed "sextant index" env SEXTANT_HOME="$work/home$i" "$work/sextant" index "$root"
	if command -v ctags >/dev/null; then timed "universal-ctags" ctags -R --fields=+n -f "$work/tags" "$root"; fi
done
echo "database: $(du -sm "$work/home1" | cut -f1) MB"
command -v ctags >/dev/null || echo "universal-ctags is not installed"

echo; echo "one literal, whole process, warm"
export SEXTANT_HOME="$work/home1"
for i in 1 2 3; do
	timed "sextant search must:" "$work/sextant" search -C "$root" --scope mixed 'must:"context.Background()"'
	if command -v rg >/dev/null; then timed "ripgrep" rg -F --hidden --no-ignore --no-config 'context.Background()' "$root"; fi
done
command -v rg >/dev/null || echo "ripgrep is not installed"

echo; echo "server start to first answer, indexed root"
handshake='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}'
question='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_codebase","arguments":{"path":"'$root'","query":"ListenAndServe"}}}'
printf '%s\n' "$handshake" >"$work/handshake"
printf '%s\n%s\n%s\n' "$handshake" '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$question" >"$work/question"
for i in 1 2 3; do
	timed "handshake" sh -c "exec '$work/sextant' serve --quiet <'$work/handshake'"
	timed "handshake and first answer" sh -c "exec '$work/sextant' serve --quiet <'$work/question'"
done
