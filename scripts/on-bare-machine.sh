#!/usr/bin/env bash
# Usage: scripts/on-bare-machine.sh COMMAND…, for example: scripts/on-bare-machine.sh npm test
#
# Runs a command as on a machine with Node, git and a compiler alone: the programs of .ci/debian-programs are gone, in a
# mount namespace of its own. Needs root. `CI` is unset: where it is set, a test whose program is missing fails.
set -euo pipefail
list=$(cd "$(dirname "$0")/.." && pwd)/.ci/debian-programs
[ $# -gt 0 ] || { sed -n 's/^# Usage: //p' "$0" >&2; exit 2; }

hide_and_run() {
  local list=$1
  shift
  local scratch folder program package
  # Only this namespace sees the scratch folder and the layers on it. They end with the command.
  scratch=$(mktemp -d)
  mount -t tmpfs tmpfs "$scratch"
  for folder in /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin; do
    mkdir -p "$scratch$folder/upper" "$scratch$folder/work"
    mount -t overlay overlay -o "lowerdir=$folder,upperdir=$scratch$folder/upper,workdir=$scratch$folder/work" "$folder"
    while read -r program package; do
      case $program in '' | '#'*) continue ;; esac
      rm -f "$folder/$program"
    done <"$list"
  done
  # These are found in folders of their own, which a PATH does not hide.
  for folder in /usr/lib/postgresql /usr/lib/*/faketime; do
    [ ! -d "$folder" ] || mount -t tmpfs tmpfs "$folder"
  done
  # The file system keeps the folder until the namespace ends.
  umount --lazy "$scratch" && rmdir "$scratch"
  while read -r program package; do
    case $program in '' | '#'*) continue ;; esac
    ! command -v "$program" >/dev/null || { echo "$program ($package) is still there" >&2; exit 2; }
  done <"$list"
  exec env -u CI "$@"
}
export -f hide_and_run
exec unshare --mount -- bash -c 'set -euo pipefail; hide_and_run "$@"' bash "$list" "$@"
