#!/usr/bin/env bash
# Installs what the tests compare with and the language servers that they run:
# ripgrep, git, compilers, clangd and rust-analyzer from Debian's packages (when
# run as root where they are missing); the TypeScript compiler, MCP clients and
# servers from npm by the lock file beside this script; gopls by the Go module
# in gotools. What cannot be installed is named, and is no failure: the tests
# that need it skip aloud, and fail where SEXTANT_REQUIRE_TOOLS=1.
set -euo pipefail
cd "$(dirname "$0")"

without() { # WHAT WHY: says what the tests go without
	echo "missing: $1 ($2; tests that need it are skipped)" >&2
}

missing=()
need() { # COMMAND PACKAGE...: packages that bring a command
	command -v "$1" >/dev/null || missing+=("${@:2}")
}
need rg ripgrep
need git git
need python3 python3
need npm npm nodejs
need php php-cli php-ast
need java openjdk-17-jdk-headless openjdk-17-source
need scalac scala openjdk-17-jdk-headless openjdk-17-source # its Java becomes the default
need clangd-19 clangd-19
need cargo cargo-web rustc-web
# A rust-analyzer elsewhere on PATH may be rustup's stub, which only says that it is not installed.
# One before 1.96 writes Cargo.lock: it is as good as missing.
rust_analyzer() {
	[ -x /usr/bin/rust-analyzer ] &&
		printf '1.96\n%s\n' "$(/usr/bin/rust-analyzer --version | grep -o '[0-9][0-9.]*' | head -1)" | sort -C -V
}
rust_analyzer || missing+=(rust-web-analyzer)
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
	if ! command -v apt-get >/dev/null; then
		without "${missing[*]}" "no apt-get"
	elif [ "$(id -u)" != 0 ]; then
		without "${missing[*]}" "not run as root"
	else
		export DEBIAN_FRONTEND=noninteractive
		# Old package lists name old versions, or such as the mirrors have no more.
		apt-get update -qq || echo "apt-get update failed; going on with the package lists that are there" >&2
		if ! apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
			for package in "${missing[@]}"; do # one that is not to be had must not keep the others out
				apt-get install -y -qq --no-install-recommends "$package" >/dev/null || without "$package" "apt-get cannot install it"
			done
		fi
		rust_analyzer || without "rust-analyzer 1.96 or newer" "no package list has one"
	fi
fi

if ! command -v npm >/dev/null; then
	without "npm packages" "no npm"
elif [ ! -f node/node_modules/.package-lock.json ] || [ node/package-lock.json -nt node/node_modules/.package-lock.json ]; then
	(cd node && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) || without "npm packages" "npm ci failed"
fi

if [ ! -x gotools/bin/gopls ] || [ gotools/go.sum -nt gotools/bin/gopls ]; then
	(cd gotools && GOFLAGS=-mod=readonly GOWORK=off go build -o bin/gopls golang.org/x/tools/gopls) || without "gopls" "go build failed"
fi
