package organization

import (
	"context"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/graph/model"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// logoSize is how many pixels a side of a logo has at most.
const logoSize = 640

// SetLogo gives the viewer's company a logo.
func (s *Service) SetLogo(ctx context.Context, in model.SetLogoInput) error {
	if err := mayBrand(ctx); err != nil {
		return err
	}
	f, err := s.Files.Picture(ctx, "image", in.Image.File, logoSize)
	if err != nil {
		return err
	}
	if err := s.Files.Use(ctx, f.ID); err != nil {
		return err
	}
	return s.replaceLogo(ctx, func(c *ent.CompanyUpdateOne) { c.SetLogo(blob.Ref(f.Name)).SetLogoFileID(f.ID) })
}

// RemoveLogo gives the viewer's company the default logo.
func (s *Service) RemoveLogo(ctx context.Context) error {
	if err := mayBrand(ctx); err != nil {
		return err
	}
	return s.replaceLogo(ctx, func(c *ent.CompanyUpdateOne) { c.SetLogo(company.DefaultLogo).ClearLogoFileID() })
}

// mayBrand returns FORBIDDEN unless the viewer changes the company.
func mayBrand(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("company", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// replaceLogo changes the logo and releases the file of the one before, one change
// after the other.
func (s *Service) replaceLogo(ctx context.Context, set func(*ent.CompanyUpdateOne)) error {
	if err := Lock(ctx); err != nil {
		return err
	}
	before, err := ent.FromContext(ctx).Company.Query().Only(ctx)
	if err != nil {
		return err
	}
	update := before.Update()
	set(update)
	if err := update.Exec(ctx); err != nil {
		return err
	}
	return s.Files.Release(ctx, before.LogoFileID)
}
