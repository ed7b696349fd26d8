package bench

import (
	"context"
	"database/sql"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-sql-driver/mysql"

	"workforce/internal/sealed"
)

// A leanServer is the leanest that can be written by hand: no reflection, rows
// appended to pooled buffers as they come, links and names apart, and of pages
// only the rows that they show.
type leanServer struct {
	db      *sql.DB
	faces   *sealed.Sealer
	byName  string // names the index of active users by name
	pairs   string // links in one value
	buffers sync.Pool
	week    weekReader
	sheets  sheetReader
	works   workReader
	timers  *handTimers

	page, count                  *sql.Stmt
	profile, template, owned     *sql.Stmt
	attendances, attendanceCount *sql.Stmt
}

func newLeanest(db *sql.DB, key sealed.Key, link linkFunc) (http.Handler, error) {
	s := &leanServer{db: db, faces: sealed.NewSealer("faces", key), buffers: sync.Pool{New: func() any { return new([]byte) }}}
	s.pairs = "group_concat(user_id || ':' || designation_id)"
	s.byName = " INDEXED BY user_company_id_active_sort_name "
	if _, ok := db.Driver().(*mysql.MySQLDriver); ok {
		s.pairs = "GROUP_CONCAT(user_id, ':', designation_id)"
		s.byName = " FORCE INDEX (user_company_id_active_sort_name) "
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	clock, err := newLeanClock(db, key)
	if err != nil {
		return nil, err
	}
	if s.week, err = newWeekReader(db); err != nil {
		return nil, err
	}
	if s.sheets, err = newSheetReader(db); err != nil {
		return nil, err
	}
	if s.works, err = newWorkReader(db, link); err != nil {
		return nil, err
	}
	if s.timers, err = newHandTimers(db, key); err != nil {
		return nil, err
	}
	return handRoutes(db, handlers{s.list, s.showProfile, clock.in, s.graphql, s.works.show})
}

func (s *leanServer) prepare() error {
	return prepareAll(s.db, map[**sql.Stmt]string{
		&s.page: "SELECT u.id, u.name, u.email, u.image, u.mobile_number, u.gender, u.salutation, u.locale FROM " +
			"(SELECT id FROM users" + s.byName + "WHERE company_id = ? AND active = 1 ORDER BY sort_name, id LIMIT ? OFFSET ?) k " +
			"JOIN users u ON u.id = k.id ORDER BY u.sort_name, u.id",
		&s.count:           "SELECT COUNT(*) FROM users WHERE company_id = ? AND active = 1",
		&s.profile:         "SELECT id, name, email, image, mobile_number, gender, salutation, locale FROM users WHERE id = ?",
		&s.owned:           "SELECT designation_id FROM user_designations WHERE user_id = ?",
		&s.template:        "SELECT sealed FROM face_templates WHERE user_id = ? AND in_force = 1",
		&s.attendances:     handDashboard,
		&s.attendanceCount: "SELECT COUNT(*) FROM attendances WHERE company_id = ?",
	})
}

// titles are a company's designations by name, rendered.
type titles struct {
	place map[int]int // by id
	json  []string
}

func (s *leanServer) titles(ctx context.Context, company int) (t titles, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, name FROM designations WHERE company_id = "+strconv.Itoa(company)+" ORDER BY sort_name, id")
	if err != nil {
		return t, err
	}
	defer rows.Close()
	t.place = make(map[int]int, 16)
	for rows.Next() {
		var id int
		var name sql.RawBytes
		if err := rows.Scan(&id, &name); err != nil {
			return t, err
		}
		text := appendQuoted(append(strconv.AppendInt([]byte(`{"id":"`), int64(id), 10), `","name":`...), name)
		t.place[id] = len(t.json)
		t.json = append(t.json, string(append(text, '}')))
	}
	return t, rows.Err()
}

// append appends the designations at the places, by name.
func (t titles) append(out []byte, places []int) []byte {
	out = append(out, '[')
	for i, p := range places {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, t.json[p]...)
	}
	return append(out, ']')
}

// leanLinks are who holds which designations: the places of each user's, in
// order.
type leanLinks map[int][]int

// links reads those of the rows that a condition picks, all in one value of the
// database: "7:1,7:3,9:2", user by user as the index has them.
func (s *leanServer) links(ctx context.Context, where string, people int, t titles) (leanLinks, error) {
	links := make(leanLinks, people)
	rows, err := s.db.QueryContext(ctx, "SELECT "+s.pairs+" FROM user_designations WHERE "+where)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		links.read(text, make([]int, 0, 2*people), t.place)
	}
	return links, rows.Err()
}

// read adds links; all is where the places of one user after the other go.
func (l leanLinks) read(text []byte, all []int, place map[int]int) {
	last, start := 0, 0
	for len(text) > 0 {
		var user, designation int
		user, text = leadingNumber(text)
		designation, text = leadingNumber(text)
		if user != last { // whom another has come between, what is known of them is carried on
			last, start = user, len(all)
			all = append(all, l[user]...)
		}
		all = append(all, place[designation])
		for at := len(all) - 1; at > start && all[at-1] > all[at]; at-- {
			all[at-1], all[at] = all[at], all[at-1]
		}
		l[user] = all[start:]
	}
}

// leadingNumber reads a number and passes over the sign behind it.
func leadingNumber(text []byte) (n int, rest []byte) {
	for i, c := range text {
		if c < '0' || c > '9' {
			return n, text[i+1:]
		}
		n = 10*n + int(c-'0')
	}
	return n, nil
}

func (s *leanServer) list(w http.ResponseWriter, r *http.Request, c handCaller) error {
	buffer := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buffer)
	body, total, err := s.employees(r.Context(), (*buffer)[:0], c, r.URL.RawQuery)
	*buffer = body
	if err != nil {
		return err
	}
	w.Header()["X-Total-Count"] = []string{strconv.Itoa(total)}
	sendBody(w, body)
	return nil
}

func (s *leanServer) employees(ctx context.Context, out []byte, c handCaller, query string) ([]byte, int, error) {
	t, err := s.titles(ctx, c.company)
	if err != nil {
		return out, 0, err
	}
	if query == "" {
		return s.everybody(ctx, out, c, t)
	}
	return s.onePage(ctx, out, c, t, query)
}

func (s *leanServer) everybody(ctx context.Context, out []byte, c handCaller, t titles) ([]byte, int, error) {
	company := strconv.Itoa(c.company)
	links, err := s.links(ctx, "company_id = "+company, 1024, t)
	if err != nil {
		return out, 0, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT id, name, email, image, mobile_number, gender, salutation, locale FROM users"+
		s.byName+"WHERE company_id = "+company+" AND active = 1 ORDER BY sort_name, id")
	return appendEmployees(out, rows, err, t, links)
}

func (s *leanServer) onePage(ctx context.Context, out []byte, c handCaller, t titles, query string) ([]byte, int, error) {
	number, size := 1, 0
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		switch n, _ := strconv.Atoi(value); name {
		case "page":
			number = n
		case "limit":
			size = n
		}
	}
	var total int
	if err := s.count.QueryRowContext(ctx, c.company).Scan(&total); err != nil {
		return out, 0, err
	}
	people, of, err := s.pageRows(ctx, c, number, size)
	if err != nil || len(people) == 0 {
		return append(out, "[]"...), total, err
	}
	links, err := s.links(ctx, "user_id IN ("+of+")", size, t)
	if err != nil {
		return out, 0, err
	}
	out = append(out, '[')
	for i := range people {
		if i > 0 {
			out = append(out, ',')
		}
		out = people[i].append(out, t, links)
	}
	return append(out, ']'), total, nil
}

// pageRows returns the people of a page, and their ids as a list.
func (s *leanServer) pageRows(ctx context.Context, c handCaller, number, size int) ([]leanPerson, string, error) {
	rows, err := s.page.QueryContext(ctx, c.company, size, (number-1)*size)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	people, of := make([]leanPerson, 0, size), make([]byte, 0, 8*size)
	for rows.Next() {
		var p leanPerson
		if err := p.scan(rows); err != nil {
			return nil, "", err
		}
		people = append(people, p.clone())
		if len(of) > 0 {
			of = append(of, ',')
		}
		of = strconv.AppendInt(of, int64(p.id), 10)
	}
	return people, string(of), rows.Err()
}

// A leanPerson is a row of users as the driver holds it.
type leanPerson struct {
	id                                                     int
	name, email, image, mobile, gender, salutation, locale sql.RawBytes
}

func (p *leanPerson) scan(rows *sql.Rows) error {
	return rows.Scan(&p.id, &p.name, &p.email, &p.image, &p.mobile, &p.gender, &p.salutation, &p.locale)
}

// clone returns a copy that outlives the row, in one piece.
func (p *leanPerson) clone() leanPerson {
	out := leanPerson{id: p.id}
	all := make([]byte, 0, len(p.name)+len(p.email)+len(p.image)+len(p.mobile)+len(p.gender)+len(p.salutation)+len(p.locale))
	keep := func(b sql.RawBytes) sql.RawBytes {
		if b == nil {
			return nil
		}
		all = append(all, b...)
		return sql.RawBytes(all[len(all)-len(b):])
	}
	out.name, out.email, out.image, out.mobile = keep(p.name), keep(p.email), keep(p.image), keep(p.mobile)
	out.gender, out.salutation, out.locale = keep(p.gender), keep(p.salutation), keep(p.locale)
	return out
}

func (p *leanPerson) append(out []byte, t titles, links leanLinks) []byte {
	out = strconv.AppendInt(append(out, `{"id":`...), int64(p.id), 10)
	out = append(out, ',')
	out = p.appendMembers(out, `,"mobileNumber":{"countryCode":`, `,"salutation":`)
	return append(t.append(out, links[p.id]), '}')
}

// appendMembers appends the members that lists and profiles share, some of
// which are named differently there.
func (p *leanPerson) appendMembers(out []byte, mobile, salutation string) []byte {
	out = appendQuoted(append(out, `"name":`...), p.name)
	out = appendQuoted(append(out, `,"email":`...), p.email)
	out = appendQuoted(append(out, `,"image":`...), p.image)
	out = appendMobile(append(out, mobile...), p.mobile)
	out = appendQuoted(append(out, `,"gender":`...), p.gender)
	out = appendQuoted(append(out, salutation...), p.salutation)
	out = appendQuoted(append(out, `,"locale":`...), p.locale)
	return append(out, `,"designations":`...)
}

func appendEmployees(out []byte, rows *sql.Rows, err error, t titles, links leanLinks) ([]byte, int, error) {
	if err != nil {
		return out, 0, err
	}
	defer rows.Close()
	var p leanPerson
	n := 0
	out = append(out, '[')
	for ; rows.Next(); n++ {
		if err := p.scan(rows); err != nil {
			return out, 0, err
		}
		if n > 0 {
			out = append(out, ',')
		}
		out = p.append(out, t, links)
	}
	return append(out, ']'), n, rows.Err()
}

// appendMobile appends a number that is stored as "62 0811-123", or "".
func appendMobile(out, stored []byte) []byte {
	code, rest, found := strings.Cut(string(stored), " ")
	if !found {
		return append(out, `null,"number":null}`...)
	}
	out = append(append(out, code...), `,"number":`...)
	return append(appendQuoted(out, []byte(rest)), '}')
}

// appendQuoted appends JSON text; null for nil.
func appendQuoted(out, text []byte) []byte {
	if text == nil {
		return append(out, "null"...)
	}
	out = append(out, '"')
	start := 0
	for i, c := range text {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[start:i]...)
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			const hex = "0123456789ABCDEF"
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		start = i + 1
	}
	return append(append(out, text[start:]...), '"')
}

func (s *leanServer) showProfile(w http.ResponseWriter, r *http.Request, c handCaller) error {
	ctx := r.Context()
	buffer := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buffer)
	out, err := s.appendProfile(ctx, append((*buffer)[:0], '{'), c)
	*buffer = out
	if err != nil {
		return err
	}
	sendBody(w, out)
	return nil
}

func (s *leanServer) appendProfile(ctx context.Context, out []byte, c handCaller) ([]byte, error) {
	t, err := s.titles(ctx, c.company)
	if err != nil {
		return out, err
	}
	places, err := s.placesOf(ctx, c.user, t)
	if err != nil {
		return out, err
	}
	rows, err := s.profile.QueryContext(ctx, c.user)
	if err != nil {
		return out, err
	}
	defer rows.Close()
	if !rows.Next() {
		return out, sql.ErrNoRows
	}
	var p leanPerson
	if err := p.scan(rows); err != nil {
		return out, err
	}
	out = t.append(p.appendMembers(out, `,"mobileNumber":{"country_code":`, `,"salutaion":`), places)
	if err := rows.Close(); err != nil {
		return out, err
	}
	return s.appendFace(ctx, append(out, `,"faceLandmark":`...), c)
}

// placesOf returns those of one user's designations.
func (s *leanServer) placesOf(ctx context.Context, user int, t titles) ([]int, error) {
	rows, err := s.owned.QueryContext(ctx, user)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var places []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		at := len(places)
		places = append(places, t.place[id])
		for ; at > 0 && places[at-1] > places[at]; at-- {
			places[at-1], places[at] = places[at], places[at-1]
		}
	}
	return places, rows.Err()
}

// appendFace appends the registered landmarks, which are stored as the JSON
// that is shown.
func (s *leanServer) appendFace(ctx context.Context, out []byte, c handCaller) ([]byte, error) {
	var text string
	err := s.template.QueryRowContext(ctx, c.user).Scan(&text)
	if err == sql.ErrNoRows {
		return append(out, "[]}"...), nil
	}
	if err != nil {
		return out, err
	}
	plain, err := s.faces.Open(text, strconv.Itoa(c.company), strconv.Itoa(c.user))
	return append(append(out, plain...), '}'), err
}
