package bench

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"workforce/internal/sealed"
)

// A floorServer is what a good engineer writes without further ado: net/http,
// database/sql with prepared statements, encoding/json of structs.
type floorServer struct {
	db *sql.DB

	users, page, count, titles *sql.Stmt
}

func newFloor(db *sql.DB, key sealed.Key) (http.Handler, error) {
	s := &floorServer{db: db}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	clock, err := newFloorClock(db, key)
	if err != nil {
		return nil, err
	}
	tokens, err := newHandTokens(db)
	if err != nil {
		return nil, err
	}
	day, err := newDayReader(db)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /user", tokens.signedIn(s.list))
	mux.Handle("GET /attendance/today", tokens.signedIn(day.show))
	mux.Handle("POST /attendance/clockIn", tokens.signedIn(clock.in))
	return mux, nil
}

const (
	handUsers = "SELECT id, name, email, image, mobile_number, gender, salutation, locale FROM users " +
		"WHERE company_id = ? AND active = 1 ORDER BY sort_name, id" // active alone keeps MariaDB from the index
	handTitles = "SELECT ud.user_id, d.id, d.name FROM user_designations ud JOIN designations d ON d.id = ud.designation_id WHERE "
	byTitle    = " ORDER BY d.sort_name, d.id"
)

func (s *floorServer) prepare() error {
	return prepareAll(s.db, map[**sql.Stmt]string{
		&s.users:  handUsers,
		&s.page:   handUsers + " LIMIT ? OFFSET ?",
		&s.count:  "SELECT COUNT(*) FROM users WHERE company_id = ? AND active = 1",
		&s.titles: handTitles + "ud.company_id = ?" + byTitle,
	})
}

func prepareAll(db *sql.DB, queries map[**sql.Stmt]string) (err error) {
	for stmt, query := range queries {
		if *stmt, err = db.Prepare(query); err != nil {
			return err
		}
	}
	return nil
}

type floorEmployee struct {
	ID           int                `json:"id"`
	Name         string             `json:"name"`
	Email        string             `json:"email"`
	Image        string             `json:"image"`
	MobileNumber floorNumber        `json:"mobileNumber"`
	Gender       *string            `json:"gender"`
	Salutation   *string            `json:"salutation"`
	Locale       string             `json:"locale"`
	Designations []floorDesignation `json:"designations"`
}

type floorNumber struct {
	CountryCode *int    `json:"countryCode"`
	Number      *string `json:"number"`
}

type floorDesignation struct {
	ID   int    `json:"id,string"`
	Name string `json:"name"`
}

// floorNumberOf reads a number as it is stored: "62 0811-123", or nothing.
func floorNumberOf(stored string) (n floorNumber) {
	code, rest, found := strings.Cut(stored, " ")
	if !found {
		return n
	}
	if c, err := strconv.Atoi(code); err == nil {
		n.CountryCode = &c
	}
	if rest != "" {
		n.Number = &rest
	}
	return n
}

func (s *floorServer) list(w http.ResponseWriter, r *http.Request, c handCaller) error {
	list, total, err := s.employees(r.Context(), c, r.FormValue("page"), r.FormValue("limit"))
	if err != nil {
		return err
	}
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	return sendJSON(w, list)
}

func sendJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err == nil {
		sendBody(w, body)
	}
	return err
}

func sendBody(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may be gone
}

// employees returns all of them by name, or a page, and how many there are.
func (s *floorServer) employees(ctx context.Context, c handCaller, page, limit string) ([]*floorEmployee, int, error) {
	if limit == "" {
		rows, err := s.users.QueryContext(ctx, c.company)
		list, err := scanEmployees(rows, err)
		if err != nil {
			return nil, 0, err
		}
		rows, err = s.titles.QueryContext(ctx, c.company)
		return list, len(list), addTitles(list, rows, err)
	}
	number, _ := strconv.Atoi(cmp.Or(page, "1"))
	size, _ := strconv.Atoi(limit)
	var total int
	if err := s.count.QueryRowContext(ctx, c.company).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := s.page.QueryContext(ctx, c.company, size, (number-1)*size)
	list, err := scanEmployees(rows, err)
	if err != nil || len(list) == 0 {
		return list, total, err
	}
	return list, total, s.titlesOf(ctx, list)
}

// titlesOf reads which designations some people hold.
func (s *floorServer) titlesOf(ctx context.Context, list []*floorEmployee) error {
	of := make([]any, len(list))
	for i, e := range list {
		of[i] = e.ID
	}
	marks := strings.Repeat(", ?", len(of))[2:]
	rows, err := s.db.QueryContext(ctx, handTitles+"ud.user_id IN ("+marks+")"+byTitle, of...)
	return addTitles(list, rows, err)
}

func scanEmployees(rows *sql.Rows, err error) ([]*floorEmployee, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []*floorEmployee{}
	for rows.Next() {
		e, number := &floorEmployee{Designations: []floorDesignation{}}, ""
		if err := rows.Scan(&e.ID, &e.Name, &e.Email, &e.Image, &number, &e.Gender, &e.Salutation, &e.Locale); err != nil {
			return nil, err
		}
		e.MobileNumber = floorNumberOf(number)
		list = append(list, e)
	}
	return list, rows.Err()
}

// addTitles reads who holds which designations.
func addTitles(list []*floorEmployee, rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	byID := make(map[int]*floorEmployee, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	for rows.Next() {
		var user int
		var d floorDesignation
		if err := rows.Scan(&user, &d.ID, &d.Name); err != nil {
			return err
		}
		if e := byID[user]; e != nil {
			e.Designations = append(e.Designations, d)
		}
	}
	return rows.Err()
}
