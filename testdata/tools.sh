#!/usr/bin/env bash
# Installs what the tests compare with and the language servers that they run:
# ripgrep, git, compilers, clangd and rust-analyzer from Debian's packages (when
# run as root where they are missing); the TypeScript compiler, MCP clients and
# servers from npm by the lock file beside this script; gopls by the Go module
# in gotools. What cannot be installed is named; the tests that need it then
# skip aloud, and fail where SEXTANT_REQUIRE_TOOLS=1.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
need() { # COMMAND PACKAGE...: packages that bring a command
	command -v "$1" >/dev/null || missing+=("${@:2}")
}
need rg ripgrep
need git git
need python3 python3
need php php-cli php-ast
need java openjdk-17-jdk-headless openjdk-17-source
need scalac scala openjdk-17-jdk-headless openjdk-17-source # its Java becomes the default
need clangd-19 clangd-19
need cargo cargo-web rustc-web
# A rust-analyzer elsewhere on PATH may be rustup's stub, which only says that it is not installed.
# One before 1.96 writes Cargo.lock, and is not run in what is not trusted.
{ [ -x /usr/bin/rust-analyzer ] && [ "$(/usr/bin/rust-analyzer --version | grep -o '[0-9]*\.[0-9]*' | head -1 | tr -d .)" -ge 196 ]; } || missing+=(rust-web-analyzer)
[ -d /usr/lib/rustlib/src ] || missing+=(rust-web-src)

# Debian keeps parts of PHP and of the JDK in packages of their own.
if command -v php >/dev/null && ! php -m | grep -x ast >/dev/null; then # -q would end php by a broken pipe
	missing+=(php-ast)
fi
if command -v java >/dev/null; then
	home=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
	[ -e "$home/lib/src.zip" ] && [ -e "$home/bin/javac" ] || missing+=(openjdk-17-jdk-headless openjdk-17-source)
fi

if [ ${#missing[@]} -gt 0 ]; then
	if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
		apt-get install -y -qq "${missing[@]}" >/dev/null 2>&1 ||
			{ apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null; }
	else
		echo "missing: ${missing[*]} (tests that need them will be skipped)" >&2
	fi
fi

if ! command -v npm >/dev/null; then
	echo "missing: npm (tests against the TypeScript compiler, MCP clients and servers from npm will be skipped)" >&2
elif [ ! -f node/node_modules/.package-lock.json ] || [ node/package-lock.json -nt node/node_modules/.package-lock.json ]; then
	(cd node && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
fi

if [ ! -x gotools/bin/gopls ] || [ gotools/go.sum -nt gotools/bin/gopls ]; then
	(cd gotools && GOFLAGS=-mod=readonly GOWORK=off go build -o bin/gopls golang.org/x/tools/gopls)
fi
