package permissions

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/device"
	"workforce/ent/employeeshift"
	entExemption "workforce/ent/exemption"
	"workforce/ent/facereset"
	"workforce/ent/fallbackshift"
	"workforce/ent/holiday"
	"workforce/ent/leavetype"
	entMessage "workforce/ent/message"
	"workforce/ent/migrate"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/ent/plannedday"
	entPosition "workforce/ent/position"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/ent/role"
	"workforce/ent/rotation"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftswap"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
)

// A rowMaker finds or makes a row about a user, or of their company.
type rowMaker func(ctx context.Context, db *ent.Client, u *ent.User) (int, error)

// rowMakers make rows of the entities that the demo has none of, or whose rows
// operations remove: these are made anew each time. Of other entities the first
// row of the demo is taken.
var rowMakers = map[string]rowMaker{
	"Role": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Role.Query().Where(role.CompanyID(u.CompanyID), role.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Role.Create().SetCompanyID(u.CompanyID).SetName("empty").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"APIKey": func(ctx context.Context, db *ent.Client, u *ent.User) (id int, err error) {
		hash := make([]byte, 32)
		_, _ = rand.Read(hash) // never fails
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.APIKey.Create().SetCompanyID(u.CompanyID).SetCreatorID(u.ID).SetName("x").SetPermissions([]string{}).
				SetHash(hash).
				SetCreatedAt(harness.Morning).SetExpiresAt(harness.Morning).SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"Business": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Business.Query().Where(business.CompanyID(u.CompanyID), business.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Business.Create().SetCompanyID(u.CompanyID).SetName("empty").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"Designation": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Designation.Query().Where(designation.CompanyID(u.CompanyID), designation.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Designation.Create().SetCompanyID(u.CompanyID).SetName("empty").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"Address": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Address.Query().Where(address.CompanyID(u.CompanyID), address.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		a, err := db.Address.Create().SetCompanyID(u.CompanyID).SetName("empty").SetAddress("").SetLatitude(1).SetLongitude(1).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"Holiday": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Holiday.Query().Where(holiday.CompanyID(u.CompanyID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		h, err := db.Holiday.Create().SetCompanyID(u.CompanyID).SetName("empty").SetDate("2026-01-01").Save(ctx)
		if err != nil {
			return 0, err
		}
		return h.ID, nil
	},
	"AllowedPlace": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.AllowedPlace.Query().Where(allowedplace.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		site, err := db.Address.Query().Where(address.CompanyID(u.CompanyID)).Order(ent.Asc(address.FieldID)).FirstID(ctx)
		if err != nil {
			return 0, err
		}
		p, err := db.AllowedPlace.Create().SetCompanyID(u.CompanyID).SetOf(allowedplace.OfUser).SetUserID(u.ID).SetAddressID(site).Save(ctx)
		if err != nil {
			return 0, err
		}
		return p.ID, nil
	},
	"Position": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Position.Query().Where(entPosition.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		now := harness.Morning.UTC()
		p, err := db.Position.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRecordedAt(now).SetReceivedAt(now).
			SetLatitude(-6.2).SetLongitude(106.8).SetSource(entPosition.SourceReport).Save(ctx)
		if err != nil {
			return 0, err
		}
		return p.ID, nil
	},
	"Exemption": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Exemption.Query().Where(entExemption.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		x, err := db.Exemption.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRule(entExemption.RuleSpeed).SetEndsOn("2026-12-31").Save(ctx)
		if err != nil {
			return 0, err
		}
		return x.ID, nil
	},
	"Shift": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		s, err := db.Shift.Create().SetCompanyID(u.CompanyID).SetName("empty").SetStartTime("08:00").SetEndTime("17:00").Save(ctx)
		if err != nil {
			return 0, err
		}
		return s.ID, nil
	},
	"ShiftAssignment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		work, err := db.Shift.Query().Where(entShift.CompanyID(u.CompanyID)).FirstID(ctx)
		if err != nil {
			return 0, err
		}
		a, err := db.ShiftAssignment.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(work).
			SetStartsOn("2031-01-01").SetWeekdays([]int{1}).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"Rotation": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Rotation.Query().Where(rotation.CompanyID(u.CompanyID), rotation.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Rotation.Create().SetCompanyID(u.CompanyID).SetName("empty").SetDays([]int{0}).SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"RotationAssignment": func(ctx context.Context, db *ent.Client, u *ent.User) (id int, err error) {
		err = tx.With(ctx, db, func(db *ent.Client) error {
			r, err := db.Rotation.Query().Where(rotation.CompanyID(u.CompanyID), rotation.Name("given")).FirstID(ctx)
			if ent.IsNotFound(err) {
				r = db.Rotation.Create().SetCompanyID(u.CompanyID).SetName("given").SetDays([]int{0}).SaveX(ctx).ID
			}
			id = db.RotationAssignment.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRotationID(r).SetStartsOn("2031-01-01").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"FallbackShift": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.FallbackShift.Query().Where(fallbackshift.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		work, err := db.Shift.Query().Where(entShift.CompanyID(u.CompanyID)).FirstID(ctx)
		if err != nil {
			return 0, err
		}
		f, err := db.FallbackShift.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(work).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return f.ID, nil
	},
	"PlannedDay": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.PlannedDay.Query().Where(plannedday.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		d, err := db.PlannedDay.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDate("2031-01-01").SetShiftIds([]int{}).Save(ctx)
		if err != nil {
			return 0, err
		}
		return d.ID, nil
	},
	"ShiftSwap": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.ShiftSwap.Query().Where(shiftswap.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		work, err := db.Shift.Query().Where(entShift.CompanyID(u.CompanyID)).FirstID(ctx)
		if err != nil {
			return 0, err
		}
		w, err := db.ShiftSwap.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDate("2031-01-01").SetShiftID(work).SetWantedDate("2031-01-01").
			SetWantedShiftID(work).SetExpiresAt(harness.Morning).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return w.ID, nil
	},
	"LeaveType": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		t, err := db.LeaveType.Create().SetCompanyID(u.CompanyID).SetName("empty " + rand.Text()).Save(ctx)
		if err != nil {
			return 0, err
		}
		return t.ID, nil
	},
	"Report": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		r, err := db.Report.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind(entReport.KindTask).SetFormat(entReport.FormatCsv).
			SetFromDate("2026-03-02").SetToDate("2026-03-08").SetLanguage("id").SetTimezone("Asia/Jakarta").
			SetCreatedAt(harness.Morning).SetExpiresAt(harness.Morning.AddDate(1, 0, 0)).Save(ctx)
		if err != nil {
			return 0, err
		}
		return r.ID, nil
	},
	"ReportSchedule": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		r, err := db.ReportSchedule.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetCreatedBy(u.ID).SetKind(reportschedule.KindTask).
			SetFormat(reportschedule.FormatCsv).SetEvery(reportschedule.EveryWeek).SetDueAt(harness.Morning.AddDate(1, 0, 0)).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return r.ID, nil
	},
	"Leave": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		kind, err := db.LeaveType.Query().Where(leavetype.CompanyID(u.CompanyID)).FirstID(ctx)
		if err != nil {
			return 0, err
		}
		l, err := db.Leave.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetLeaveTypeID(kind).SetStartsOn("2031-01-01").SetEndsOn("2031-01-01").
			SetDates([]string{"2031-01-01"}).SetReason("x").SetExpiresAt(harness.Morning.AddDate(1, 0, 0)).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return l.ID, nil
	},
	"Correction": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		o, err := db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID)).First(ctx)
		if err != nil {
			return 0, err
		}
		c, err := db.Correction.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).
			SetCoversFrom(o.StartAt).SetCoversUntil(o.EndAt).SetReason("x").SetExpiresAt(harness.Morning.AddDate(1, 0, 0)).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	},
	"OvertimeApproval": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.OvertimeApproval.Query().Where(entOvertimeApproval.UserID(u.ID)).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		a, err := db.OvertimeApproval.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDate("2026-01-01").SetApproved(true).SetSeconds(60).
			SetDecidedBy(u.ID).SetDecidedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"TimeEntry": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		booked, err := db.Task.Create().SetCompanyID(u.CompanyID).SetCreatorID(u.ID).SetTitle("X").SetEntryCount(1).
			SetCreatedAt(harness.Morning).SetUpdatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		e, err := db.TimeEntry.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetTaskID(booked.ID).SetKind(entTimeEntry.KindBooked).
			SetDate("2026-03-10").SetLastDate("2026-03-10").SetTimezone("Asia/Jakarta").SetCreatedAt(harness.Morning).SetUpdatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return e.ID, nil
	},
	"TimeWeek": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		n, err := db.TimeWeek.Query().Where(timeweek.UserID(u.ID)).Count(ctx)
		if err != nil {
			return 0, err
		}
		day := time.Date(2025, 1, 6, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -7*n)
		w, err := db.TimeWeek.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetStartsOn(day.Format(time.DateOnly)).
			SetEndsOn(day.AddDate(0, 0, 6).Format(time.DateOnly)).SetSeconds(0).SetSubmittedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return w.ID, nil
	},
	"FaceReset": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.FaceReset.Query().Where(facereset.UserID(u.ID), facereset.Pending(1)).OnlyID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		r, err := db.FaceReset.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetReason("x").SetRequestedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return r.ID, nil
	},
	"Project": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		p, err := db.Project.Create().SetCompanyID(u.CompanyID).SetName("empty").SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return p.ID, nil
	},
	"TaskCategory": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		c, err := db.TaskCategory.Create().SetCompanyID(u.CompanyID).SetName("empty " + rand.Text()).Save(ctx)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	},
	"Task": newTask,
	"TaskChecklistItem": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newTask(ctx, db, u)
		if err != nil {
			return 0, err
		}
		i, err := db.TaskChecklistItem.Create().SetCompanyID(u.CompanyID).SetTaskID(id).SetTitle("x").SetPosition(1).Save(ctx)
		if err != nil {
			return 0, err
		}
		return i.ID, nil
	},
	"TaskComment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newTask(ctx, db, u)
		if err != nil {
			return 0, err
		}
		c, err := db.TaskComment.Create().SetCompanyID(u.CompanyID).SetTaskID(id).SetUserID(u.ID).SetText("x").SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	},
	"TaskAttachment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newTask(ctx, db, u)
		if err != nil {
			return 0, err
		}
		a, err := db.TaskAttachment.Create().SetCompanyID(u.CompanyID).SetTaskID(id).SetUserID(u.ID).SetName("x").SetURL("images/avatar.png").
			SetContentType("application/pdf").SetSize(1).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"TicketCategory": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		c, err := db.TicketCategory.Create().SetCompanyID(u.CompanyID).SetName("empty " + rand.Text()).Save(ctx)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	},
	"Ticket": newTicket,
	"TicketComment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newTicket(ctx, db, u)
		if err != nil {
			return 0, err
		}
		c, err := db.TicketComment.Create().SetCompanyID(u.CompanyID).SetTicketID(id).SetUserID(u.ID).SetText("x").SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	},
	"TicketAttachment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newTicket(ctx, db, u)
		if err != nil {
			return 0, err
		}
		a, err := db.TicketAttachment.Create().SetCompanyID(u.CompanyID).SetTicketID(id).SetUserID(u.ID).SetName("x").SetURL("images/avatar.png").
			SetContentType("application/pdf").SetSize(1).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"Device": newDevice,
	"DeviceApproval": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newDevice(ctx, db, u)
		if err != nil {
			return 0, err
		}
		a, err := db.DeviceApproval.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(id).SetPlatform("web").
			SetRequestedAt(harness.Morning).SetExpiresAt(harness.Morning.Add(time.Hour)).Save(ctx)
		if err != nil {
			return 0, err
		}
		return a.ID, nil
	},
	"Session": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newDevice(ctx, db, u)
		if err != nil {
			return 0, err
		}
		s, err := db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(id).SetFamily(bytesOf(16)).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return 0, err
		}
		return s.ID, nil
	},
	"Message": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		m, err := db.Message.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("invited").SetChannel(entMessage.ChannelEmail).
			SetDestination(u.Email).SetStatus(entMessage.StatusSent).SetCreatedAt(harness.Morning).SetDueAt(harness.Morning).SetExpiresAt(harness.Morning.Add(time.Hour)).Save(ctx)
		if err != nil {
			return 0, err
		}
		return m.ID, nil
	},
	"AuditEvent": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		e, err := db.AuditEvent.Create().SetCompanyID(u.CompanyID).SetAction("test").SetSubjectType("User").SetSubjectID(u.ID).
			SetAt(harness.Morning).SetAddress("").SetRequestID("").Save(ctx)
		if err != nil {
			return 0, err
		}
		return e.ID, nil
	},
}

func newTask(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	t, err := db.Task.Create().SetCompanyID(u.CompanyID).SetCreatorID(u.ID).SetTitle("empty").SetCreatedAt(harness.Morning).SetUpdatedAt(harness.Morning).Save(ctx)
	if err != nil {
		return 0, err
	}
	return t.ID, nil
}

func newTicket(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	n, err := db.Ticket.Query().Count(ctx)
	if err != nil {
		return 0, err
	}
	t, err := db.Ticket.Create().SetCompanyID(u.CompanyID).SetRequesterID(u.ID).SetNumber(n + 1000).SetSubject("empty").
		SetCreatedAt(harness.Morning).SetUpdatedAt(harness.Morning).Save(ctx)
	if err != nil {
		return 0, err
	}
	return t.ID, nil
}

func newDevice(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	d, err := db.Device.Create().SetDeviceID("matrix").SetPlatform(device.PlatformWeb).SetTokenHash(bytesOf(32)).SetCreatedAt(harness.Morning).Save(ctx)
	if err != nil {
		return 0, err
	}
	return d.ID, db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(harness.Morning).Exec(ctx)
}

func bytesOf(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// standsIn says which operations leave nothing of a row: they are tried on somebody new in
// the place of each user.
var standsIn = map[string]bool{"eraseUser": true}

// standIn returns the id of a new user with the business and the roles of a user.
func standIn(ctx context.Context, db *ent.Client, u *ent.User) (id int, err error) {
	err = tx.With(ctx, db, func(db *ent.Client) error {
		key := fmt.Sprintf("new%x@x.test", bytesOf(8))
		created, err := db.User.Create().SetCompanyID(u.CompanyID).SetName("X").SetEmail(key).SetEmailKey(key).
			SetNillableBusinessID(u.BusinessID).SetCreatedAt(harness.Morning).Save(ctx)
		if err != nil {
			return err
		}
		id = created.ID
		if err := db.ClockState.Create().SetCompanyID(u.CompanyID).SetUserID(id).Exec(ctx); err != nil {
			return err
		}
		roles, err := u.QueryRoles().IDs(ctx)
		if err != nil {
			return err
		}
		return db.UserRole.MapCreateBulk(roles, func(r *ent.UserRoleCreate, i int) {
			r.SetCompanyID(u.CompanyID).SetUserID(id).SetRoleID(roles[i])
		}).Exec(ctx)
	})
	return id, err
}

// row returns the id of a row for an operation: of its entity, about a user or of
// their company; or any new text where the operation names no row.
func (m permissionTrial) row(t *testing.T, o operation, u *ent.User) string {
	t.Helper()
	if !o.effect.byRow() {
		return fmt.Sprintf("new%x", bytesOf(8))
	}
	if o.effect == about {
		return strconv.Itoa(u.ID)
	}
	find := rowMakers[o.entity]
	if standsIn[o.Name] {
		find = standIn
	}
	if find == nil {
		find = o.firstRow
	}
	id, err := find(m.ctx, m.Store.Ent, u)
	if err != nil {
		t.Fatalf("%s: no row of %s: %v; add the entity to rowMakers", o.Name, o.entity, err)
	}
	return strconv.Itoa(id)
}

// firstRow returns the first row of the operation's entity that is about a user,
// or of their company where its rows are about nobody.
func (o operation) firstRow(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	column, value := "company_id", u.CompanyID
	if o.rows.Owner != "" {
		column, value = o.rows.Owner, u.ID
	}
	table := tableOf(o.entity)
	if table == "" {
		return 0, errors.New("its table has another name")
	}
	rows, err := db.QueryContext(ctx, "SELECT id FROM "+table+" WHERE "+column+" = ? ORDER BY id LIMIT 1", value)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if !rows.Next() {
		return 0, errors.Join(rows.Err(), fmt.Errorf("%s has none with %s %d", table, column, value))
	}
	var id int
	err = rows.Scan(&id)
	return id, err
}

// tableOf returns the name of an entity's table: shift_assignments of
// ShiftAssignment; "" for none.
func tableOf(entity string) string {
	var name strings.Builder
	for i, c := range entity {
		if i > 0 && c >= 'A' && c <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(c)
	}
	for _, table := range migrate.Tables {
		if slices.Contains([]string{table.Name, strings.TrimSuffix(table.Name, "s"), strings.TrimSuffix(table.Name, "es")}, strings.ToLower(name.String())) {
			return table.Name
		}
	}
	return ""
}
