package bench

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/face"
	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// benchData are the companies that the servers are compared on, and who calls.
type benchData struct {
	small, large, team, crew, planned, months *benchCompany
	works, timers                             *benchCompany

	zone string
}

// A benchCompany is a company that was put into the database directly.
type benchCompany struct {
	id      int
	site    int   // where people clock in
	users   []int // everybody
	callers []benchCaller
	tasks   []benchTask
}

// A benchCaller is somebody with a session.
type benchCaller struct {
	user, device int
	occurrences  []int // of their shift: those of some days ago to today's, which is open
	token        string
}

// How many people of a company call, and how many clock in.
const (
	benchCallers = 256
	benchCrew    = 6000
	benchDays    = 10 // before today
	benchAhead   = 14 // after today, of companies but the crews, whose rows would be too many
)

// A benchFill puts companies into a database.
type benchFill struct {
	testing.TB
	db     *sql.DB
	ent    *ent.Client
	key    sealed.Key
	now    time.Time
	zone   string // where it is ten in the morning
	random *mathrand.Rand
	last   map[string]int // ids given, by table
}

// fillBench makes a company of 1,000 and one of 10,000 people, one whose people
// clock in, and one that is nobody's business.
func fillBench(b testing.TB, s *server.Store, key sealed.Key) *benchData {
	b.Helper()
	f := newFill(b, s, key)
	f.company("Lärm & Co", 700, 0)
	data := &benchData{
		small:   f.company("Toko Seribu", 1000, benchCallers),
		large:   f.company("Pabrik Sepuluh Ribu", 10_000, 8),
		team:    f.company("Regu Dua Ratus", 200, 200),
		planned: f.company("Seribu Giliran", 1000, 1000),
		months:  f.company("Seribu Bulan", 1000, 1000),
		works:   f.company("Lima Puluh Pekerja", 50, 50),
		timers:  f.company("Seribu Pencatat", 1000, 1000),
		crew:    f.company("Awak", benchCrew, benchCrew),
		zone:    f.zone,
	}
	f.attend(data.small)
	f.work(data.months)
	f.night(data.large, data.large.users)
	f.tasks(data.works)
	f.book(data.works)
	f.work(data.timers)
	f.tasks(data.timers)
	f.run(data.timers)
	if s.DB.Dialect == "mysql" { // does it by itself when it likes; SQLite never does
		f.exec("ANALYZE TABLE users, user_designations, designations, attendances, employee_shifts, shift_results, tokens, sessions, " +
			"tasks, task_assignees, task_images, projects, time_entries")
	}
	return data
}

// fillCrew makes a company whose people clock in.
func fillCrew(b testing.TB, s *server.Store, key sealed.Key, people int) *benchCompany {
	b.Helper()
	return newFill(b, s, key).company("Awak", people, people)
}

func newFill(b testing.TB, s *server.Store, key sealed.Key) *benchFill {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return &benchFill{
		TB: b, db: s.DB.Writer, ent: s.Ent, key: key, now: now, zone: tenInTheMorning(now),
		random: mathrand.New(mathrand.NewPCG(1, 2)), last: map[string]int{},
	}
}

// tenInTheMorning returns a zone in which it is between ten and eleven, so that
// no day ends while servers are compared.
func tenInTheMorning(now time.Time) string {
	east := (10 - now.Hour() + 24) % 24
	if east > 12 {
		return fmt.Sprintf("Etc/GMT+%d", 24-east) // the sign is turned around there
	}
	return fmt.Sprintf("Etc/GMT-%d", east)
}

// company adds a company, of whose people the first so many have a session, a
// registered face and a shift now.
func (f *benchFill) company(name string, people, callers int) *benchCompany {
	f.Helper()
	var c *ent.Company
	ctx := viewer.System(context.Background())
	err := tx.With(ctx, f.ent, func(db *ent.Client) (err error) {
		c, err = organization.CreateCompany(ctx, db, f.now, name, f.zone, "id")
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	out := &benchCompany{id: c.ID}
	titles := f.designations(c.ID)
	users := f.people(c.ID, people)
	f.hold(c.ID, users, titles)
	out.site = f.workSite(c.ID)
	out.users = users
	out.callers = f.signIn(c.ID, users[:callers])
	ahead := benchAhead
	if callers == benchCrew || callers == scaleCrew {
		ahead = 1
	}
	f.plan(c.ID, out.callers, ahead)
	f.faces(c.ID, out.callers)
	return out
}

func (f *benchFill) designations(company int) []int {
	var rows [][]any
	for _, name := range []string{
		"Staf Operasional", "Kepala Gudang", "Sopir", "Kasir", "Perawat", "Juru Masak", "Satpam", "Teknisi “Lift”",
		"Ingénieur d'études", "Müllwerker", "品質管理", "Admin \\ Umum",
	} {
		rows = append(rows, []any{f.id("designations"), company, name, textform.SortKey(name)})
	}
	f.insert("designations", "id, company_id, name, sort_name", rows)
	return ids(rows)
}

var (
	givenNames  = strings.Fields("Budi Siti Łukasz Zoë Ångström Ñuria Đorđe 太郎 Ольга Müge José Agus Dewi Ýmir Émile İpek ann Bob çağla Rūta Øyvind 지민 Γιώργος Ali \"Bud\" Nguyễn")
	familyNames = strings.Fields("Santoso Wijaya O'Brien 山田 Иванова Österreicher dela_Cruz Kowalski Sørensen Çelik Pratama Lestari Núñez Nowak García de\\Vries Straße Ünal 김 Παπαδόπουλος 🌸 Ho")
)

// people adds active users, most of them without one thing or another.
func (f *benchFill) people(company, n int) []int {
	var users, roles, turns [][]any
	planned := f.now.AddDate(0, 0, 30).Format(time.DateOnly) // so that nobody makes occurrences meanwhile
	role := f.one("SELECT id FROM roles WHERE company_id = ? AND builtin = ?", company, viewer.Admin)
	for range n {
		id := f.id("users")
		name := pick(f.random, givenNames) + " " + pick(f.random, familyNames) + " " + strconv.Itoa(f.random.IntN(1000))
		email := fmt.Sprintf("%s.%d@bench.test", []string{"a", "Bee", "c-c", "d_d"}[id%4], id)
		users = append(users, []any{
			id, company, name, textform.SortKey(name), email, strings.ToLower(email), f.image(id), f.number(id),
			oneOf(f.random, nil, "male", "female"), oneOf(f.random, nil, nil, "Bapak", "Ibu", "Dr. “h.c.”"), oneOf(f.random, "id", "en"), true, f.now,
		})
		roles = append(roles, []any{f.id("user_roles"), company, id, role})
		turns = append(turns, []any{f.id("clock_states"), company, id, 0, planned})
	}
	f.insert("users", "id, company_id, name, sort_name, email, email_key, image, mobile_number, gender, salutation, locale, active, created_at", users)
	f.insert("user_roles", "id, company_id, user_id, role_id", roles)
	f.insert("clock_states", "id, company_id, user_id, events, planned_until", turns)
	return ids(users)
}

func (f *benchFill) image(id int) string {
	if id%3 == 0 {
		return fmt.Sprintf("images/u/%d.jpg", id)
	}
	return "images/avatar.png"
}

// number is stored as contact.Number stores it.
func (f *benchFill) number(id int) string {
	switch id % 4 {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("62 0811-%06d", id)
	}
	return fmt.Sprintf("49 (0)170 %d", id)
}

// hold gives most users one to three designations.
func (f *benchFill) hold(company int, users, titles []int) {
	var rows [][]any
	for _, user := range users {
		for _, i := range f.random.Perm(len(titles))[:f.random.IntN(4)] {
			rows = append(rows, []any{f.id("user_designations"), company, user, titles[i]})
		}
	}
	f.insert("user_designations", "id, company_id, user_id, designation_id", rows)
}

func (f *benchFill) workSite(company int) int {
	id := f.id("addresses")
	f.insert("addresses", "id, company_id, name, sort_name, address, latitude, longitude, radius, geofence_in, geofence_out",
		[][]any{{id, company, "Kantor Pusat", "kantor pusat", "Jl. Merdeka 1", -6.2, 106.8166, 200, "block", "flag"}})
	return id
}

// signIn gives users a device, a session and an access token each.
func (f *benchFill) signIn(company int, users []int) []benchCaller {
	var devices, sessions, tokens [][]any
	callers := make([]benchCaller, len(users))
	for i, user := range users {
		t, hash := f.token(token.Access)
		_, deviceHash := f.token(token.Device)
		device, session, family := f.id("devices"), f.id("sessions"), make([]byte, 16)
		_, _ = rand.Read(family) // never fails
		devices = append(devices, []any{device, fmt.Sprintf("phone-%d", device), "android", deviceHash, f.now})
		sessions = append(sessions, []any{session, company, user, device, family, 1, f.now, f.now, f.now.AddDate(0, 0, 90)})
		tokens = append(tokens, []any{f.id("tokens"), company, session, "access", hash, 1, f.now, f.now.AddDate(0, 0, 1)})
		callers[i] = benchCaller{user: user, device: device, token: t.Text()}
	}
	f.insert("devices", "id, device_id, platform, token_hash, created_at", devices)
	f.insert("sessions", "id, company_id, user_id, device_id, family, generation, created_at, verified_at, ends_at", sessions)
	f.insert("tokens", "id, company_id, session_id, kind, hash, generation, issued_at, expires_at", tokens)
	return callers
}

func (f *benchFill) token(kind token.Kind) (token.Token, []byte) {
	t, err := token.New(kind, rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	hash := t.Hash()
	return t, hash[:]
}

// plan gives callers a shift from nine to six, with its occurrences from some
// days ago to some ahead.
func (f *benchFill) plan(company int, callers []benchCaller, ahead int) {
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		f.Fatal(err)
	}
	p := shift.Shift{
		Start: "09:00", End: "18:00", Zone: zone, OpensBefore: 60, ClosesAfter: 60,
		Breaks: []shift.Break{{Start: "12:00", End: "13:00"}},
	}
	id, today := f.id("shifts"), shift.DateOf(f.now, zone)
	f.insert("shifts", "id, company_id, name, sort_name, start_time, end_time, breaks, late_grace_minutes, early_grace_minutes",
		[][]any{{id, company, "Pagi", "pagi", "09:00", "18:00", `["12:00-13:00"]`, 0, 0}})
	var assignments, occurrences [][]any
	for i := range callers {
		user, assignment := callers[i].user, f.id("shift_assignments")
		assignments = append(assignments, []any{assignment, company, user, id, string(today.AddDays(-30)), "[1,2,3,4,5,6,7]"})
		for ago := benchDays; ago >= -ahead; ago-- {
			date := today.AddDays(-ago)
			o, occurrence := p.On(date), f.id("employee_shifts")
			occurrences = append(occurrences, []any{
				occurrence, company, user, assignment, id, 1, "Pagi", string(date), o.StartAt.UTC(), o.EndAt.UTC(),
				o.ClockInFrom.UTC(), o.ClockInUntil.UTC(), `["12:00-13:00"]`, o.BreakSeconds, 0, 0, f.zone,
			})
			if ago >= 0 {
				callers[i].occurrences = append(callers[i].occurrences, occurrence)
			}
		}
	}
	f.insert("shift_assignments", "id, company_id, user_id, shift_id, starts_on, weekdays", assignments)
	f.insert("employee_shifts", "id, company_id, user_id, assignment_id, shift_id, shift_version, name, date, start_at, end_at, "+
		"clock_in_from, clock_in_until, breaks, break_seconds, late_grace_minutes, early_grace_minutes, timezone", occurrences)
}

// faces registers a face for each caller, of whom there are captures of 50 days.
func (f *benchFill) faces(company int, callers []benchCaller) {
	sealer := sealed.NewSealer("faces", f.key)
	seal := func(plain []byte, binding ...string) string {
		f.Helper()
		text, err := sealer.Seal(plain, binding...)
		if err != nil {
			f.Fatal(err)
		}
		return text
	}
	var plain, stored [benchFaces][]byte
	for i := range plain {
		plain[i], _ = json.Marshal(benchFace(i)) // finite numbers
		stored[i], _ = f.gallery(i).MarshalBinary()
	}
	var templates, galleries [][]any
	flush := func() {
		f.insert("face_templates", "id, company_id, user_id, version, points, sealed, created_at", templates)
		f.insert("face_galleries", "id, company_id, user_id, version, sealed", galleries)
		templates, galleries = nil, nil
	}
	for i, c := range callers {
		of, who := strconv.Itoa(company), strconv.Itoa(c.user)
		templates = append(templates, []any{f.id("face_templates"), company, c.user, 1, 68, seal(plain[i%benchFaces], of, who), f.now})
		galleries = append(galleries, []any{f.id("face_galleries"), company, c.user, 1, seal(stored[i%benchFaces], of, who, "gallery", "1")})
		if len(galleries) == 200 {
			flush()
		}
	}
	flush()
}

// gallery returns a face that was registered 50 days ago, with a capture a day.
func (f *benchFill) gallery(seed int) *face.Gallery {
	g := face.NewGallery(face.Normalize(benchFace(seed)), f.now.AddDate(0, 0, -50))
	for day := range 50 {
		g.Accept(face.Normalize(benchCapture(seed, day)), f.now.AddDate(0, 0, day-50), face.Limits{Match: 0.08, Doubtful: 0.12})
	}
	return g
}

// benchFaces is how many faces people share.
const benchFaces = 64

// benchCapture returns a capture of a face on a day, with noise of 1 %.
func benchCapture(seed, day int) []face.Point {
	random, points := mathrand.New(mathrand.NewPCG(uint64(seed), uint64(1000+day))), benchFace(seed)
	for i, p := range points {
		points[i].X, points[i].Y, points[i].Z = digits(p.X+0.01*random.NormFloat64()), digits(p.Y+0.01*random.NormFloat64()), digits(p.Z+0.01*random.NormFloat64())
	}
	return points
}

// benchFace returns the 68 landmarks of a face.
func benchFace(seed int) []face.Point {
	random := mathrand.New(mathrand.NewPCG(uint64(seed), 3))
	points := make([]face.Point, 68)
	for i := range points {
		points[i] = face.Point{
			X: digits(0.2 + 0.6*random.Float64()), Y: digits(0.2 + 0.6*random.Float64()),
			Z: digits(random.Float64() - 0.5), Visibility: digits(random.Float64()),
		}
	}
	return points
}

// digits returns a coordinate in the digits that phones send. None is as small as the
// numbers that encoding/json writes with an exponent, as the floor then does.
func digits(v float64) float64 {
	if math.Abs(v) < 0.001 {
		return 0.001
	}
	return float64(int(v*1e6)) / 1e6
}

// attend gives each caller of a company one closed attendance a day.
func (f *benchFill) attend(c *benchCompany) {
	zone, err := time.LoadLocation(f.zone)
	if err != nil {
		f.Fatal(err)
	}
	var rows [][]any
	for i, u := range c.callers {
		for day, occurrence := range u.occurrences {
			in := f.now.AddDate(0, 0, day+1-len(u.occurrences)).Add(-50*time.Minute + time.Duration(i)*time.Second)
			out, wall := in.Add(time.Duration(20+i%20)*time.Minute), "2006-01-02T15:04:05"
			_, offset := in.In(zone).Zone()
			rows = append(rows, []any{
				f.id("attendances"), c.id, u.user, occurrence, c.site, in.In(zone).Format(time.DateOnly), nil, "unchecked",
				in, in.In(zone).Format(wall), offset, f.zone, in, -6.2001, 106.8167, "app", "inside", 12, "null", u.device,
				out, out.In(zone).Format(wall), offset, f.zone, out, -6.2001, 106.8167, "app", "inside", 12, `["low_accuracy"]`, u.device,
			})
		}
	}
	f.insert("attendances", "id, company_id, user_id, employee_shift_id, address_id, work_date, open_marker, face_verdict, "+
		"clocked_in_at, clocked_in_local, clocked_in_offset, clocked_in_zone, clocked_in_received_at, clocked_in_latitude, "+
		"clocked_in_longitude, clocked_in_source, clocked_in_geofence, clocked_in_distance, clocked_in_flags, clocked_in_device_id, "+
		"clocked_out_at, clocked_out_local, clocked_out_offset, clocked_out_zone, clocked_out_received_at, clocked_out_latitude, "+
		"clocked_out_longitude, clocked_out_source, clocked_out_geofence, clocked_out_distance, clocked_out_flags, clocked_out_device_id", rows)
}

// monthDays is how many days before today f.work makes the past of.
const monthDays = 45

// work gives each caller of a company a past of 45 days: occurrences with their results, and
// an attendance on most. Today most are in, some are done, and some have not come.
func (f *benchFill) work(c *benchCompany) {
	zone := handZone(f.zone)
	p := shift.Shift{
		Start: "09:00", End: "18:00", Zone: zone, OpensBefore: 60, ClosesAfter: 60,
		Breaks: []shift.Break{{Start: "12:00", End: "13:00"}},
	}
	today, id := shift.DateOf(f.now, zone), f.one("SELECT id FROM shifts WHERE company_id = ?", c.id)
	f.exec("UPDATE employee_shifts SET evaluated_at = ? WHERE company_id = ? AND date < ?", f.now, c.id, string(today))
	var occurrences, attendances, results [][]any
	flush := func() {
		f.insert("employee_shifts", occurrenceFields, occurrences)
		f.insert("attendances", stayFields, attendances)
		f.insert("shift_results", "id, company_id, user_id, employee_shift_id, date, status, late_seconds, early_seconds, worked_seconds, "+
			"expected_seconds, overtime_seconds, evaluated_at", results)
		occurrences, attendances, results = nil, nil, nil
	}
	for _, u := range c.callers {
		for ago := monthDays; ago >= 0; ago-- {
			date := today.AddDays(-ago)
			o := p.On(date)
			occurrence := 0
			if ago <= benchDays {
				occurrence = u.occurrences[benchDays-ago]
			} else {
				occurrence = f.id("employee_shifts")
				occurrences = append(occurrences, occurrenceRow(c.id, u.user, id, occurrence, o, f.zone, f.now))
			}
			in := o.StartAt.Add(time.Duration(f.random.IntN(3600)-2700) * time.Second)
			out := o.EndAt.Add(time.Duration(f.random.IntN(7*3600)-3600) * time.Second)
			status, late, early := "present", max(0, int(in.Sub(o.StartAt)/time.Second)), max(0, int(o.EndAt.Sub(out)/time.Second))
			switch came := f.random.IntN(20) > 0; {
			case !came && ago > 0:
				status, late, early = "absent", 0, 0
			case came && ago > 0:
				attendances = append(attendances, f.stay(c, u.user, occurrence, date, in, &out))
			case came:
				attendances = append(attendances, f.stay(c, u.user, occurrence, date, in, nil))
			}
			if ago > 0 {
				results = append(results, []any{
					f.id("shift_results"), c.id, u.user, occurrence, string(date), status, late, early, 8 * 3600, 8 * 3600, 0, f.now,
				})
			}
		}
		if len(results) > 5000 {
			flush()
		}
	}
	flush()
}

// occurrenceFields are the columns of an occurrenceRow.
const occurrenceFields = "id, company_id, user_id, shift_id, shift_version, name, date, start_at, end_at, " +
	"clock_in_from, clock_in_until, breaks, break_seconds, late_grace_minutes, early_grace_minutes, timezone, evaluated_at"

// occurrenceRow is a row of employee_shifts; evaluated is nil or a time.
func occurrenceRow(company, user, shiftID, id int, o shift.Occurrence, zone string, evaluated any) []any {
	return []any{
		id, company, user, shiftID, 1, "Pagi", string(o.Date), o.StartAt.UTC(), o.EndAt.UTC(),
		o.ClockInFrom.UTC(), o.ClockInUntil.UTC(), `["12:00-13:00"]`, o.BreakSeconds, 0, 0, zone, evaluated,
	}
}

// stayFields are the columns of a stay.
const stayFields = "id, company_id, user_id, employee_shift_id, address_id, work_date, open_marker, " +
	"clocked_in_at, clocked_in_local, clocked_in_offset, clocked_in_zone, clocked_in_received_at, clocked_in_latitude, " +
	"clocked_in_longitude, clocked_in_source, clocked_in_geofence, clocked_in_verdict, clocked_out_at, clocked_out_local, clocked_out_offset, " +
	"clocked_out_zone, clocked_out_received_at, clocked_out_source"

// stay is a row of attendances; a nil out is an open one.
func (f *benchFill) stay(c *benchCompany, user, occurrence int, date shift.Date, in time.Time, out *time.Time) []any {
	const wall = "2006-01-02T15:04:05"
	zone := handZone(f.zone)
	_, offset := in.In(zone).Zone()
	row := []any{
		f.id("attendances"), c.id, user, occurrence, c.site, string(date), 1, in.UTC(), in.In(zone).Format(wall), offset, f.zone, in.UTC(),
		-6.2001, 106.8167, "app", "inside", "null", nil, nil, nil, nil, nil, nil,
	}
	if out != nil {
		row[6] = nil
		copy(row[17:], []any{out.UTC(), out.In(zone).Format(wall), offset, f.zone, out.UTC(), "app"})
	}
	return row
}

// id gives out the next id of a table.
func (f *benchFill) id(table string) int {
	f.last[table]++
	return f.last[table]
}

// one returns the number that a query finds.
func (f *benchFill) one(query string, args ...any) (n int) {
	f.Helper()
	if err := f.db.QueryRow(query, args...).Scan(&n); err != nil {
		f.Fatalf("%s: %v", query, err)
	}
	return n
}

func (f *benchFill) exec(statement string, args ...any) {
	f.Helper()
	if _, err := f.db.Exec(statement, args...); err != nil {
		f.Fatalf("%.80s: %v", statement, err)
	}
}

// insert adds rows, some hundred with each statement.
func (f *benchFill) insert(table, columns string, rows [][]any) {
	f.Helper()
	for len(rows) > 0 {
		part := rows[:min(len(rows), 300)]
		rows = rows[len(part):]
		marks := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(part[0])), ", ") + ")"
		var args []any
		for _, row := range part {
			args = append(args, row...)
		}
		f.exec("INSERT INTO "+table+" ("+columns+") VALUES "+marks+strings.Repeat(", "+marks, len(part)-1), args...)
	}
}

// ids returns the first column of rows.
func ids(rows [][]any) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = row[0].(int)
	}
	return out
}

func pick[T any](random *mathrand.Rand, from []T) T { return from[random.IntN(len(from))] }

func oneOf(random *mathrand.Rand, from ...any) any { return from[random.IntN(len(from))] }
