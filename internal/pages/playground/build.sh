#!/bin/sh
# Builds the playground and the API reference from the sources beside this file
# into ../bundle, which the server embeds, and lists the sources' hashes in
# ../bundle.sha256. Needs Node 20.19 or newer and npm; the same sources and
# versions give the same files, byte for byte.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -- *.html *.js *.jsx *.css *.json *.graphql "$work" # elsewhere: node_modules has Go files that ./... would find
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund && npm run build)
rm -rf ../bundle
cp -r "$work/dist" ../bundle
LC_ALL=C
export LC_ALL
sha256sum -- *.html *.js *.jsx *.css *.json *.graphql | sort -k 2 >../bundle.sha256
