package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *correctionResolver) Before(ctx context.Context, obj *ent.Correction) (*model.AttendanceVersion, error) {
	panic(fmt.Errorf("not implemented: Before - before"))
}

func (r *correctionResolver) After(ctx context.Context, obj *ent.Correction) (*model.AttendanceVersion, error) {
	panic(fmt.Errorf("not implemented: After - after"))
}

func (r *mutationResolver) RequestCorrection(ctx context.Context, input model.RequestCorrectionInput) (*ent.Correction, error) {
	panic(fmt.Errorf("not implemented: RequestCorrection - requestCorrection"))
}

func (r *mutationResolver) DecideCorrection(ctx context.Context, id int, input model.DecideInput) (*ent.Correction, error) {
	panic(fmt.Errorf("not implemented: DecideCorrection - decideCorrection"))
}

func (r *mutationResolver) DecideCorrections(ctx context.Context, input model.DecideCorrectionsInput) ([]*model.Decided, error) {
	panic(fmt.Errorf("not implemented: DecideCorrections - decideCorrections"))
}

func (r *mutationResolver) CancelCorrection(ctx context.Context, id int) (*ent.Correction, error) {
	panic(fmt.Errorf("not implemented: CancelCorrection - cancelCorrection"))
}

func (r *queryResolver) Correction(ctx context.Context, id int) (*ent.Correction, error) {
	panic(fmt.Errorf("not implemented: Correction - correction"))
}
