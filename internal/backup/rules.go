package backup

// leftOut lists what no backup has, by table: all rows, or those of a condition. These are rows of
// work that ends with the instances that do it, tokens of minutes, and links to pages that
// an operator made for one person. A CA issues certificates anew.
var leftOut = map[string]string{
	"goose_db_version":   "",
	"migration_lease":    "",
	"login_throttles":    "",
	"rate_logs":          "",
	"setup_links":        "",
	"recovery_links":     "",
	"object_holds":       "",
	"instances":          "",
	"widget_tokens":      "",
	"certificates":       "",
	"idempotency_claims": "outcome IS NULL",
}

// always is what becomes of restored rows, whoever restores: a job that was running is
// queued, since the instance that ran it is gone.
var always = []string{
	"UPDATE jobs SET state = 'queued' WHERE state = 'running'",
	"UPDATE jobs SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL",
	"DELETE FROM settings WHERE name = 'last-backup'", // it was the other installation's
	"DELETE FROM jobs WHERE name = 'backup'",          // the first start adds it, due at once
}

// unlessResumed ends work that was asked for before the instant of the backup: its messages may
// have arrived, its jobs may have run. A periodic job has the name of its kind, and stays.
var unlessResumed = []string{
	"UPDATE messages SET status = 'failed', sealed_text = NULL, due_at = NULL WHERE status = 'queued'",
	`UPDATE jobs SET state = 'failed', error_code = 'EXPIRED', finished_at = :now, name = NULL, payload = NULL
	WHERE state = 'queued' AND (name IS NULL OR name <> kind)`,
}

// unlessKept ends what lets people and programs in.
var unlessKept = []string{
	"UPDATE sessions SET revoked_at = :now WHERE revoked_at IS NULL",
	"UPDATE tokens SET revoked_at = :now WHERE revoked_at IS NULL",
	"UPDATE api_keys SET revoked_at = :now WHERE revoked_at IS NULL",
}

// idGap is by how much the ids of new rows continue past the highest one: those of rows that
// are newer than the backup are on phones.
const idGap = 100_000
