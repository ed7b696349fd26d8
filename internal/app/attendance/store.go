package attendance

import (
	"context"
	"time"

	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/facegallery"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/app/approval"
	"workforce/internal/app/policysql"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// lockRow locks the row of a user's clock events until the transaction ends.
const lockRow = "UPDATE clock_states SET events = events + 1 WHERE user_id = ?"

// updateGallery stores a gallery. Nobody audits it.
const updateGallery = "UPDATE face_galleries SET version = ?, sealed = ? WHERE user_id = ?"

// attendancePolicy returns the policy of attendances.
func attendancePolicy() policysql.Policy {
	return policysql.Policy{Policy: entAttendance.Policy, Table: entAttendance.Table}
}

// sitePolicy returns the policy of work sites.
func sitePolicy() policysql.Policy {
	return policysql.Policy{Policy: address.Policy, Table: address.Table}
}

// siteSets say for each set of work sites that may hold for a person whether a site is in it: the
// person's own, the shift's, their designations', and that of their business and those above it.
// nil means that there is no set.
type siteSets struct {
	Person      *bool `sql:"person"`
	Shift       *bool `sql:"shift"`
	Designation *bool `sql:"designation"`
	Business    *bool `sql:"business"`
}

// selectSets selects the siteSets of the user :me for the address site and the occurrence o. No
// policy applies to the sets.
const selectSets = `
  (SELECT MAX(p.address_id = site.id) FROM allowed_places p WHERE p.user_id = :me) AS allowed_person,
  (SELECT MAX(p.address_id = site.id) FROM allowed_places p WHERE p.shift_id = o.shift_id) AS allowed_shift,
  (SELECT MAX(p.address_id = site.id) FROM user_designations d
   JOIN allowed_places p ON p.designation_id = d.designation_id WHERE d.user_id = :me) AS allowed_designation,
  CASE WHEN EXISTS (SELECT 1 FROM allowed_places p WHERE p.company_id = :company AND p.business_id > 0)
    THEN
    (SELECT MAX(p.address_id = site.id) FROM allowed_places p WHERE p.business_id IN (
      WITH RECURSIVE above (id) AS (SELECT w.business_id FROM users w WHERE w.id = :me
        UNION SELECT n.parent_id FROM above JOIN businesses n ON n.id = above.id)
      SELECT id FROM above)) END AS allowed_business`

// eventRows reads the rows that a clock event refers to: one row for each exemption of the user, or
// one row without.
var eventRows = policysql.Parse(`
SELECT t.timers, f.id IS NOT NULL AS has_face,
  o.id AS occurrence_id, o.date AS occurrence_date, o.clock_in_from AS occurrence_clock_in_from,
  o.clock_in_until AS occurrence_clock_in_until, o.timezone AS occurrence_timezone,
  o.evaluated_at IS NOT NULL AS occurrence_evaluated,
  site.id AS site_id, site.name AS site_name, site.latitude AS site_latitude, site.longitude AS site_longitude,
  site.radius AS site_radius, site.points AS site_points, site.policies AS site_policies, site.active AS site_active,
  c.id AS open_id, c.employee_shift_id AS open_shift_id, c.address_id AS open_address_id,
  c.work_date AS open_work_date,
  c.clocked_in_at AS open_clocked_in_at, c.clocked_in_source AS open_source, c.clocked_in_zone AS open_zone,
  c.clocked_in_latitude AS open_latitude, c.clocked_in_longitude AS open_longitude,
  c.clocked_in_accuracy AS open_accuracy,
  c.clocked_in_device_id AS open_device_id, c.clocked_in_verdict AS open_verdict,
  u.id AS person_id, u.joined_on AS person_joined_on, u.left_on AS person_left_on, u.policies AS person_policies,
  x.rule AS exemption_rule, x.ends_on AS exemption_ends_on,` + selectSets + `
FROM clock_states t
  LEFT JOIN attendances c ON c.user_id = :me AND c.open_marker = 1 AND policy(c)
  LEFT JOIN employee_shifts o ON o.id = :shift AND o.user_id = :me AND policy(o)
  LEFT JOIN addresses site ON site.id = COALESCE(:site, c.address_id) AND policy(site)
  LEFT JOIN users u ON u.id = :me AND policy(u)
  LEFT JOIN face_templates f ON f.user_id = :me AND f.in_force = 1 AND policy(f)
  LEFT JOIN exemptions x ON x.user_id = :me
WHERE t.user_id = :me`)

// readEvent reads into f the rows that a clock event refers to. Policies apply to all tables but
// the sets of sites and the exemptions.
func readEvent(ctx context.Context, r *request, f *facts) error {
	type eventRow struct {
		Timers     int            `sql:"timers"`
		HasFace    bool           `sql:"has_face"`
		Occurrence occurrence     `sql:"occurrence_"`
		Site       site           `sql:"site_"`
		Open       openAttendance `sql:"open_"`
		Person     person         `sql:"person_"`
		Allowed    siteSets       `sql:"allowed_"`
		Exemption  exemption      `sql:"exemption_"`
	}
	list, err := policysql.Select[eventRow](ctx, eventRows,
		policysql.Args{"me": r.me.UserID, "company": r.me.CompanyID, "shift": r.shiftID, "site": r.addressID},
		policysql.Policies{
			"c": attendancePolicy(), "site": sitePolicy(), "u": {Policy: user.Policy, Table: user.Table},
			"o": {Policy: employeeshift.Policy, Table: employeeshift.Table},
			"f": {Policy: facetemplate.Policy, Table: facetemplate.Table},
		})
	for i := range list {
		row := &list[i]
		f.timers, f.hasFace, f.allowed = row.Timers, row.HasFace, row.Allowed
		f.occurrence, f.site = orNil(&row.Occurrence, row.Occurrence.ID), orNil(&row.Site, row.Site.ID)
		f.open, f.person = orNil(&row.Open, row.Open.ID), orNil(&row.Person, row.Person.ID)
		if row.Exemption.Rule != "" {
			f.exemptions = append(f.exemptions, row.Exemption)
		}
	}
	return err
}

// clockInFacts reads what the rules ask about a clock-in. Intervals are half-open. What was
// recorded offline may lie before another attendance; what happens now does so only if the clock of
// the server that stored the other is ahead. A device is used only by people who have a session on it.
// Halves of leave add up.
var clockInFacts = policysql.Parse(`
SELECT
  EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = :company AND x.user_id = :me
    AND x.clocked_out_at > :at AND (x.clocked_in_at <= :at OR :offline = FALSE) AND policy(x)) AS overlaps,
  EXISTS (SELECT 1 FROM sessions s
    JOIN attendances d ON d.company_id = s.company_id AND d.user_id = s.user_id AND d.work_date = :date
    WHERE s.device_id = :device AND s.company_id = :company AND s.user_id <> :me
    AND (d.clocked_in_device_id = :device OR d.clocked_out_device_id = :device)) AS shared,
  EXISTS (SELECT 1 FROM holidays h WHERE h.company_id = :company AND h.date = :date AND h.half = FALSE
    AND (h.place = 0 OR h.place = :site)) AS holiday,
  COALESCE((SELECT SUM(CASE WHEN l.half THEN 1 ELSE 2 END) FROM leaves l
    WHERE l.company_id = :company AND l.user_id = :me AND l.state = 'approved' AND l.work_from_home = FALSE
    AND l.from_time IS NULL AND l.starts_on <= :date AND l.ends_on >= :date
    AND INSTR(l.dates, :date) > 0), 0) >= 2 AS on_leave,
  EXISTS (SELECT 1 FROM overtime_approvals v WHERE v.user_id = :me AND v.date >= :overtime_from) AS overtime,
  p.clocked_out_latitude AS last_latitude, p.clocked_out_longitude AS last_longitude,
  p.clocked_out_accuracy AS last_accuracy, p.clocked_out_at AS last_at
FROM clock_states t
  LEFT JOIN attendances p ON p.id = (SELECT y.id FROM attendances y WHERE y.company_id = :company AND y.user_id = :me
    AND y.clocked_out_at <= :at AND y.clocked_out_latitude IS NOT NULL AND policy(y)
    ORDER BY y.clocked_out_at DESC LIMIT 1)
WHERE t.user_id = :me`)

// readClockInFacts reads into f what the rules ask about a clock-in. The policy applies to the
// viewer's attendances. It does not apply to those of other people on the viewer's device.
func readClockInFacts(ctx context.Context, r *request, f *facts) error {
	type factsRow struct {
		Overlaps bool `sql:"overlaps"`
		Shared   bool `sql:"shared"`
		Holiday  bool `sql:"holiday"`
		OnLeave  bool `sql:"on_leave"`
		Overtime bool `sql:"overtime"`
		Last     fix  `sql:"last_"`
	}
	list, err := policysql.Select[factsRow](ctx, clockInFacts,
		policysql.Args{
			"me": r.me.UserID, "company": r.me.CompanyID, "device": r.me.DeviceID, "at": r.at(), "offline": r.offline(),
			"date": f.occurrence.Date, "site": f.site.ID, "overtime_from": r.overtimeFrom(),
		},
		policysql.Policies{"x": attendancePolicy(), "y": attendancePolicy()})
	for i := range list {
		row := &list[i]
		f.overlaps, f.shared, f.holiday = row.Overlaps, row.Shared, row.Holiday
		f.onLeave, f.overtime = row.OnLeave, row.Overtime
		if !row.Last.At.IsZero() {
			f.last = &row.Last
		}
	}
	return err
}

// clockOutFacts reads what the rules ask about a clock-out while an attendance is open.
var clockOutFacts = policysql.Parse(`
SELECT
  EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = :company AND x.user_id = :me
    AND x.clocked_out_at > :opened AND x.clocked_in_at < :at AND x.id <> :open AND policy(x)) AS overlaps,
  EXISTS (SELECT 1 FROM attendances y WHERE y.user_id = :me AND y.employee_shift_id = :shift
    AND y.clocked_in_at < :opened AND policy(y)) AS entered,
  EXISTS (SELECT 1 FROM overtime_approvals v WHERE v.user_id = :me AND v.date >= :overtime_from) AS overtime`)

// readClockOutFacts reads into f what the rules ask about a clock-out of the open attendance, within
// the policy.
func readClockOutFacts(ctx context.Context, r *request, f *facts) error {
	type factsRow struct {
		Overlaps bool `sql:"overlaps"`
		Entered  bool `sql:"entered"` // the occurrence had an attendance before the open one
		Overtime bool `sql:"overtime"`
	}
	list, err := policysql.Select[factsRow](ctx, clockOutFacts,
		policysql.Args{
			"me": r.me.UserID, "company": r.me.CompanyID, "at": r.at(), "shift": r.shiftID, "open": f.open.ID,
			"opened": f.open.ClockedInAt, "overtime_from": r.overtimeFrom(),
		},
		policysql.Policies{"x": attendancePolicy(), "y": attendancePolicy()})
	for _, row := range list {
		f.overlaps, f.overtime = row.Overlaps, row.Overtime
		f.ended = row.Entered && r.shiftID != f.open.ShiftID
	}
	return err
}

// overtimeFrom returns the first date whose overtime the event may change.
func (r *request) overtimeFrom() string {
	return string(shift.DateOf(r.at(), time.UTC).AddDays(-approval.OvertimeBefore))
}

// A sealedFace is what is stored of the viewer's face, encrypted.
type sealedFace struct {
	Version        int    `sql:"version"`         // of the template in force; 0 for none
	Template       string `sql:"template"`        // "" if the gallery is of its version
	GalleryVersion int    `sql:"gallery_version"` // 0 for no gallery
	Gallery        string `sql:"gallery"`
	Replayed       bool   `sql:"replayed"` // an event of the company came with the same array
}

// faceRows reads what is stored of the viewer's face.
var faceRows = policysql.Parse(`
SELECT f.version, CASE WHEN g.version = f.version AND g.sealed IS NOT NULL THEN NULL ELSE f.sealed END AS template,
  g.version AS gallery_version, g.sealed AS gallery,
  EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = :company AND x.face_digest IN (:digest, :older))
  OR EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = :company
    AND x.clocked_out_face_digest IN (:digest, :older)) AS replayed
FROM clock_states t
  LEFT JOIN face_templates f ON f.user_id = :me AND f.in_force = 1 AND policy(f)
  LEFT JOIN face_galleries g ON g.user_id = :me AND policy(g)
WHERE t.user_id = :me`)

// readSealedFace reads what is stored of the viewer's face, within the policy, and whether anybody
// of the company sent the same array before.
func readSealedFace(ctx context.Context, r *request) (sealedFace, error) {
	var digest, older []byte
	if n := len(r.digests); n > 0 {
		digest, older = r.digests[0], r.digests[n-1]
	}
	list, err := policysql.Select[sealedFace](ctx, faceRows,
		policysql.Args{"me": r.me.UserID, "company": r.me.CompanyID, "digest": digest, "older": older},
		policysql.Policies{
			"f": {Policy: facetemplate.Policy, Table: facetemplate.Table},
			"g": {Policy: facegallery.Policy, Table: facegallery.Table},
		})
	if err != nil || len(list) == 0 {
		return sealedFace{}, err
	}
	return list[0], nil
}

// A place is an active work site with the sets that it is in for an occurrence, or for none.
type place struct {
	site
	Address string   `sql:"address"`
	Allowed siteSets `sql:"allowed_"`
}

// places reads the active work sites by name: one row for each of some occurrences, or one row
// without.
var places = policysql.Parse(`
SELECT site.id, site.name, site.address, site.latitude, site.longitude, site.radius, site.points, site.policies,
  site.active,` +
	selectSets + `
FROM addresses site LEFT JOIN employee_shifts o ON in(o.id, :shifts) AND o.user_id = :me
WHERE site.active AND policy(site)
ORDER BY site.sort_name, site.id`)

// readPlaces reads the active work sites that the viewer sees, by name, with the sets that hold for
// their occurrences. Sites of several occurrences follow one another.
func readPlaces(ctx context.Context, me *viewer.Viewer, shifts ...int) ([]place, error) {
	return policysql.Select[place](ctx, places,
		policysql.Args{"me": me.UserID, "company": me.CompanyID, "shifts": shifts}, policysql.Policies{"site": sitePolicy()})
}
