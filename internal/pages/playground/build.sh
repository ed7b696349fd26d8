#!/bin/sh
# Builds the playground and the API reference from the sources beside this file
# into ../bundle.zip, which the server embeds. Needs Node 20.19 or newer, npm and
# Go; the same sources and versions give the same archive, byte for byte.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -- *.html *.js *.jsx *.css *.json "$work" # elsewhere: node_modules has Go files that ./... would find
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund && npm run build)
cd .. && go test -count=1 -run '^TestBundle$' . -args -built "$work/dist"
