package attendance

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestSiteSets(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	for _, tt := range []struct {
		sets siteSets
		want bool
	}{
		{siteSets{}, true},
		{siteSets{Person: yes}, true},
		{siteSets{Designation: no}, false},
		{siteSets{Person: no, Shift: no, Business: yes}, true},
		{siteSets{Shift: no, Business: no}, false},
	} {
		if got := tt.sets.allow(); got != tt.want {
			t.Errorf("%+v: %v, want %v", tt.sets, got, tt.want)
		}
	}
}

// TestNearestSite chooses among sites of 100 metres, each so many metres north of the position.
func TestNearestSite(t *testing.T) {
	at := func(id int, metres float64, change ...func(*place)) place {
		p := place{site: site{ID: id, Latitude: north(metres).Lat, Longitude: centerLng, Radius: ptr(100)}}
		for _, c := range change {
			c(&p)
		}
		return p
	}
	notAllowed := func(p *place) { p.Allowed.Person = ptr(false) }
	unlimited := func(p *place) { p.Radius = nil }
	for _, tt := range []struct {
		name  string
		sites []place
		want  int
	}{
		{"the named one contains it", []place{at(1, 90), at(2, 0)}, 0},
		{"the named one does not", []place{at(1, 101), at(2, 90)}, 2},
		{"the nearest", []place{at(1, 500), at(2, 90), at(3, 10), at(4, 50)}, 3},
		{"none contains it", []place{at(1, 500), at(2, 101)}, 0},
		{"another that is not allowed", []place{at(1, 500), at(2, 10, notAllowed), at(3, 20)}, 3},
		{"the named one is not allowed", []place{at(1, 0, notAllowed), at(2, 90)}, 2},
		{"another without a radius", []place{at(1, 500), at(2, 10, unlimited)}, 0},
		{"the named one is without a radius", []place{at(1, 500, unlimited), at(2, 10)}, 0},
		{"the named one is not listed", []place{at(2, 0)}, 0},
		{"one of two occurrences allows it", []place{at(1, 500), at(2, 10, notAllowed), at(2, 10)}, 2},
	} {
		if got := nearestSite(tt.sites, 1, north(0)); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// An office is a world with a tree of businesses, in the lowest of which the user works, a
// designation that they hold, and two more sites.
type office struct {
	*world
	top, unit, other int // businesses
	title            int
	bandung, medan   *ent.Address
}

func newOffice(t *testing.T) *office {
	o := &office{world: newWorld(t)}
	named := func(name string) func(*ent.AddressCreate) { return func(a *ent.AddressCreate) { a.SetName(name) } }
	o.bandung, o.medan = o.addSite(t, named("Bandung")), o.addSite(t, named("Medan"))
	o.addSite(t, func(a *ent.AddressCreate) { a.SetName("Archived").SetActive(false) })
	o.Change(t, func(ctx context.Context, db *ent.Client) error {
		unit := func(name string) *ent.BusinessCreate {
			return db.Business.Create().SetCompanyID(o.Company.ID).SetName(name)
		}
		o.top, o.other = unit("Top").SaveX(ctx).ID, unit("Other").SaveX(ctx).ID
		middle := unit("Middle").SetParentID(o.top).SaveX(ctx).ID
		o.unit = unit("Unit").SetParentID(middle).SaveX(ctx).ID
		o.title = db.Designation.Create().SetCompanyID(o.Company.ID).SetName("Sales").SaveX(ctx).ID
		db.UserDesignation.Create().SetCompanyID(o.Company.ID).SetUserID(o.user.ID).SetDesignationID(o.title).ExecX(ctx)
		return db.User.UpdateOneID(o.user.ID).SetBusinessID(o.unit).Exec(ctx)
	})
	return o
}

// allow adds a site to a set.
func (o *office) allow(t *testing.T, of allowedplace.Of, id int, site *ent.Address) {
	t.Helper()
	o.Change(t, func(ctx context.Context, db *ent.Client) error {
		create := db.AllowedPlace.Create().SetCompanyID(o.Company.ID).SetOf(of).SetAddressID(site.ID)
		switch of {
		case allowedplace.OfUser:
			create.SetUserID(id)
		case allowedplace.OfShift:
			create.SetShiftID(id)
		case allowedplace.OfDesignation:
			create.SetDesignationID(id)
		default:
			create.SetBusinessID(id)
		}
		return create.Exec(ctx)
	})
}

// TestAllowedPlaces clocks in at each site with sets of every kind: the union of those that
// hold counts, and the list of allowed locations says the same.
func TestAllowedPlaces(t *testing.T) {
	type set struct {
		of   allowedplace.Of
		id   func(*office) int
		site func(*office) *ent.Address
	}
	user := func(o *office) int { return o.user.ID }
	worked := func(o *office) int { return o.assignment.ShiftID }
	title := func(o *office) int { return o.title }
	unit, top := func(o *office) int { return o.unit }, func(o *office) int { return o.top }
	pusat, bandung := func(o *office) *ent.Address { return o.site }, func(o *office) *ent.Address { return o.bandung }
	medan := func(o *office) *ent.Address { return o.medan }
	for _, tt := range []struct {
		name string
		sets []set
		want string // the sites that are allowed
	}{
		{"no set", nil, "[Bandung Medan Pusat]"},
		{"of the person", []set{{"user", user, bandung}}, "[Bandung]"},
		{"of the shift", []set{{"shift", worked, bandung}}, "[Bandung]"},
		{"of a designation", []set{{"designation", title, medan}}, "[Medan]"},
		{"of the business", []set{{"business", unit, pusat}}, "[Pusat]"},
		{"of a business above", []set{{"business", top, pusat}}, "[Pusat]"},
		{"of several", []set{{"user", user, bandung}, {"shift", worked, medan}, {"business", top, bandung}}, "[Bandung Medan]"},
		{"of others", []set{
			{"business", func(o *office) int { return o.other }, pusat},
			{"user", func(o *office) int { return o.User(t, "Agus").ID }, pusat},
			{"shift", func(o *office) int { return o.addShift(t, "01:00", "02:00", nil).ID }, pusat},
		}, "[Bandung Medan Pusat]"},
	} {
		o := newOffice(t)
		for _, s := range tt.sets {
			o.allow(t, s.of, s.id(o), s.site(o))
		}
		list, err := o.AllowedLocations(o.on(o.user, 7))
		if err != nil {
			t.Fatal(err)
		}
		listed, accepted := []string{}, []string{}
		for _, l := range list {
			listed = append(listed, l.Name)
		}
		for _, site := range []*ent.Address{o.bandung, o.medan, o.site} {
			_, err := o.clockIn(func(in *model.ClockInInput) { in.AddressID = given(site.ID) })
			if err == nil {
				accepted = append(accepted, site.Name)
				o.Advance(time.Second)
				err = o.clockOut()
				o.Advance(time.Hour)
			} else if wantCode(t, tt.name, err, "LOCATION_NOT_ALLOWED addressId"); true {
				err = nil
			}
			wantCode(t, tt.name+", out of "+site.Name, err, "")
		}
		if fmt.Sprint(listed) != tt.want || fmt.Sprint(accepted) != tt.want {
			t.Errorf("%s: listed %v, accepted %v, want %s", tt.name, listed, accepted, tt.want)
		}
	}
}

// TestPlacesAreWhatEntReads compares the allowed locations with the same questions
// asked through ent, for many viewers with sets at random.
func TestPlacesAreWhatEntReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		seen := map[string]int{}
		c := newCrowd(t, url, 23)
		for _, me := range c.viewers {
			ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
			got, err := c.AllowedLocations(ctx)
			if err != nil {
				t.Fatal(err)
			}
			listed, want := []int{}, []int{}
			for _, l := range got {
				listed = append(listed, l.AddressID)
			}
			today := c.today(me)
			if len(today) == 0 {
				today = append(today, nil)
			}
			for _, s := range c.DB.Address.Query().Where(address.Active(true)).Order(ent.Asc(address.FieldSortName, address.FieldID)).AllX(ctx) {
				if slices.ContainsFunc(today, func(o *ent.EmployeeShift) bool { return c.sets(me, s.ID, o).allow() }) {
					want = append(want, s.ID)
				}
			}
			if !slices.Equal(listed, want) {
				t.Errorf("viewer %+v: listed %v, want %v", me, listed, want)
			}
			seen[fmt.Sprint(len(want))]++
		}
		if len(seen) < 2 {
			t.Errorf("so many sites for so many viewers: %v, want restricted ones and others", seen)
		}
	})
}

// today returns the viewer's occurrences that start on the local date, or may be clocked in for now.
func (c *crowd) today(me *viewer.Viewer) []*ent.EmployeeShift {
	all := c.DB.EmployeeShift.Query().Where(employeeshift.UserID(me.UserID)).AllX(c.System())
	return slices.DeleteFunc(all, func(o *ent.EmployeeShift) bool {
		window := shift.Occurrence{ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
		return o.Date != string(shift.DateOf(c.Now(), shift.ZoneNamed(o.Timezone))) && !window.Open(c.Now())
	})
}

// TestSetOfOneShiftOfTwo lists what one of today's shifts allows and the other does not.
func TestSetOfOneShiftOfTwo(t *testing.T) {
	o := newOffice(t)
	evening := o.assign(t, o.user, o.addShift(t, "18:00", "22:00", nil))
	o.occurrence(t, evening, "2026-03-11")
	o.allow(t, allowedplace.OfShift, evening.ShiftID, o.bandung)
	o.allow(t, allowedplace.OfShift, o.assignment.ShiftID, o.medan)
	list, err := o.AllowedLocations(o.on(o.user, 7))
	if err != nil || len(list) != 2 || list[0].Name != "Bandung" || list[1].Name != "Medan" {
		t.Errorf("listed %v, %v", list, err)
	}
	_, err = o.clockIn(func(in *model.ClockInInput) { in.AddressID = given(o.bandung.ID) })
	wantCode(t, "in for the day at the site of the evening", err, "LOCATION_NOT_ALLOWED addressId")
}

// TestNearestAddress clocks in at the nearest allowed site around the position, whichever
// is named, where the company wants that.
func TestNearestAddress(t *testing.T) {
	o := newOffice(t)
	anywhere := o.addSite(t, func(a *ent.AddressCreate) { a.SetName("Anywhere").SetLatitude(1) })
	archived := o.DB.Address.Query().Where(address.Active(false)).OnlyX(o.System())
	o.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Address.UpdateOne(o.bandung).SetLatitude(centerNorth(500).Degrees).ExecX(ctx)
		db.Address.UpdateOne(o.medan).SetLatitude(centerNorth(620).Degrees).SetRadius(300).ExecX(ctx)
		return db.Address.UpdateOne(anywhere).ClearRadius().Exec(ctx)
	})
	for _, tt := range []struct {
		name    string
		named   int
		metres  float64 // to the north
		nearest bool    // the setting
		allowed []*ent.Address
		want    string
	}{
		{"at the one that is named", o.site.ID, 0, true, nil, "Pusat inside []"},
		{"at another", o.site.ID, 500, true, nil, "Bandung inside [other_site]"},
		{"at another, nearer to the second", o.site.ID, 590, true, nil, "Medan inside [other_site]"},
		{"at another alone", o.site.ID, 800, true, nil, "Medan inside [other_site]"},
		{"at another, without the setting", o.site.ID, 500, false, nil, "OUTSIDE_ALLOWED_LOCATION latitude"},
		{"at none", o.site.ID, 5000, true, nil, "OUTSIDE_ALLOWED_LOCATION latitude"},
		{"at the farther one, which is named", o.medan.ID, 500, true, nil, "Medan inside []"},
		{"at one that is not allowed", o.site.ID, 500, true, []*ent.Address{o.site}, "OUTSIDE_ALLOWED_LOCATION latitude"},
		{"at the second, the first being not allowed", o.site.ID, 500, true, []*ent.Address{o.site, o.medan}, "Medan inside [other_site]"},
		{"for one that is not allowed", o.bandung.ID, 500, true, []*ent.Address{o.medan}, "Medan inside [other_site]"},
		{"for one that is not allowed, at none", o.bandung.ID, 5000, true, []*ent.Address{o.medan}, "LOCATION_NOT_ALLOWED addressId"},
		{"for one without a radius", anywhere.ID, 500, true, nil, "Anywhere unlimited []"},
		{"for one that is archived", archived.ID, 500, true, nil, "LOCATION_NOT_ALLOWED addressId"},
		{"for none", 4711, 500, true, nil, "NOT_FOUND addressId"},
	} {
		o.Change(t, func(ctx context.Context, db *ent.Client) error {
			db.AllowedPlace.Delete().ExecX(ctx)
			_, err := db.Attendance.Delete().Exec(ctx)
			return err
		})
		for _, site := range tt.allowed {
			o.allow(t, allowedplace.OfUser, o.user.ID, site)
		}
		o.settings = setting.Values{"nearestAddress": tt.nearest}
		id, err := o.clockIn(func(in *model.ClockInInput) {
			in.AddressID, in.Latitude = given(tt.named), given(centerNorth(tt.metres))
		})
		got := apptest.Code(err)
		if err == nil {
			a := o.DB.Attendance.Query().Where(entAttendance.ID(id)).WithAddress().OnlyX(o.System())
			got = fmt.Sprint(a.Edges.Address.Name, " ", a.ClockedInGeofence, " ", a.ClockedInFlags)
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestClockOutElsewhere clocks out at a site that is in no set; that of the clock-in is
// always accepted.
func TestClockOutElsewhere(t *testing.T) {
	o := newOffice(t)
	_, err := o.clockIn()
	wantCode(t, "in", err, "")
	o.allow(t, allowedplace.OfUser, o.user.ID, o.bandung)
	o.Advance(time.Hour)
	at := func(site *ent.Address) out {
		return func(in *model.ClockOutInput) { in.AddressID = given(site.ID) }
	}
	wantCode(t, "out elsewhere", o.clockOut(at(o.medan)), "LOCATION_NOT_ALLOWED addressId")
	wantCode(t, "out at the site of the clock-in", o.clockOut(at(o.site)), "")
}
