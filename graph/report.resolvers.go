package graph

import (
	"context"
	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/live"
	"workforce/internal/app/report"
)

func (r *mutationResolver) GenerateReport(ctx context.Context, input model.GenerateReportInput) (*ent.Report, error) {
	id, err := r.Reports.Generate(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Report.Query().Where(entReport.ID(id)))
}

func (r *mutationResolver) CancelReport(ctx context.Context, id int) (*ent.Report, error) {
	if err := r.Reports.Cancel(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Report.Query().Where(entReport.ID(id)))
}

func (r *mutationResolver) CreateReportSchedule(ctx context.Context, input model.CreateReportScheduleInput) (*ent.ReportSchedule, error) {
	id, err := r.Reports.CreateSchedule(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ReportSchedule.Query().Where(reportschedule.ID(id)))
}

func (r *mutationResolver) UpdateReportSchedule(ctx context.Context, id int, input model.UpdateReportScheduleInput) (*ent.ReportSchedule, error) {
	if err := r.Reports.UpdateSchedule(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ReportSchedule.Query().Where(reportschedule.ID(id)))
}

func (r *mutationResolver) DeleteReportSchedule(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Reports.DeleteSchedule(ctx, id)
}

func (r *queryResolver) Report(ctx context.Context, id int, done bool) (*ent.Report, error) {
	if done {
		if err := r.Resolver.Reports.Ready(ctx, id); err != nil {
			return nil, err
		}
	}
	return connection.One(ctx, ent.FromContext(ctx).Report.Query().Where(entReport.ID(id)))
}

func (r *queryResolver) ReportSchedule(ctx context.Context, id int) (*ent.ReportSchedule, error) {
	return connection.One(ctx, ent.FromContext(ctx).ReportSchedule.Query().Where(reportschedule.ID(id)))
}

func (r *reportResolver) FileName(ctx context.Context, obj *ent.Report) (string, error) {
	return report.FileName(obj), nil
}

func (r *reportResolver) URL(ctx context.Context, obj *ent.Report) (*string, error) {
	return r.Reports.Link(ctx, obj)
}

func (r *reportResolver) ExpiresIn(ctx context.Context, obj *ent.Report) (*int, error) {
	return r.Reports.LinkSeconds(ctx, obj)
}

func (r *subscriptionResolver) ReportChanged(ctx context.Context) (<-chan *ent.Report, error) {
	return live.Rows[*ent.Report](ctx), nil
}
