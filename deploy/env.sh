#!/bin/sh
# Prints the settings of compose.yaml, with new passwords: deploy/env.sh https://api.contoh.id
set -eu
url=${1:?usage: deploy/env.sh PUBLIC-URL, such as https://api.contoh.id}
host=${url#*://}
host=${host%%/*}
secret() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
cat <<END
PUBLIC_URL=$url
FILES_HOST=files.$host
FILES_URL=https://files.$host
DATABASE_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
FILES_PASSWORD=$(secret)
SMTP_URL=
MAIL_FROM=
BACKUP_RECIPIENT=
END
