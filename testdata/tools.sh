#!/usr/bin/env bash
# Installs what the tests compare with: ripgrep and git from Debian's packages
# (when run as root where they are missing), the TypeScript compiler and the
# MCP clients from npm by the lock file beside this script. What cannot be
# installed is named; the tests that need it then skip aloud, and fail where
# SEXTANT_REQUIRE_TOOLS=1.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
command -v rg >/dev/null || missing+=(ripgrep)
command -v git >/dev/null || missing+=(git)
command -v python3 >/dev/null || missing+=(python3)
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
