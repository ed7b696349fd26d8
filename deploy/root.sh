#!/bin/sh
# Makes the root folder of the image: deploy/root.sh PROGRAM FOLDER.
set -eu
program=$1 root=$2
rm -rf "$root"
mkdir -p "$root/data" "$root/tmp" "$root/etc/ssl/certs"
chmod 1777 "$root/tmp"
cp "$program" "$root/workforce"
for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
	if [ -e "$file" ]; then
		cp "$file" "$root/etc/ssl/certs/ca-certificates.crt"
		break
	fi
done
test -e "$root/etc/ssl/certs/ca-certificates.crt" || { echo "no certificates of authorities: install ca-certificates" >&2; exit 1; }
