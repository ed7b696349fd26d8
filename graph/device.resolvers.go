package graph

import (
	"context"
	"fmt"
	"workforce/graph/model"
)

func (r *mutationResolver) RegisterDevice(ctx context.Context, input model.RegisterDeviceInput) (*model.DeviceRegistration, error) {
	panic(fmt.Errorf("not implemented: RegisterDevice - registerDevice"))
}
