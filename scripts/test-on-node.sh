#!/usr/bin/env bash
# Usage: scripts/test-on-node.sh VERSION FILE… [option of vitest…]
# For example: scripts/test-on-node.sh 22.23.3 dist/server/data/storage dist/tests/api
#
# Runs tests of a built checkout on another version of Node, in a copy: the SQLite driver is compiled for one version of
# Node, so the checkout's own must stay as it is. The program and its headers come from npm's registry.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?'which version of Node? For example: scripts/test-on-node.sh 22.23.3'}
shift
if [ ! -d dist ] || [ ! -d node_modules ]; then
  echo 'Nothing is built here yet. Run `npm ci`, `npm run build` and `npx tsc -b` first.' >&2
  exit 2
fi
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "npm's registry has no Node for $(uname -m)." >&2; exit 2 ;;
esac

work=$(mktemp -d)
chmod 755 "$work" # Two tests run as another user, who must be able to read the copy.
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" "node-linux-$arch@$version" >/dev/null
mkdir "$work/node" "$work/roomful"
tar -xzf "$work/node-linux-$arch-$version.tgz" -C "$work/node" --strip-components=1
tar -cf - --exclude=./.git --exclude=./reports . | tar -xf - -C "$work/roomful"

export PATH="$work/node/bin:$PATH" npm_config_nodedir="$work/node"
cd "$work/roomful"
echo "Compiling the SQLite driver for Node $(node --version) …"
npm rebuild better-sqlite3
node node_modules/vitest/vitest.mjs run --project parts --project server --project operation "$@"
