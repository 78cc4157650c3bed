#!/usr/bin/env bash
# Installs what the tests compare with: ripgrep, git and the compilers of other
# languages from Debian's packages (when run as root where they are missing),
# the TypeScript compiler and the MCP clients from npm by the lock file beside
# this script. What cannot be installed is named; the tests that need it then
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

# Debian keeps parts of PHP and of the JDK in packages of their own.
if command -v php >/dev/null && ! php -m | grep -qx ast; then
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
	echo "missing: npm (tests against the TypeScript compiler and MCP clients will be skipped)" >&2
elif [ ! -f node/node_modules/.package-lock.json ] || [ node/package-lock.json -nt node/node_modules/.package-lock.json ]; then
	(cd node && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
fi
