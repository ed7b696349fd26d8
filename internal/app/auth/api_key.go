package auth

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/apikey"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// How long an API key is valid: unless its maker says otherwise, and at most.
const (
	keyLife    = 90 * 24 * time.Hour
	maxKeyLife = 366 * 24 * time.Hour
)

// maxKeys is how many keys that one person made are in force at once.
const maxKeys = 100

// CreateAPIKey makes a key for a program of the viewer's company, and returns its text, which nothing
// shows again.
func (s *Service) CreateAPIKey(ctx context.Context, in model.CreateAPIKeyInput) (*model.CreatedAPIKey, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	now := s.Now()
	name := input.Required(&faults, "name", &in.Name, 80)
	permissions := keyPermissions(&faults, me, in.Permissions)
	expires := now.Add(keyLife)
	if at := in.ExpiresAt.Value(); at != nil {
		if expires = *at; !expires.After(now) || expires.After(now.Add(maxKeyLife)) {
			faults.Add("expiresAt", errs.OutOfRange, errs.Meta{"min": now, "max": now.Add(maxKeyLife)})
		}
	}
	if len(faults) > 0 {
		return nil, faults.Err()
	}
	db := ent.FromContext(ctx)
	if id := in.BusinessID.Value(); id != nil {
		_, err := db.Business.Get(ctx, *id)
		if err := input.Referenced("businessId", !ent.IsNotFound(err), policysql.IgnoreNotFound(err)); err != nil {
			return nil, err
		}
	}
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{me.UserID}); err != nil {
		return nil, err
	}
	n, err := db.APIKey.Query().Where(apikey.CreatorID(me.UserID), apikey.RevokedAtIsNil(), apikey.ExpiresAtGT(now)).
		Count(ctx)
	if err != nil {
		return nil, err
	}
	if n >= maxKeys {
		return nil, errs.Conflicts(errs.LimitReached, "", errs.Meta{"max": maxKeys})
	}
	t, err := token.New(token.Key, rand.Reader)
	if err != nil {
		return nil, err
	}
	hash := t.Hash()
	made, err := db.APIKey.Create().SetName(name).SetPermissions(permissions).SetNillableBusinessID(in.BusinessID.Value()).
		SetCreatorID(me.UserID).SetHash(hash[:]).SetCreatedAt(now).SetExpiresAt(expires).Save(ctx)
	if err != nil {
		return nil, err
	}
	return &model.CreatedAPIKey{Token: t.Text(), APIKey: made}, nil
}

// keyPermissions returns what a key may, sorted, each once, and adds a fault for what the viewer gives to none.
func keyPermissions(faults *errs.Faults, me *viewer.Viewer, list []string) []string {
	if len(list) == 0 {
		faults.Add("permissions", errs.Required, nil)
	}
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	allowed := givenToKeys(me)
	for _, p := range list {
		if !slices.Contains(allowed, p) {
			faults.Add("permissions", errs.NotOneOf, errs.Meta{"part": p, "allowed": strings.Join(allowed, ", ")})
			break
		}
	}
	return list
}

// givenToKeys returns what the viewer may give to a key: what they may in the whole company, but for what is
// kept from keys, and the tokens of widgets.
func givenToKeys(me *viewer.Viewer) []string {
	allowed := []string{viewer.MakesWidgets}
	for _, p := range me.Permissions {
		resource, _, _ := strings.Cut(p, ".")
		if strings.HasSuffix(p, ".all") && !slices.Contains(keptFromKeys, resource) {
			allowed = append(allowed, p)
		}
	}
	return allowed
}

// keptFromKeys are the resources of which an API key has no permission.
var keptFromKeys = []string{"audit", "company", "developer", "device", "report", "role", "session"}

// RevokeAPIKey ends a key of the viewer's company, and what it made. One that was ended is left as it is.
func (s *Service) RevokeAPIKey(ctx context.Context, id int) (*ent.APIKey, error) {
	db := ent.FromContext(ctx)
	k, err := db.APIKey.Get(ctx, id)
	if err != nil || k.RevokedAt != nil {
		return k, err
	}
	return db.APIKey.UpdateOne(k).SetRevokedAt(s.Now()).Save(ctx)
}
