package bench

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A handCaller is who calls a server that was written by hand.
type handCaller struct{ company, user, device int }

// handTokens is the token check of both servers written by hand: the token's
// hash is looked up by its index, with the state of session, device and user,
// and what was found counts for 5 s.
type handTokens struct {
	find  *sql.Stmt
	mu    sync.RWMutex
	known map[[sha256.Size]byte]knownCaller
}

type knownCaller struct {
	handCaller
	until time.Time
}

const handTokenQuery = `SELECT s.company_id, s.user_id, s.device_id FROM tokens t
JOIN sessions s ON s.id = t.session_id JOIN devices d ON d.id = s.device_id JOIN users u ON u.id = s.user_id
WHERE t.hash = ? AND t.kind = 'access' AND t.revoked_at IS NULL AND t.expires_at > ?
AND s.revoked_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > ?) AND d.revoked_at IS NULL AND u.active`

func newHandTokens(db *sql.DB) (*handTokens, error) {
	find, err := db.Prepare(handTokenQuery)
	return &handTokens{find: find, known: map[[sha256.Size]byte]knownCaller{}}, err
}

// caller returns who sent a request.
func (t *handTokens) caller(ctx context.Context, r *http.Request) (handCaller, error) {
	text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	hash, now := sha256.Sum256([]byte(text)), time.Now().UTC()
	t.mu.RLock()
	c, ok := t.known[hash]
	t.mu.RUnlock()
	if ok && now.Before(c.until) {
		return c.handCaller, nil
	}
	c = knownCaller{until: now.Add(5 * time.Second)}
	if err := t.find.QueryRowContext(ctx, hash[:], now, now).Scan(&c.company, &c.user, &c.device); err != nil {
		return handCaller{}, err
	}
	t.mu.Lock()
	t.known[hash] = c
	t.mu.Unlock()
	return c.handCaller, nil
}

// SignedIn passes requests on with who sent them.
func (t *handTokens) signedIn(h func(w http.ResponseWriter, r *http.Request, c handCaller) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := t.caller(r.Context(), r)
		if err == sql.ErrNoRows {
			http.Error(w, `{"code":"UNAUTHENTICATED"}`, http.StatusUnauthorized)
			return
		}
		if err == nil {
			err = h(w, r, c)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}
