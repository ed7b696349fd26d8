package statements

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/device"
	"workforce/ent/employeeshift"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/app/tx"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestStatements sends the requests of countStatements in the name of somebody
// with 10 of everything and of somebody with 100: both take the same number of
// statements.
func TestStatements(t *testing.T) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			few, many := countStatements(t, open(t), 10), countStatements(t, open(t), 100)
			for what, n := range few {
				if many[what] != n {
					t.Errorf("%s: %d statements with 10 rows, %d with 100", what, n, many[what])
				}
			}
			t.Logf("statements: %v", few)
		})
	}
}

// deepQueries select what lies behind rows, and behind that.
var deepQueries = []string{
	`{ employees(limit: 500) { totalCount nodes { name designations { name } roles { name } business { name manager { name designations { name } } } } } }`,
	`{ users(first: 100) { edges { node { name roles { name permissions } designations { name } business { parent { name } children { name } } } } } }`,
	`{ attendances(first: 100) { totalCount edges { cursor node { clockedInAt user { name designations { name } } address { name } employeeShift { name shift { name } assignment { shift { name } } attendances { address { name } } } } } } }`,
	`{ attendances(first: 100) { edges { node { user { name roles { permissions } } employeeShift { attendances { user { name } } } } } } }`,
	`{ employeeShifts(first: 100) { edges { node { name user { name } attendances { user { name } address { name } } } } } }`,
	`{ sessions(first: 100) { edges { node { device { model trusts { user { name designations { name } } } } user { name } } } } }`,
	`{ devices(first: 100) { edges { node { trusts { user { name business { name manager { name } } } } } } } }`,
	`{ businesses(first: 100) { edges { node { name manager { name designations { name } } children { name manager { name } } } } } }`,
	`{ businesses(first: 100) { edges { node { userCount totalUserCount children { userCount totalUserCount } parent { totalUserCount } } } } }`,
	`{ designations(first: 100) { edges { node { userCount totalUserCount children { userCount totalUserCount } } } } }`,
	`{ employees(limit: 500) { nodes { designations { totalUserCount } business { userCount totalUserCount } } } }`,
	`{ employees(limit: 100) { nodes { manager { name designations { name } manager { name } } managers { name } } } }`,
	`{ users(first: 100) { edges { node { manager { name business { name } } } } } }`,
	`{ shiftAssignments(first: 100) { edges { node { user { name } shift { name } } } } }`,
	`{ addresses(first: 100) { edges { node { name } } } designations(first: 100) { edges { node { name } } } roles(first: 100) { edges { node { name permissions } } } shifts(first: 100) { edges { node { name } } } }`,
	`{ messages(first: 100) { edges { node { kind user { name } } } } auditEvents(first: 100) { edges { node { action actor { name } } } } }`,
	`{ coordinates(first: 100) { edges { node { latitude user { name } } } } coordinateReads(limit: 100) { nodes { reader { name } } } }`,
	`{ corrections(first: 100) { edges { node { before { clockInAt } after { clockInAt } user { name } address { name } attendance { clockedInAt } employeeShift { name shift { name } } } } } }`,
	`{ leaves(first: 100) { totalCount edges { node { dates user { name } leaveType { name } } } } leaveTypes(first: 100) { edges { node { name } } } }`,
	`{ timeEntries(first: 100) { totalCount edges { node { seconds tags user { name } task { title } project { name } category { name } address { name } corrects { seconds } } } } timeWeeks(first: 100) { edges { node { state user { name } } } } }`,
	`{ timeTotals(by: user, then: task) { seconds groups { label groups { label seconds } } } }`,
	`{ timeTotals(by: project, then: category, fillGaps: true) { seconds groups { label groups { label seconds } } } }`,
	`{ timeTotals(by: tag, then: address, rounding: {mode: outward, minutes: 15}) { seconds groups { label groups { label seconds } } } }`,
	`{ tickets(first: 100) { totalCount edges { node { number requester { name } assignee { name designations { name } } category { name } followers { name } comments { text user { name } } attachments { name } holds { kind user { name } } duplicateOf { number } } } } ticketCategories(first: 100) { edges { node { name } } } }`,
	`{ overtimeWaiting(limit: 100) { date overtimeSeconds user { name } } }`,
	`{ inboxCount { total clockEvents corrections leaves overtime weeks swaps devices faceResets } }`,
	`{ away(from: "2026-03-01", to: "2026-04-30") { name } }`,
	`{ attendances(first: 100) { edges { node { clockedInPosition { latitude } clockedOutPosition { latitude } user { name } } } } }`,
	`{ leaveBalances { leaveType { name } remaining } }`,
	`{ overtimeApprovals(first: 100) { edges { node { seconds user { name } } } } }`,
	`{ viewer { name roles { name permissions } designations { name } business { children { name } } } roleList { name userCount } }`,
}

// countStatements fills a database with a company that has n of everything, and
// returns how many statements each request of its first person took: all GET
// endpoints without required variables, deepQueries, clock events and sign-ins.
func countStatements(t *testing.T, database string, n int) map[string]int {
	c := counting{Server: harness.New(t, database, longTokens, harness.Uncached), n: n, counts: map[string]int{}}
	c.fill(t)
	c.SignIn(t, "me", c.address(0))
	me := harness.SignedIn("me")
	c.ask(t, "POST", "/device/register", nil, `{"deviceId":"again","platform":"ios"}`)
	c.ask(t, "GET", "/encrypt", nil, "")
	c.ask(t, "POST", "/encrypt", harness.DeviceOf("me"), `{"value":"text"}`)
	c.clock(t, me)
	for _, path := range append(queryPaths(t), "/user?limit=8", "/user?search=p",
		"/user?subtree=true&businessId={{top.business}}&designationId={{top.designation}}", "/organization/designation?businessId={{top.business}}") {
		c.ask(t, "GET", path, me, "")
	}
	for _, query := range deepQueries {
		text, _ := json.Marshal(map[string]string{"query": query})
		c.ask(t, "POST", "/graphql", me, string(text))
	}
	c.ask(t, "PUT", "/user/change-password", me, `{"oldPassword":"`+demo.Password+`","newPassword":"another-secret-7"}`)
	c.signInCounted(t)
	return c.counts
}

// queryPaths returns the paths of GET that query and need no variables.
func queryPaths(t *testing.T) (paths []string) {
	for _, e := range harness.Documents(t) {
		head, _, _ := strings.Cut(strings.TrimSpace(e.Text), "{")
		if e.Method == "GET" && strings.HasPrefix(head, "query") && !strings.Contains(head, "!") {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// longTokens lets access tokens live for a day.
func longTokens(s *server.Config) { s.AccessLife = harness.Day }

// clock has the caller come and go in n shifts of today.
func (c *counting) clock(t *testing.T, me map[string]string) {
	site := element(c.ask(t, "GET", "/attendance/allowedLocations", me, ""), 0)["addressId"]
	shifts := c.ask(t, "GET", "/attendance/shiftToday", me, "")
	for i := range c.n {
		body := fmt.Sprintf(`{"addressId":%q,"employeeShiftId":%q,"latitude":"-6.2","longitude":"106.816666"}`,
			site, element(shifts, i)["employeeShiftId"])
		c.ask(t, "POST", "/attendance/clockIn", me, body)
		c.Clock.Advance(time.Minute)
		c.ask(t, "POST", "/attendance/clockOut", me, body)
		c.Clock.Advance(time.Minute)
	}
}

func element(list any, i int) map[string]any { return list.([]any)[i].(map[string]any) }

// counting is a server whose statements are counted.
type counting struct {
	*harness.Server
	n      int
	counts map[string]int
	asked  int
}

func (c *counting) address(i int) string { return fmt.Sprintf("person%d@many.test", i) }

// ask sends a request that must succeed, and notes how many statements it took.
func (c *counting) ask(t *testing.T, method, path string, header map[string]string, body string) any {
	t.Helper()
	c.forget(t)
	c.asked++
	id := fmt.Sprintf("counted-%d-%d", c.n, c.asked)
	h := map[string]string{"X-Req-Id": id, "Content-Type": "application/json"}
	for name, value := range header {
		for key, v := range c.Vars {
			value = strings.ReplaceAll(value, "{{"+key+"}}", v)
		}
		h[name] = value
	}
	for key, v := range c.Vars {
		path = strings.ReplaceAll(path, "{{"+key+"}}", v)
	}
	a, err := c.Server.Ask(method, path, h, body)
	var data any
	_ = json.Unmarshal([]byte(a.Body), &data)
	if err != nil || a.Status != http.StatusOK || strings.Contains(a.Body, `"errors"`) {
		t.Fatalf("%s %s: %d %s %v", method, path, a.Status, a.Body, err)
	}
	n := c.statements(t, id)
	what := method + " " + path
	if path == "/graphql" {
		what = body
	}
	if before, ok := c.counts[what]; ok && before != n && !strings.HasPrefix(what, "GET ") { // that may make what is missing
		t.Errorf("%s: %d statements, and before, with fewer rows, %d", what, n, before)
	}
	c.counts[what] = n
	return data
}

// forget has the server ask again what tokens stand for, as it would after a
// while: any change of a device does that.
func (c *counting) forget(t *testing.T) {
	t.Helper()
	err := c.Store.Ent.Device.Update().Where(device.ID(0)).SetPlatform(device.PlatformWeb).Exec(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
}

// statements returns how many a request took. The log tells, once the answer is
// sent.
func (c *counting) statements(t *testing.T, id string) int {
	t.Helper()
	line := regexp.MustCompile(`statements=(\d+) requestId=` + id + ` `)
	var found []string
	c.Wait(t, "a line about "+id, func() bool { found = line.FindStringSubmatch(c.Log.Lines()); return found != nil })
	n, _ := strconv.Atoi(found[1])
	return n
}

// signInCounted goes through all that can be done about a session.
func (c *counting) signInCounted(t *testing.T) {
	to := c.address(1)
	text := func(answer any, member string) string { return answer.(map[string]any)[member].(string) }
	with := harness.Head("X-Device-Token", text(c.ask(t, "POST", "/device/register", nil, `{"deviceId":"new","platform":"android"}`), "deviceToken"))
	with["x-User-Token"] = text(c.ask(t, "POST", "/user/login", with, `{"username":"`+to+`","password":"`+demo.Password+`"}`), "userToken")
	c.ask(t, "POST", "/authorize/verify", with, `{"otp":"`+c.Log.Code(t, to, 1)+`"}`)
	refresh := text(c.ask(t, "GET", "/authorize/access-token", with, ""), "refreshToken")
	access := text(c.ask(t, "GET", "/authorize/refresh-token", harness.Head("X-Refresh-Token", refresh), ""), "accessToken")
	c.ask(t, "POST", "/user/logout", harness.Head("X-Access-Token", access), "")
	id := text(c.ask(t, "POST", "/user/forgot-password", with, `{"username":"`+to+`"}`), "id")
	c.ask(t, "POST", "/user/reset-password", with, `{"id":"`+id+`","otp":"`+c.Log.Code(t, to, 2)+`","password":"another-secret-8"}`)
}

// fill makes a company with n people, sites, businesses, designations, roles and
// shifts, and two people who have n of whatever one can have several of.
func (c *counting) fill(t *testing.T) {
	ctx := viewer.System(ent.NewContext(t.Context(), c.Store.Ent))
	hash, err := c.Services.Hasher.Hash(ctx, demo.Password)
	if err != nil {
		t.Fatal(err)
	}
	err = tx.With(ctx, c.Store.Ent, func(db *ent.Client) error { return demo.FillMany(ctx, db, harness.Morning.UTC(), hash, c.n) })
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		harness.Rewrite(t, ctx, c.Store.Ent, func(db *ent.Client) { c.enrich(ctx, db, c.address(i)) })
	}
	company := c.Store.Ent.User.Query().Where(user.EmailKey(c.address(0))).OnlyX(ctx).CompanyID
	c.Vars["top.business"] = strconv.Itoa(c.Store.Ent.Business.Query().Where(business.CompanyID(company), business.ParentIDIsNil()).OnlyIDX(ctx))
	c.Vars["top.designation"] = strconv.Itoa(c.Store.Ent.Designation.Query().Where(designation.CompanyID(company), designation.ParentIDIsNil()).OnlyIDX(ctx))
}

// enrich gives somebody n roles, shifts, occurrences today, and sessions on
// devices that they trust.
func (c *counting) enrich(ctx context.Context, db *ent.Client, email string) {
	u := db.User.Query().Where(user.EmailKey(email)).OnlyX(ctx)
	o := db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID)).FirstX(ctx)
	for i := range c.n {
		name := fmt.Sprint(email, i)
		r := db.Role.Create().SetCompanyID(u.CompanyID).SetName(name).SetCustomPermissions([]string{"task.read.own"}).SaveX(ctx)
		db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(r.ID).ExecX(ctx)
		s := db.Shift.Create().SetCompanyID(u.CompanyID).SetName(name).SetStartTime("00:00").SetEndTime("23:59").SaveX(ctx)
		db.ShiftAssignment.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(s.ID).
			SetStartsOn("2026-01-01").SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).ExecX(ctx)
		kind := db.LeaveType.Create().SetCompanyID(u.CompanyID).SetName(name).SetYearlyAllowance(5).SaveX(ctx)
		on, now := fmt.Sprintf("2027-%02d-%02d", 1+i/28, 1+i%28), harness.Morning.UTC()
		db.Leave.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetStartsOn(on).SetEndsOn(on).SetDates([]string{on}).
			SetReason("x").SetCreatedAt(now).SetExpiresAt(now).ExecX(ctx)
		db.Correction.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetCoversFrom(o.StartAt).SetCoversUntil(o.EndAt).
			SetReason("x").SetCreatedAt(now).SetExpiresAt(now).ExecX(ctx)
		db.OvertimeApproval.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDate(on).SetApproved(true).SetSeconds(60).SetDecidedBy(u.ID).SetDecidedAt(now).ExecX(ctx)
		kindOf := db.TicketCategory.Create().SetCompanyID(u.CompanyID).SetName(name).SaveX(ctx)
		asked := db.Ticket.Create().SetCompanyID(u.CompanyID).SetRequesterID(u.ID).SetAssigneeID(u.ID).SetCategoryID(kindOf.ID).SetNumber(kindOf.ID + 1000).SetSubject(name).
			SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
		db.TicketFollower.Create().SetCompanyID(u.CompanyID).SetTicketID(asked.ID).SetUserID(u.ID).ExecX(ctx)
		db.TicketComment.Create().SetCompanyID(u.CompanyID).SetTicketID(asked.ID).SetUserID(u.ID).SetText("x").SetCreatedAt(now).ExecX(ctx)
		booked := db.Task.Create().SetCompanyID(u.CompanyID).SetCreatorID(u.ID).SetTitle(name).SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
		within := db.Project.Create().SetCompanyID(u.CompanyID).SetName(name).SetCreatedAt(now).SaveX(ctx)
		as := db.TaskCategory.Create().SetCompanyID(u.CompanyID).SetName(name).SaveX(ctx)
		for _, hours := range []time.Duration{1, 20} { // the second goes on over midnight
			end := now.Add((hours - 24) * time.Hour)
			db.TimeEntry.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetTaskID(booked.ID).SetProjectID(within.ID).SetCategoryID(as.ID).
				SetAddressID(db.Address.Query().FirstIDX(ctx)).SetKind(entTimeEntry.KindBooked).SetStartedAt(now.Add(-24 * time.Hour)).SetEndedAt(end).
				SetSeconds(int(hours) * 3600).SetDate("2026-03-09").SetLastDate(end.In(harness.Morning.Location()).Format(time.DateOnly)).SetTimezone("Asia/Jakarta").
				SetTags([]string{name}).SetCreatedAt(now).SetUpdatedAt(now).ExecX(ctx)
		}
		db.TimeWeek.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetStartsOn(on).SetEndsOn(on).SetSeconds(0).SetSubmittedAt(now).ExecX(ctx)
		hash := sha256.Sum256([]byte(name))
		d := db.Device.Create().SetDeviceID(name).SetPlatform("ios").SetTokenHash(hash[:]).SetCreatedAt(harness.Morning.UTC()).SaveX(ctx)
		db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(harness.Morning.UTC()).ExecX(ctx)
		db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetFamily(hash[:16]).
			SetCreatedAt(harness.Morning.UTC()).SetVerifiedAt(harness.Morning.UTC()).SetEndsAt(harness.Morning.UTC().AddDate(0, 1, 0)).ExecX(ctx)
	}
}
