package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// The documents that dashboards send.
const (
	employeesQuery = `query Employees {
  employees(limit: 1000) {
    nodes {
      id: databaseId name email image
      mobileNumber { countryCode number }
      gender salutation locale
      designations { id name }
    }
  }
}`
	dashboardQuery = `query Dashboard {
  attendances(first: 100, orderBy: {field: CLOCKED_IN_AT, direction: DESC}) {
    totalCount
    edges {
      node {
        id workDate clockedInAt clockedInLocal clockedInGeofence clockedInDistance clockedOutAt needsConfirmation faceVerdict
        user { id name image designations { id name } }
        address { id name }
        employeeShift { name startAt endAt }
      }
    }
    pageInfo { hasNextPage }
  }
}`
	dashboardRows = 100
)

// operation renders the body of a GraphQL request.
func operation(name, query string) string {
	body, _ := json.Marshal(map[string]string{"operationName": name, "query": query}) // text
	return string(body)
}

const handDashboard = "SELECT a.id, a.work_date, a.clocked_in_at, a.clocked_in_local, a.clocked_in_geofence, a.clocked_in_distance, " +
	"a.clocked_out_at, a.needs_confirmation, a.face_verdict, u.id, u.name, u.image, p.id, p.name, o.name, o.start_at, o.end_at " +
	"FROM (SELECT id, work_date, clocked_in_at, clocked_in_local, clocked_in_geofence, clocked_in_distance, clocked_out_at, " +
	"needs_confirmation, face_verdict, user_id, address_id, employee_shift_id FROM attendances WHERE company_id = ? ORDER BY clocked_in_at DESC, id DESC LIMIT 101) a " + // one more tells whether there are more
	"JOIN users u ON u.id = a.user_id JOIN addresses p ON p.id = a.address_id JOIN employee_shifts o ON o.id = a.employee_shift_id " +
	"ORDER BY a.clocked_in_at DESC, a.id DESC"

// An asked is an operation that is asked for.
type asked struct {
	OperationName string            `json:"operationName"`
	Query         string            `json:"query"`
	Variables     map[string]string `json:"variables"`
}

// operationName reads which operation is asked for.
func operationName(r *http.Request) (a asked, err error) {
	err = json.NewDecoder(r.Body).Decode(&a)
	return a, err
}

var errUnknownOperation = errors.New("unknown operation")

func (s *floorServer) graphql(w http.ResponseWriter, r *http.Request, c handCaller) error {
	asked, err := operationName(r)
	if err != nil {
		return err
	}
	var data any
	switch asked.OperationName {
	case "Employees":
		list, _, err := s.employees(r.Context(), c, "", "")
		if err != nil {
			return err
		}
		data = map[string]any{"employees": map[string]any{"nodes": list}}
	case "Dashboard":
		d, err := s.dashboard(r.Context(), c)
		if err != nil {
			return err
		}
		data = map[string]any{"attendances": d}
	case "Roster":
		week, err := s.week.read(r.Context(), c)
		if err != nil {
			return err
		}
		data = map[string]any{"roster": week}
	case "Month", "Summary":
		data, err = s.sheets.answer(r.Context(), c, asked)
		if err != nil {
			return err
		}
	case "Grouping":
		totals, err := s.works.group(r.Context(), c, asked.Variables["from"], asked.Variables["to"])
		if err != nil {
			return err
		}
		data = map[string]any{"timeTotals": totals}
	case "Start":
		return s.timers.answer(w, r, c, asked)
	default:
		return errUnknownOperation
	}
	return sendJSON(w, map[string]any{"data": data})
}

type floorDashboard struct {
	TotalCount int         `json:"totalCount"`
	Edges      []floorEdge `json:"edges"`
	PageInfo   struct {
		HasNextPage bool `json:"hasNextPage"`
	} `json:"pageInfo"`
}

type floorEdge struct {
	Node *floorAttendance `json:"node"`
}

type floorAttendance struct {
	ID                int        `json:"id,string"`
	WorkDate          string     `json:"workDate"`
	ClockedInAt       string     `json:"clockedInAt"`
	ClockedInLocal    string     `json:"clockedInLocal"`
	ClockedInGeofence string     `json:"clockedInGeofence"`
	ClockedInDistance *int       `json:"clockedInDistance"`
	ClockedOutAt      *string    `json:"clockedOutAt"`
	NeedsConfirmation bool       `json:"needsConfirmation"`
	FaceVerdict       string     `json:"faceVerdict"`
	User              floorUser  `json:"user"`
	Address           floorPlace `json:"address"`
	EmployeeShift     floorShift `json:"employeeShift"`
}

type floorUser struct {
	ID           int                `json:"id,string"`
	Name         string             `json:"name"`
	Image        string             `json:"image"`
	Designations []floorDesignation `json:"designations"`
}

type floorPlace struct {
	ID   int    `json:"id,string"`
	Name string `json:"name"`
}

type floorShift struct {
	Name    string `json:"name"`
	StartAt string `json:"startAt"`
	EndAt   string `json:"endAt"`
}

func (s *floorServer) dashboard(ctx context.Context, c handCaller) (*floorDashboard, error) {
	d := &floorDashboard{Edges: []floorEdge{}}
	if err := s.attendanceCount.QueryRowContext(ctx, c.company).Scan(&d.TotalCount); err != nil {
		return nil, err
	}
	rows, err := s.attendances.QueryContext(ctx, c.company)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		a, err := scanAttendance(rows)
		if err != nil {
			return nil, err
		}
		d.Edges = append(d.Edges, floorEdge{a})
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(d.Edges) > dashboardRows {
		d.Edges, d.PageInfo.HasNextPage = d.Edges[:dashboardRows], true
	}
	return d, s.dashboardTitles(ctx, d)
}

func scanAttendance(rows *sql.Rows) (*floorAttendance, error) {
	a := &floorAttendance{}
	var in, start, end time.Time
	var out *time.Time
	err := rows.Scan(&a.ID, &a.WorkDate, &in, &a.ClockedInLocal, &a.ClockedInGeofence, &a.ClockedInDistance, &out,
		&a.NeedsConfirmation, &a.FaceVerdict, &a.User.ID, &a.User.Name, &a.User.Image, &a.Address.ID, &a.Address.Name,
		&a.EmployeeShift.Name, &start, &end)
	a.ClockedInAt = in.Format(time.RFC3339)
	a.EmployeeShift.StartAt, a.EmployeeShift.EndAt = start.Format(time.RFC3339), end.Format(time.RFC3339)
	if out != nil {
		text := out.Format(time.RFC3339)
		a.ClockedOutAt = &text
	}
	return a, err
}

// dashboardTitles reads the designations of everybody shown, each person once.
func (s *floorServer) dashboardTitles(ctx context.Context, d *floorDashboard) error {
	people := map[int]*floorEmployee{}
	var list []*floorEmployee
	for _, e := range d.Edges {
		if people[e.Node.User.ID] == nil {
			p := &floorEmployee{ID: e.Node.User.ID, Designations: []floorDesignation{}}
			people[p.ID] = p
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if err := s.titlesOf(ctx, list); err != nil {
		return err
	}
	for _, e := range d.Edges {
		e.Node.User.Designations = people[e.Node.User.ID].Designations
	}
	return nil
}

func (s *leanServer) graphql(w http.ResponseWriter, r *http.Request, c handCaller) error {
	asked, err := operationName(r)
	if err != nil {
		return err
	}
	buffer := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buffer)
	out := (*buffer)[:0]
	switch asked.OperationName {
	case "Employees":
		out, _, err = s.employees(r.Context(), append(out, `{"data":{"employees":{"nodes":`...), c, "")
		out = append(out, "}}}"...)
	case "Dashboard":
		out, err = s.dashboard(r.Context(), append(out, `{"data":{"attendances":{"totalCount":`...), c)
	case "Roster":
		week, err := s.week.read(r.Context(), c)
		if err != nil {
			return err
		}
		return sendJSON(w, map[string]any{"data": map[string]any{"roster": week}})
	case "Month", "Summary":
		data, err := s.sheets.answer(r.Context(), c, asked)
		if err != nil {
			return err
		}
		return sendJSON(w, map[string]any{"data": data})
	case "Grouping":
		totals, err := s.works.group(r.Context(), c, asked.Variables["from"], asked.Variables["to"])
		if err != nil {
			return err
		}
		return sendJSON(w, map[string]any{"data": map[string]any{"timeTotals": totals}})
	case "Start":
		return s.timers.answer(w, r, c, asked)
	default:
		err = errUnknownOperation
	}
	*buffer = out
	if err != nil {
		return err
	}
	sendBody(w, out)
	return nil
}

// A leanRow is an attendance as the driver holds it; cut is where the user's
// designations go.
type leanRow struct {
	user, cut int
	text      []byte
}

func (s *leanServer) dashboard(ctx context.Context, out []byte, c handCaller) ([]byte, error) {
	t, err := s.titles(ctx, c.company)
	if err != nil {
		return out, err
	}
	var total int
	if err := s.attendanceCount.QueryRowContext(ctx, c.company).Scan(&total); err != nil {
		return out, err
	}
	list, of, err := s.dashboardRows(ctx, c)
	if err != nil {
		return out, err
	}
	more := len(list) > dashboardRows
	list = list[:min(len(list), dashboardRows)]
	links := leanLinks{}
	if of != "" {
		if links, err = s.links(ctx, "user_id IN ("+of+")", dashboardRows, t); err != nil {
			return out, err
		}
	}
	out = append(strconv.AppendInt(out, int64(total), 10), `,"edges":[`...)
	for i, row := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = t.append(append(out, row.text[:row.cut]...), links[row.user])
		out = append(out, row.text[row.cut:]...)
	}
	out = append(out, `],"pageInfo":{"hasNextPage":`...)
	return append(strconv.AppendBool(out, more), "}}}}"...), nil
}

// dashboardRows returns the attendances of a dashboard, rendered, and the ids of
// those who are shown as a list.
func (s *leanServer) dashboardRows(ctx context.Context, c handCaller) (list []leanRow, of string, err error) {
	rows, err := s.attendances.QueryContext(ctx, c.company)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	var people []byte
	text := make([]byte, 0, 64<<10)
	for rows.Next() {
		start := len(text)
		row := leanRow{}
		if text, err = row.append(text, rows); err != nil {
			return nil, "", err
		}
		row.text, row.cut = text[start:], row.cut-start
		list = append(list, row)
		if len(people) > 0 {
			people = append(people, ',')
		}
		people = strconv.AppendInt(people, int64(row.user), 10)
	}
	return list, string(people), rows.Err()
}

func (row *leanRow) append(text []byte, rows *sql.Rows) ([]byte, error) {
	var id, site int64
	var date, local, fence, distance, verdict, name, image, place, shift sql.RawBytes
	var in, start, end time.Time
	var out sql.NullTime
	var confirm bool
	err := rows.Scan(&id, &date, &in, &local, &fence, &distance, &out, &confirm, &verdict, &row.user, &name, &image, &site, &place, &shift, &start, &end)
	if err != nil {
		return text, err
	}
	instant := func(key string, t time.Time) {
		text = append(t.AppendFormat(append(append(text, key...), '"'), time.RFC3339), '"')
	}
	quoted := func(key string, value []byte) { text = appendQuoted(append(text, key...), value) }
	text = strconv.AppendInt(append(text, `{"node":{"id":"`...), id, 10)
	quoted(`","workDate":`, date)
	instant(`,"clockedInAt":`, in)
	quoted(`,"clockedInLocal":`, local)
	quoted(`,"clockedInGeofence":`, fence)
	text = append(text, `,"clockedInDistance":`...)
	if distance == nil {
		distance = sql.RawBytes("null")
	}
	text = append(text, distance...)
	if out.Valid {
		instant(`,"clockedOutAt":`, out.Time)
	} else {
		text = append(text, `,"clockedOutAt":null`...)
	}
	text = strconv.AppendBool(append(text, `,"needsConfirmation":`...), confirm)
	quoted(`,"faceVerdict":`, verdict)
	text = strconv.AppendInt(append(text, `,"user":{"id":"`...), int64(row.user), 10)
	quoted(`","name":`, name)
	quoted(`,"image":`, image)
	text = append(text, `,"designations":`...)
	row.cut = len(text)
	text = strconv.AppendInt(append(text, `},"address":{"id":"`...), site, 10)
	quoted(`","name":`, place)
	quoted(`},"employeeShift":{"name":`, shift)
	instant(`,"startAt":`, start)
	instant(`,"endAt":`, end)
	return append(text, "}}}"...), nil
}
