#!/bin/sh
# Checks and tests the web app, and builds it into internal/web: dist, which the server serves, widgets,
# which it serves to other sites too, and documents.json, the operations that it knows by their hashes.
# internal/web/sources.sha256 then lists the hashes of what it was built from: the files of this
# folder and the schema. Needs Node 20.19 or newer and npm; the same sources give the same files,
# byte for byte.
set -eu
cd "$(dirname "$0")/.."
LC_ALL=C
export LC_ALL
sources() {
	find web graph/*.graphqls -type f ! -path 'web/node_modules/*' ! -name '*.graphql.ts' ! -path web/src/api/schema.ts ! -path web/documents.json | sort
}
work=$(mktemp -d) # elsewhere: node_modules has Go files that ./... would find
trap 'rm -rf "$work"' EXIT
sources | tar -cf - -T - | tar -xf - -C "$work"
(
	cd "$work/web"
	npm ci --ignore-scripts --no-audit --no-fund --prefer-offline
	npm run generate
	npm run check
	npm test
	npm run build
)
rm -rf internal/web/dist internal/web/widgets
cp -r "$work/web/dist" internal/web/dist
cp -r "$work/web/dist-widgets" internal/web/widgets
cp "$work/web/documents.json" internal/web/documents.json
sources | xargs -d '\n' sha256sum -- >internal/web/sources.sha256
