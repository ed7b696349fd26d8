package credential

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/token"
	"workforce/internal/tree"
)

// The parts of the statement that finds out what tokens stand for. Their columns
// are those of a row. ent would send a statement for each edge. Every table is
// reached by an index.
const (
	// sessionPart has a row for each role of a session's user, one for none.
	sessionPart = `SELECT t.hash, t.kind, t.id, t.generation, t.issued_at, t.expires_at, t.revoked_at,
 s.id, s.verified_at, s.ends_at, s.revoked_at,
 u.id, u.company_id, u.active, u.joined_on, u.left_on, u.locale, c.locale, c.timezone, c.settings,
 d.id, d.device_id, d.platform, d.revoked_at,
 r.builtin, r.custom_permissions,
 NULL,
 NULL, NULL, NULL, NULL, NULL
FROM tokens t
JOIN sessions s ON s.id = t.session_id
JOIN users u ON u.id = s.user_id
JOIN companies c ON c.id = u.company_id
JOIN devices d ON d.id = s.device_id
LEFT JOIN user_roles ur ON ur.user_id = u.id
LEFT JOIN roles r ON r.id = ur.role_id
WHERE t.hash IN (?)`

	// devicePart has a row for the device of a token in use.
	devicePart = `SELECT d.token_hash, 'device', NULL, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 d.id, d.device_id, d.platform, d.revoked_at,
 NULL, NULL,
 NULL,
 NULL, NULL, NULL, NULL, NULL
FROM devices d
WHERE d.token_hash IN (?)`

	// formerPart has a row for the device of a token that another one replaced.
	formerPart = `SELECT f.hash, 'former', NULL, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 d.id, d.device_id, d.platform, f.replaced_at,
 NULL, NULL,
 NULL,
 NULL, NULL, NULL, NULL, NULL
FROM former_device_tokens f
JOIN devices d ON d.id = f.device_id
WHERE f.hash IN (?)`
)

// businessPart has a row for each business that the user of an access token manages,
// and for each below it: no others of the company are read.
var businessPart = `SELECT team.root, 'business', NULL, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL,
 NULL, NULL,
 team.id,
 NULL, NULL, NULL, NULL, NULL
FROM (` + tree.Below("businesses", `SELECT t.hash, m.id
FROM tokens t
JOIN sessions s ON s.id = t.session_id
JOIN businesses m ON m.manager_id = s.user_id
WHERE t.hash IN (?) AND t.kind = 'access'`) + `) team`

// nextPart has a row for the device of a token that is yet to take over.
var nextPart = strings.NewReplacer("d.token_hash", "d.next_token_hash", "'device'", "'next'").Replace(devicePart)

// widgetPart is sessionPart for the tokens of widgets, and widgetBusinessPart is businessPart.
var (
	ofWidgets = strings.NewReplacer("t.kind,", "'widget',", "t.generation", "NULL", "t.revoked_at", "s.revoked_at",
		// of which SQLite takes the type of the column
		"NULL, NULL, NULL, NULL, NULL\nFROM tokens t", "t.widget, t.origin, t.person_id, NULL, NULL\nFROM widget_tokens t",
		"FROM tokens t", "FROM widget_tokens t", " AND t.kind = 'access'", "")
	widgetPart         = ofWidgets.Replace(sessionPart)
	widgetBusinessPart = ofWidgets.Replace(businessPart)
)

// widgetKeyPart is widgetPart for those that an API key made: it has a row for each role of their person, one for none.
var widgetKeyPart = strings.NewReplacer(
	"t.kind,", "'widget',", "t.generation", "NULL", "t.revoked_at", "k.revoked_at",
	"s.id, s.verified_at, s.ends_at, s.revoked_at", "NULL, NULL, k.expires_at, NULL", "u.active", "u.active AND m.active",
	"d.id, d.device_id, d.platform, d.revoked_at", "NULL, NULL, NULL, NULL",
	"NULL, NULL, NULL, NULL, NULL\nFROM tokens t", "t.widget, t.origin, t.person_id, NULL, NULL\nFROM widget_tokens t",
	"JOIN sessions s ON s.id = t.session_id\n",
	"JOIN api_keys k ON k.id = t.api_key_id\nJOIN users m ON m.id = k.creator_id\n",
	"u.id = s.user_id", "u.id = t.person_id", "JOIN devices d ON d.id = s.device_id\n", "",
).Replace(sessionPart)

// keyPart has a row for each role of the person who made an API key, one for none, and keyBusinessPart
// for each business that bounds what it may, and for each below it.
var (
	keyPart = strings.NewReplacer(
		"t.kind,", "'key',", "t.generation", "NULL", "t.issued_at", "t.created_at",
		"s.id, s.verified_at, s.ends_at, s.revoked_at", "NULL, NULL, NULL, NULL",
		"d.id, d.device_id, d.platform, d.revoked_at", "NULL, NULL, NULL, NULL",
		"NULL, NULL, NULL, NULL, NULL\nFROM tokens t", "NULL, NULL, NULL, t.permissions, t.business_id\nFROM api_keys t",
		"JOIN sessions s ON s.id = t.session_id\n", "", "u.id = s.user_id", "u.id = t.creator_id",
		"JOIN devices d ON d.id = s.device_id\n", "",
	).Replace(sessionPart)
	keyBusinessPart = strings.NewReplacer(
		"SELECT t.hash, m.id\nFROM tokens t", "SELECT t.hash, t.business_id\nFROM api_keys t",
		"JOIN sessions s ON s.id = t.session_id\n", "", "JOIN businesses m ON m.manager_id = s.user_id\n", "",
		" AND t.kind = 'access'", " AND t.business_id IS NOT NULL",
	).Replace(businessPart)
)

// A row is one row of the statement. Columns that a part does not have are null.
type row struct {
	hash []byte
	kind string

	tokenID, generation                 sql.Null[int]
	issuedAt, expiresAt, tokenRevokedAt sql.Null[time.Time]

	sessionID                            sql.Null[int]
	verifiedAt, endsAt, sessionRevokedAt sql.Null[time.Time]

	userID, companyID                         sql.Null[int]
	active                                    sql.Null[bool]
	joinedOn, leftOn                          sql.Null[string]
	locale, companyLocale, timezone, settings sql.Null[string]

	device               sql.Null[int]
	deviceID, platform   sql.Null[string]
	deviceRevokedAt      sql.Null[time.Time]
	builtin, permissions sql.Null[string]
	business             sql.Null[int]

	widget, origin sql.Null[string]
	person         sql.Null[int]

	listed sql.Null[string] // the permissions of a key
	within sql.Null[int]    // the business that bounds it
}

func (r *row) scan(rows *sql.Rows) error {
	return rows.Scan(&r.hash, &r.kind, &r.tokenID, &r.generation, &r.issuedAt, &r.expiresAt, &r.tokenRevokedAt,
		&r.sessionID, &r.verifiedAt, &r.endsAt, &r.sessionRevokedAt,
		&r.userID, &r.companyID, &r.active, &r.joinedOn, &r.leftOn, &r.locale, &r.companyLocale, &r.timezone, &r.settings,
		&r.device, &r.deviceID, &r.platform, &r.deviceRevokedAt,
		&r.builtin, &r.permissions,
		&r.business, &r.widget, &r.origin, &r.person, &r.listed, &r.within)
}

// What rows other than those of a token say in place of its kind.
const ofBusiness, ofDevice, ofNext, ofFormer = "business", "device", "next", "former"

// Read returns what tokens stand for, in one statement; those that nobody knows
// are not among them.
func Read(ctx context.Context, db *ent.Client, tokens []Sent) (map[Digest]*Identity, error) {
	query, args := statement(tokens)
	if len(args) == 0 {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byHash := map[Digest][]*row{}
	for rows.Next() {
		r := &row{}
		if err := r.scan(rows); err != nil {
			return nil, err
		}
		byHash[Digest(r.hash)] = append(byHash[Digest(r.hash)], r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	all := make(map[Digest]*Identity, len(byHash))
	for hash, rows := range byHash {
		if all[hash], err = newIdentity(rows); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// statement returns the statement for tokens, and its arguments: none for
// texts that are no tokens.
func statement(tokens []Sent) (string, []any) {
	var ofSessions, ofAccess, ofDevices, widgets, keys []any
	for _, t := range tokens {
		switch {
		case !t.OK:
		case t.Kind == token.Device:
			ofDevices = append(ofDevices, t.Hash[:])
		case t.Kind == token.Widget:
			widgets = append(widgets, t.Hash[:])
		case t.Kind == token.Key:
			keys = append(keys, t.Hash[:])
		case t.Kind == token.Access:
			ofAccess = append(ofAccess, t.Hash[:])
			fallthrough
		default:
			ofSessions = append(ofSessions, t.Hash[:])
		}
	}
	var parts []string
	var args []any
	add := func(part string, hashes []any) {
		if len(hashes) > 0 {
			parts = append(parts, strings.Replace(part, "IN (?)", oneOf(len(hashes)), 1))
			args = append(args, hashes...)
		}
	}
	add(sessionPart, ofSessions)
	add(businessPart, ofAccess)
	add(devicePart, ofDevices)
	add(nextPart, ofDevices)
	add(formerPart, ofDevices)
	add(widgetPart, widgets)
	add(widgetBusinessPart, widgets)
	add(widgetKeyPart, widgets)
	add(keyPart, keys)
	add(keyBusinessPart, keys)
	return strings.Join(parts, "\nUNION ALL\n"), args
}

// oneOf returns the condition on a column to be one of n values. That of one value
// is always the same text, which the database keeps prepared.
func oneOf(n int) string {
	if n == 1 {
		return "= ?"
	}
	return "IN (?" + strings.Repeat(", ?", n-1) + ")"
}

// role returns the role that a row tells of, one without permissions for none.
func (r *row) role() (*ent.Role, error) {
	role := &ent.Role{Builtin: pointer(r.builtin)}
	if !r.permissions.Valid {
		return role, nil
	}
	return role, json.Unmarshal([]byte(r.permissions.V), &role.CustomPermissions)
}
