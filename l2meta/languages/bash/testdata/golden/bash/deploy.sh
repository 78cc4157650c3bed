#!/usr/bin/env bash
# Deploys a release.
set -euo pipefail

source "$(dirname "$0")/lib/log.sh"
. ./env.sh

readonly ROOT=/srv/app
export PATH="$ROOT/bin:$PATH" STAGE
declare -rA HOSTS=([web]=10.0.0.1 [db]=10.0.0.2)
declare -x REGION=eu
retries=3
retries=4
files=(a b "$(list_files "$ROOT")")
alias ll="ls -l"

# Prints a usage text.
# Nothing else.
usage() {
  cat <<EOF
usage: $0 $(version)
EOF
}

function _fail {
  local message=$1 code
  code=$(exit_code "$message")
  log::error "$message" >&2 && return "${code:-1}"
}

function deploy-host() (
  cd "$ROOT" || _fail "no root"
  DEBUG=1 build_release --all "$@" | tee build.log | grep -v skip
  if command -v rsync >/dev/null; then
    time upload "$1" "${HOSTS[$1]}"
  elif ! check_disk; then
    _fail full
  fi
)

größe() { du -s "$1" | cut -f1; }

main() {
  nested() { echo "in main"; }
  trap cleanup EXIT
  trap 'on_error' ERR
  for host in "${!HOSTS[@]}"; do
    deploy-host "$host" || retry deploy-host "$host"
  done
  while read -r line; do
    handle "$line"
  done < <(pending `tick`)
  case "$1" in
    stop) nested ;;
    *) sudo -u app run_as ;;
  esac
  [[ -f lock ]] && eval release_lock
  "$EDITOR" notes
  ./scripts/notify.sh done
}

complete -F _complete_deploy deploy
_complete_deploy() { COMPREPLY=(); }
main "$@"
