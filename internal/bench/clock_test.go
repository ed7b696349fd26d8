package bench

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"

	"workforce/internal/database"
	"workforce/internal/face"
	"workforce/internal/geofence"
	"workforce/internal/sealed"
	"workforce/internal/shift"
	"workforce/internal/verdict"
)

// A clockWork is the workload that writes: everybody of a company clocks in.
type clockWork struct {
	db      *sql.DB
	company *benchCompany
	set     *requestSet
}

// newClockWork returns the clock-ins of a company's people at its work site. It keeps
// their galleries, to put them back.
func newClockWork(db *sql.DB, company *benchCompany) (*clockWork, error) {
	for _, statement := range []string{
		"CREATE TABLE bench_galleries AS SELECT id, sealed FROM face_galleries", "CREATE UNIQUE INDEX bench_galleries_id ON bench_galleries (id)",
	} {
		if _, err := db.Exec(statement); err != nil {
			return nil, err
		}
	}
	w := &clockWork{db: db, company: company, set: &requestSet{once: true}}
	for i := range benchFaces { // but for the first point, so that the client holds little
		points, _ := json.Marshal(benchCapture(i, -1)[1:]) // finite numbers
		w.set.tails = append(w.set.tails, append(points[1:], '}'))
	}
	return w, nil
}

// request renders the clock-in of one person, without what follows the first point of
// their face: no two people send the same.
func (w *clockWork) request(i int) []byte {
	u, tail := w.company.callers[i], w.set.tail(i)
	body := fmt.Sprintf(`{"addressId":%d,"employeeShiftId":%d,"latitude":"-6.200100","longitude":"106.816700","accuracy":12.5,"faceLandmark":[`,
		w.company.site, u.occurrences[len(u.occurrences)-1])
	first := benchCapture(i%benchFaces, -1)[0]
	first.X += 2e-6 * float64(i)
	point, _ := json.Marshal(first) // finite numbers
	body += string(point) + ","
	request := render("POST", "/attendance/clockIn", u.token, body+string(tail), "X-Req-Id: "+rand.Text())
	return request[: len(request)-len(tail) : len(request)-len(tail)]
}

func (w *clockWork) sample() []byte { return append(w.request(0), w.set.tail(0)...) }

// begin takes back what was written, and renders the requests anew, with other
// ids.
func (w *clockWork) begin() error {
	w.set.all = make([][]byte, len(w.company.callers))
	for i := range w.set.all {
		w.set.all[i] = bytes.Clone(w.request(i))
	}
	w.set.next.Store(0)
	return w.reset()
}

// reset takes back what was written.
func (w *clockWork) reset() error {
	for _, statement := range []string{
		"DELETE FROM attendances WHERE company_id = ?", "DELETE FROM positions WHERE company_id = ?", "DELETE FROM request_records WHERE company_id = ?",
		"UPDATE clock_states SET events = 0 WHERE company_id = ? AND events > 0",
		"UPDATE face_galleries SET sealed = (SELECT b.sealed FROM bench_galleries b WHERE b.id = face_galleries.id) WHERE company_id = ?",
	} {
		if _, err := w.db.Exec(statement, w.company.id); err != nil {
			return err
		}
	}
	awaitPurge(w.db)
	return nil
}

// awaitPurge waits until MariaDB has cleared away what was deleted, which would
// disturb what comes next, and at most two seconds. SQLite has no such variable.
func awaitPurge(db *sql.DB) {
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var name string
		var left int
		err := db.QueryRow("SHOW GLOBAL STATUS LIKE 'Innodb_history_list_length'").Scan(&name, &left)
		if err != nil || left == 0 {
			return
		}
	}
}

// changing are the columns whose values differ from one clock-in to the next.
const changing = " id attendance_id fingerprint created_at clocked_in_at clocked_in_local clocked_in_received_at recorded_at received_at "

// written returns the rows that clock-ins left; of values that always differ,
// only whether they are there.
func (w *clockWork) written() ([]byte, error) {
	var out []byte
	for _, table := range []string{"attendances", "positions", "request_records"} {
		rows, err := w.db.Query("SELECT * FROM "+table+" WHERE company_id = ?", w.company.id)
		if err != nil {
			return nil, err
		}
		if out, err = appendRows(append(out, table...), rows); err != nil {
			return nil, err
		}
	}
	var events int
	err := w.db.QueryRow("SELECT SUM(events) FROM clock_states WHERE company_id = ?", w.company.id).Scan(&events)
	return fmt.Appendf(out, "\nturns: %d", events), err
}

func appendRows(out []byte, rows *sql.Rows) ([]byte, error) {
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return out, err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return out, err
		}
		for i, v := range values {
			if v != nil && strings.Contains(changing, " "+names[i]+" ") {
				v = "set"
			}
			if text, ok := v.([]byte); ok && utf8.Valid(text) { // as MariaDB returns text
				v = string(text)
			}
			out = fmt.Appendf(out, "\n%s: %v", names[i], v)
		}
	}
	return out, rows.Err()
}

// A handClockIn is the body of a clock-in.
type handClockIn struct {
	AddressID       int          `json:"addressId"`
	EmployeeShiftID int          `json:"employeeShiftId"`
	Latitude        string       `json:"latitude"`
	Longitude       string       `json:"longitude"`
	FaceLandmark    []face.Point `json:"faceLandmark"`
	Accuracy        *float64     `json:"accuracy"`
	Mocked          *bool        `json:"mocked"`
	Note            *string      `json:"note"`

	here geofence.Point
	id   string // of the request
	sum  []byte // its fingerprint
}

// A handClock is what both servers written by hand know of clock-ins.
type handClock struct {
	db             *sql.DB
	writer         *sync.Mutex // of SQLite, whose own wait for the lock starves some; nil on MariaDB
	digest, prints []byte      // keys
	faces          *sealed.Sealer

	record, turn, insert, position, outcome, gallery *sql.Stmt
}

const handOutcome = `{"clockIn":{"clockedIn":true}}`

func newHandClock(db *sql.DB, key sealed.Key) (handClock, error) {
	c := handClock{db: db, digest: key.Derive("face digests"), prints: key.Derive("requests"), faces: sealed.NewSealer("faces", key)}
	if _, ok := db.Driver().(*mysql.MySQLDriver); !ok {
		c.writer = new(sync.Mutex)
	}
	err := prepareAll(db, map[**sql.Stmt]string{
		&c.record: "INSERT INTO request_records (company_id, user_id, device_id, request_id, fingerprint, outcome, created_at) VALUES (?, ?, ?, ?, ?, '', ?)",
		&c.turn:   "UPDATE clock_states SET events = events + 1 WHERE user_id = ?",
		&c.insert: "INSERT INTO attendances (company_id, user_id, employee_shift_id, address_id, work_date, open_marker, needs_confirmation, " +
			"face_verdict, face_matched, face_distance, face_version, face_policy, face_digest, clocked_out_face_verdict, clocked_in_at, clocked_in_local, clocked_in_offset, clocked_in_zone, clocked_in_received_at, " +
			"clocked_in_latitude, clocked_in_longitude, clocked_in_source, clocked_in_geofence, clocked_in_accuracy, clocked_in_mocked, " +
			"clocked_in_distance, clocked_in_note, clocked_in_flags, clocked_in_device_id, clocked_in_verdict, clocked_in_review) " +
			"VALUES (?, ?, ?, ?, ?, 1, 0, ?, ?, ?, ?, 'flag', ?, 'none', ?, ?, ?, ?, ?, ?, ?, 'app', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		&c.position: "INSERT INTO positions (company_id, user_id, recorded_at, received_at, latitude, longitude, accuracy, source) " +
			"VALUES (?, ?, ?, ?, ?, ?, ?, 'clock_in')",
		&c.gallery: "UPDATE face_galleries SET sealed = ? WHERE user_id = ?",
		&c.outcome: "UPDATE request_records SET outcome = ?, created_at = ? WHERE id = ?",
	})
	return c, err
}

// read reads the request.
func (c *handClock) read(r *http.Request) (*handClockIn, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	in := &handClockIn{id: r.Header.Get("X-Req-Id")}
	if err := json.Unmarshal(body, in); err != nil {
		return nil, err
	}
	lat, err1 := strconv.ParseFloat(in.Latitude, 64)
	lng, err2 := strconv.ParseFloat(in.Longitude, 64)
	in.here = geofence.Point{Lat: lat, Lng: lng}
	if err1 != nil || err2 != nil || !in.here.Valid() {
		return nil, errors.New("no position")
	}
	mac := hmac.New(sha256.New, c.prints)
	mac.Write([]byte("POST /attendance/clockIn\n"))
	mac.Write(body)
	in.sum = mac.Sum(nil)
	return in, nil
}

// A handStanding is what a clock-in is judged by.
type handStanding struct {
	lat, lng     float64
	radius       *int
	policy       string
	date, zone   string
	from, until  time.Time
	evaluated    *time.Time
	joined, left *string
	busy         bool // another attendance is open, or overlaps
	shared       bool // somebody else used the device on the date
	special      bool // the company has sets of sites, the person is exempt from rules, it is a holiday, or there is leave or overtime that was decided

	lastAt                         *time.Time // of the last position
	lastLat, lastLng, lastAccuracy *float64

	version int // of the registered face
	gallery string
	sent    bool // somebody sent the same face before
	capture handCapture
}

// A handCapture is what is stored of the face of a clock-in.
type handCapture struct {
	digest   []byte
	verdict  face.Verdict
	distance float64
	taken    *face.Gallery // with it; nil where it is not taken in
}

// compare compares a face with the registered one.
func (c *handClock) compare(who handCaller, in *handClockIn, s *handStanding, now time.Time) (flags []string, err error) {
	if s.version == 0 || len(in.FaceLandmark) == 0 {
		return nil, errors.New("everybody here has registered a face, and sends one")
	}
	if err := face.Check(in.FaceLandmark); err != nil {
		return nil, err
	}
	plain, err := c.faces.Open(s.gallery, strconv.Itoa(who.company), strconv.Itoa(who.user), "gallery", strconv.Itoa(s.version))
	if err != nil {
		return nil, err
	}
	gallery, shape := new(face.Gallery), face.Normalize(in.FaceLandmark)
	if err := gallery.UnmarshalBinary(plain); err != nil {
		return nil, err
	}
	limits := face.Limits{Match: 0.080, Doubtful: 0.120, Replay: 0.012}
	replayed := s.sent || gallery.Replays(shape, now, limits.Replay)
	if replayed {
		flags = append(flags, "face_replayed")
	}
	s.capture.distance = math.Round(gallery.Distance(shape)*1e6) / 1e6
	s.capture.verdict = limits.Verdict(s.capture.distance)
	if s.capture.verdict != face.Match {
		flags = append(flags, "face_"+string(s.capture.verdict))
	}
	if !replayed && s.capture.verdict != face.Mismatch {
		gallery.Accept(shape, now, limits)
		s.capture.taken = gallery
	}
	return flags, nil
}

// keep stores the gallery with the capture.
func (c *handClock) keep(ctx context.Context, tx *sql.Tx, who handCaller, s *handStanding) error {
	if s.capture.taken == nil {
		return nil
	}
	plain, _ := s.capture.taken.MarshalBinary() // never fails
	text, err := c.faces.Seal(plain, strconv.Itoa(who.company), strconv.Itoa(who.user), "gallery", strconv.Itoa(s.version))
	if err == nil {
		_, err = tx.StmtContext(ctx, c.gallery).ExecContext(ctx, text, who.user)
	}
	return err
}

// judge returns what is stored of a clock-in, or why it is refused.
func (s *handStanding) judge(in *handClockIn, now time.Time) (distance int, fence string, flags []string, err error) {
	metres := geofence.Distance(geofence.Point{Lat: s.lat, Lng: s.lng}, in.here)
	window := shift.Occurrence{ClockInFrom: s.from, ClockInUntil: s.until}
	fence = "unlimited"
	switch {
	case s.busy:
		return 0, "", nil, errors.New("clocked in already")
	case s.special:
		return 0, "", nil, errors.New("nobody here has sets of sites, exemptions, holidays, leave or overtime that was decided")
	case s.joined != nil && s.date < *s.joined, s.left != nil && s.date > *s.left:
		return 0, "", nil, errors.New("not employed")
	case !window.Open(now):
		return 0, "", nil, errors.New("outside the window")
	case s.radius != nil && metres <= float64(*s.radius):
		fence = "inside"
	case s.radius != nil && s.policy == "block":
		return 0, "", nil, errors.New("outside the work site")
	case s.radius != nil && s.policy == "flag":
		fence, flags = "outside", append(flags, "outside")
	case s.radius != nil:
		fence = "off"
	}
	if in.Accuracy != nil && *in.Accuracy > 150 {
		flags = append(flags, "low_accuracy")
	}
	if in.Mocked != nil && *in.Mocked {
		flags = append(flags, "mock")
	}
	if kmh := s.speed(in, now); kmh != nil && *kmh > 300 {
		flags = append(flags, "speed")
	}
	if s.shared {
		flags = append(flags, "shared_device")
	}
	return int(math.Round(metres)), fence, flags, nil
}

// speed returns how fast one came from the last position, in km/h; nil without one.
func (s *handStanding) speed(in *handClockIn, now time.Time) *int {
	if s.lastAt == nil || s.lastLat == nil || s.lastLng == nil {
		return nil
	}
	slack := 0.0
	for _, accuracy := range []*float64{s.lastAccuracy, in.Accuracy} {
		if accuracy == nil {
			slack += 150
		} else {
			slack += *accuracy
		}
	}
	return new(int(math.Ceil(geofence.Speed(geofence.Point{Lat: *s.lastLat, Lng: *s.lastLng}, in.here, slack, now.Sub(*s.lastAt)))))
}

// judged is what a clock-in is judged by, as it is stored.
func (s *handStanding) judged(in *handClockIn, now time.Time) ([]byte, error) {
	return json.Marshal(verdict.Judged{
		Policies:     map[string]string{"geofenceIn": s.policy, "accuracy": "flag", "mock": "flag", "speed": "flag", "device": "flag", "face": "flag"},
		RadiusMeters: s.radius, AccuracyMeters: 150, SpeedKmh: s.speed(in, now), SpeedLimitKmh: 300,
		Face: &verdict.FaceLimits{Match: 0.08, Doubtful: 0.12, Replay: 0.012},
	})
}

// stand finds out what a clock-in is judged by.
type stand func(ctx context.Context, tx *sql.Tx, c handCaller, in *handClockIn, now time.Time) (*handStanding, error)

// ClockIn clocks somebody in, again when the database gives the transaction up.
func (c *handClock) clockIn(w http.ResponseWriter, r *http.Request, who handCaller, find stand) error {
	in, err := c.read(r)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := c.once(r.Context(), who, in, find)
		if err == nil {
			sendBody(w, []byte(`{"clockedIn":true}`))
			return nil
		}
		if try == 5 || !database.Retryable(err) {
			return err
		}
	}
}

// once is one transaction, whose first insert is the row of the request.
func (c *handClock) once(ctx context.Context, who handCaller, in *handClockIn, find stand) error {
	if c.writer != nil {
		c.writer.Lock()
		defer c.writer.Unlock()
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	if err := c.write(ctx, tx, who, in, find); err != nil {
		return err
	}
	return tx.Commit()
}

func (c *handClock) write(ctx context.Context, tx *sql.Tx, who handCaller, in *handClockIn, find stand) error {
	now := time.Now().UTC().Truncate(time.Microsecond)
	row, err := tx.StmtContext(ctx, c.record).ExecContext(ctx, who.company, who.user, who.device, in.id, in.sum, now)
	if err != nil {
		return err
	}
	record, err := row.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, c.turn).ExecContext(ctx, who.user); err != nil {
		return err
	}
	s, err := find(ctx, tx, who, in, now)
	if err != nil {
		return err
	}
	if err := c.open(ctx, tx, who, in, s, now); err != nil {
		return err
	}
	_, err = tx.StmtContext(ctx, c.outcome).ExecContext(ctx, handOutcome, now, record)
	return err
}

// open judges and writes the attendance.
func (c *handClock) open(ctx context.Context, tx *sql.Tx, who handCaller, in *handClockIn, s *handStanding, now time.Time) error {
	distance, fence, flags, err := s.judge(in, now)
	if err != nil {
		return err
	}
	more, err := c.compare(who, in, s, now)
	if err != nil {
		return err
	}
	flags = append(flags, more...)
	if err := c.keep(ctx, tx, who, s); err != nil {
		return err
	}
	noticed, err := json.Marshal(flags)
	if err != nil {
		return err
	}
	judged, err := s.judged(in, now)
	if err != nil {
		return err
	}
	review := "none"
	if len(flags) > 0 {
		review = "pending"
	}
	local := now.In(handZone(s.zone))
	_, offset := local.Zone()
	_, err = tx.StmtContext(ctx, c.insert).ExecContext(ctx, who.company, who.user, in.EmployeeShiftID, in.AddressID, s.date,
		string(s.capture.verdict), s.capture.verdict == face.Match, s.capture.distance, s.version, s.capture.digest, now, local.Format("2006-01-02T15:04:05"), offset, s.zone, now, in.here.Lat, in.here.Lng, fence,
		in.Accuracy, in.Mocked, distance, in.Note, noticed, who.device, judged, review)
	if err != nil {
		return err
	}
	_, err = tx.StmtContext(ctx, c.position).ExecContext(ctx, who.company, who.user, now, now, in.here.Lat, in.here.Lng, in.Accuracy)
	return err
}

// A floorClock reads one thing after the other.
type floorClock struct {
	handClock
	site, occurrence, busy, shared, face, special, last, sent *sql.Stmt
}

const (
	handBusy = "SELECT EXISTS (SELECT 1 FROM attendances WHERE user_id = ? AND (open_marker IS NOT NULL OR clocked_in_at <= ? AND clocked_out_at > ?))"

	handShared = "SELECT EXISTS (SELECT 1 FROM sessions s JOIN attendances a ON a.company_id = s.company_id AND a.user_id = s.user_id " +
		"WHERE s.device_id = ? AND s.company_id = ? AND s.user_id <> ? AND a.work_date = ? AND (a.clocked_in_device_id = s.device_id OR a.clocked_out_device_id = s.device_id))"

	handSpecial = "SELECT EXISTS (SELECT 1 FROM allowed_places WHERE company_id = ?) OR EXISTS (SELECT 1 FROM exemptions WHERE user_id = ? AND ends_on >= ?) " +
		"OR EXISTS (SELECT 1 FROM holidays WHERE company_id = ? AND date = ?) " +
		"OR EXISTS (SELECT 1 FROM leaves WHERE company_id = ? AND user_id = ? AND state = 'approved' AND ends_on >= ? AND starts_on <= ?) " +
		"OR EXISTS (SELECT 1 FROM overtime_approvals WHERE user_id = ?)"

	handLast = "SELECT clocked_out_at, clocked_out_latitude, clocked_out_longitude, clocked_out_accuracy FROM attendances " +
		"WHERE company_id = ? AND user_id = ? AND clocked_out_at <= ? AND clocked_out_latitude IS NOT NULL ORDER BY clocked_out_at DESC LIMIT 1"

	handSent = "SELECT EXISTS (SELECT 1 FROM attendances WHERE company_id = ? AND face_digest = ?) OR " +
		"EXISTS (SELECT 1 FROM attendances WHERE company_id = ? AND clocked_out_face_digest = ?)"
)

func newFloorClock(db *sql.DB, key sealed.Key) (*floorClock, error) {
	hand, err := newHandClock(db, key)
	if err != nil {
		return nil, err
	}
	c := &floorClock{handClock: hand}
	return c, prepareAll(db, map[**sql.Stmt]string{
		&c.site: "SELECT latitude, longitude, radius, geofence_in FROM addresses WHERE id = ? AND company_id = ?",
		&c.occurrence: "SELECT o.date, o.timezone, o.clock_in_from, o.clock_in_until, o.evaluated_at, u.joined_on, u.left_on FROM employee_shifts o " +
			"JOIN users u ON u.id = o.user_id WHERE o.id = ? AND o.user_id = ?",
		&c.busy: handBusy, &c.shared: handShared, &c.sent: handSent, &c.special: handSpecial, &c.last: handLast,
		&c.face: "SELECT f.version, g.sealed FROM face_templates f JOIN face_galleries g ON g.user_id = f.user_id WHERE f.user_id = ? AND f.in_force = 1",
	})
}

func (c *floorClock) in(w http.ResponseWriter, r *http.Request, who handCaller) error {
	return c.clockIn(w, r, who, c.stand)
}

func (c *floorClock) stand(ctx context.Context, tx *sql.Tx, who handCaller, in *handClockIn, now time.Time) (*handStanding, error) {
	s, sum := &handStanding{}, face.Digest(c.digest, in.FaceLandmark)
	s.capture.digest = sum[:]
	for _, q := range []struct {
		stmt *sql.Stmt
		args []any
		into []any
	}{
		{c.site, []any{in.AddressID, who.company}, []any{&s.lat, &s.lng, &s.radius, &s.policy}},
		{c.occurrence, []any{in.EmployeeShiftID, who.user}, []any{&s.date, &s.zone, &s.from, &s.until, &s.evaluated, &s.joined, &s.left}},
		{c.busy, []any{who.user, now, now}, []any{&s.busy}},
		{c.face, []any{who.user}, []any{&s.version, &s.gallery}},
		{c.sent, []any{who.company, sum[:], who.company, sum[:]}, []any{&s.sent}},
	} {
		if err := tx.StmtContext(ctx, q.stmt).QueryRowContext(ctx, q.args...).Scan(q.into...); err != nil {
			return nil, err
		}
	}
	if err := tx.StmtContext(ctx, c.special).QueryRowContext(ctx, who.company, who.user, s.date, who.company, s.date,
		who.company, who.user, s.date, s.date, who.user).Scan(&s.special); err != nil {
		return nil, err
	}
	err := tx.StmtContext(ctx, c.last).QueryRowContext(ctx, who.company, who.user, now).Scan(&s.lastAt, &s.lastLat, &s.lastLng, &s.lastAccuracy)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	return s, tx.StmtContext(ctx, c.shared).QueryRowContext(ctx, who.device, who.company, who.user, s.date).Scan(&s.shared)
}
