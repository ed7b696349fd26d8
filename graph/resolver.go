// Package graph is the GraphQL schema and its resolvers. They read the input, call a
// use case and return its answer.
package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/attendance"
	"workforce/internal/app/auth"
	"workforce/internal/app/correction"
	"workforce/internal/app/definition"
	"workforce/internal/app/faceenrolment"
	"workforce/internal/app/leave"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/peopleimport"
	"workforce/internal/app/position"
	"workforce/internal/app/privacy"
	"workforce/internal/app/project"
	"workforce/internal/app/report"
	"workforce/internal/app/results"
	"workforce/internal/app/roster"
	"workforce/internal/app/task"
	"workforce/internal/app/ticket"
	"workforce/internal/app/timeentry"
	"workforce/internal/app/timesheets"
	"workforce/internal/app/timetotals"
	"workforce/internal/app/worktime"
	"workforce/internal/calendar"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/request"
	"workforce/internal/scalar"
)

// Resolver holds the use cases by domain.
type Resolver struct {
	Auth         *auth.Service
	People       *people.Service
	Organization *organization.Service
	Roster       *roster.Service
	Attendances  *attendance.Service
	Work         *worktime.Service
	Days         *results.Service
	Coordinates  *position.Service
	Sheets       *timesheets.Service
	Enrolment    *faceenrolment.Service
	Profiles     *auth.Profiles
	Privacy      *privacy.Service
	Transfers    *peopleimport.Service
	Definitions  *definition.Service
	Corrections  *correction.Service
	Leaves       *leave.Service
	Overtime     *approval.Overtime
	Desk         *approval.Desk
	Entries      *timeentry.Service
	Booked       *timetotals.Service
	Projects     *project.Service
	Tasks        *task.Service
	Reports      *report.Service
	Tickets      *ticket.Service
	Messages     *notify.Service
}

// is reports whether a member is given as true.
func is(member graphql.Omittable[*bool]) bool { return member.Value() != nil && *member.Value() }

// importFault returns a fault of an import in the language of the request.
func importFault(ctx context.Context, f peopleimport.Fault) *model.ImportFault {
	said := errs.ProblemOf(&errs.Error{Code: f.Code, Faults: []errs.Fault{f.Fault}}, request.From(ctx).Language).Errors[0]
	out := &model.ImportFault{Row: f.Row, Code: said.Code, Message: said.Detail}
	if f.Column != "" {
		out.Column = &f.Column
	}
	return out
}

func importFaults(ctx context.Context, faults []peopleimport.Fault) []*model.ImportFault {
	list := make([]*model.ImportFault, len(faults))
	for i, f := range faults {
		list[i] = importFault(ctx, f)
	}
	return list
}

// importJob returns an import by a job in the language of the request; nil for nil.
func importJob(ctx context.Context, j *peopleimport.Job) *model.ImportJob {
	if j == nil {
		return nil
	}
	return &model.ImportJob{
		ID: j.ID, Status: j.Status, Progress: j.Progress, People: j.People, CreatedAt: j.CreatedAt, FinishedAt: j.FinishedAt,
		DryRun: j.DryRun, Partial: j.Partial, Invite: j.Invite,
		Created: j.Created, Updated: j.Updated, Faults: importFaults(ctx, j.Faults), FaultCount: j.Total,
	}
}

// holidays returns the dates of a calendar file.
func holidays(events []calendar.Event) []*model.ImportedHoliday {
	list := make([]*model.ImportedHoliday, len(events))
	for i, e := range events {
		list[i] = &model.ImportedHoliday{Name: e.Name, Date: string(e.Date)}
	}
	return list
}

// leftOut returns events of a calendar that are left out, in the language of the request.
func leftOut(ctx context.Context, events []calendar.LeftOut) []*model.LeftOutHoliday {
	list := make([]*model.LeftOutHoliday, len(events))
	for i, e := range events {
		said := errs.ProblemOf(errs.Faults{e.Fault}.Err(), request.From(ctx).Language).Errors[0]
		_, property, _ := strings.Cut(strings.TrimPrefix(e.Fault.Field, "events."), ".")
		list[i] = &model.LeftOutHoliday{
			Event: e.Number, Line: e.Line, Name: e.Name, Property: property, Code: said.Code, Message: said.Detail,
		}
	}
	return list
}

// bound returns one end of a period; nil for none.
func bound(sent *scalar.DateOrTime) *period.Bound {
	if sent == nil {
		return nil
	}
	return &sent.Bound
}
