package audittrail_test

import (
	"context"
	"testing"
	"time"

	"workforce/internal/audittrail"
)

type row struct {
	hidden    int
	ID        int        `json:"id,omitempty"`
	CompanyID int        `json:"company_id,omitempty"`
	Name      string     `json:"name,omitempty"`
	SortName  string     `json:"sort_name,omitempty"`
	Active    bool       `json:"active,omitempty"`
	Phone     *string    `json:"phone,omitempty"`
	LeftAt    *time.Time `json:"left_at,omitempty"`
	Roles     []string   `json:"roles,omitempty"`
	Password  *string    `json:"-"`
	Digest    []byte     `json:"digest,omitempty"`
	Edges     struct{}   `json:"edges"`
}

func TestChanged(t *testing.T) {
	phone, secret := "+62811", "secret"
	noon := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	same := noon.In(time.FixedZone("UTC", 0))
	full := &row{
		ID: 7, CompanyID: 1, Name: "Budi <b>", SortName: "budi", Active: true, Phone: &phone, LeftAt: &noon,
		Roles: []string{"a"}, Password: &secret, Digest: []byte("secret"),
	}
	all := `{"active":true,"left_at":"2026-03-10T12:00:00Z","name":"Budi \u003cb\u003e","phone":"+62811","roles":["a"]}`
	tests := []struct {
		name          string
		before, after any
		was, is       string // "" for none
	}{
		{"nothing", nil, nil, "", ""},
		{"a new row", nil, full, "", all},
		{"a row that is gone", full, nil, all, ""},
		{"no change", full, full, "", ""},
		{"an equal row", full, &row{Name: "Budi <b>", Active: true, Phone: &phone, LeftAt: &same, Roles: []string{"a"}}, "", ""},
		{"false", &row{Active: true}, &row{}, `{"active":true}`, `{"active":false}`},
		{"set", &row{}, &row{Phone: &phone}, `{"phone":null}`, `{"phone":"+62811"}`},
		{"cleared", &row{Phone: &phone}, &row{}, `{"phone":"+62811"}`, `{"phone":null}`},
		{"several", &row{Name: "a", Roles: []string{"a"}}, &row{Name: "b"}, `{"name":"a","roles":["a"]}`, `{"name":"b","roles":null}`},
		{"a secret", &row{}, &row{Password: &secret, Digest: []byte("x"), SortName: "x", ID: 2, CompanyID: 3, hidden: 4}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			was, is, err := audittrail.Changed(tt.before, tt.after, []string{"company_id", "sort_name"})
			if err != nil || text(was) != tt.was || text(is) != tt.is {
				t.Errorf("got  %s → %s, %v\nwant %s → %s", text(was), text(is), err, tt.was, tt.is)
			}
		})
	}
}

func TestChangedFails(t *testing.T) {
	type odd struct {
		F func() `json:"f"`
	}
	if _, _, err := audittrail.Changed(nil, &odd{}, nil); err == nil {
		t.Error("what has no JSON form: no error")
	}
	if _, _, err := audittrail.Changed(&odd{}, nil, nil); err == nil {
		t.Error("what had no JSON form: no error")
	}
}

func TestTrail(t *testing.T) {
	if _, ok := audittrail.From(context.Background()); ok {
		t.Error("a trail without a request")
	}
	got, ok := audittrail.From(audittrail.NewContext(context.Background(), audittrail.Trail{ActorID: 7, RequestID: "r"}))
	if !ok || got.RequestID != "r" || got.Actor() == nil || *got.Actor() != 7 {
		t.Errorf("got %+v, %v", got, ok)
	}
	if _, ok := audittrail.From(audittrail.WithoutTrail(audittrail.NewContext(context.Background(), audittrail.Trail{ActorID: 7}))); ok {
		t.Error("a trail that was taken away")
	}
	if (audittrail.Trail{}).Actor() != nil {
		t.Error("nobody is somebody")
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
