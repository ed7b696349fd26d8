package enttests

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/internal/audittrail"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestAudited changes rows in every way there is, and compares what the audit
// says of it.
func TestAudited(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		at := time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC)
		trail := audittrail.Trail{ActorID: ours, Address: "192.0.2.1", RequestID: "r", Now: func() time.Time { return at }}
		boss := audittrail.NewContext(as(t, ours, ours, viewer.Owner), trail)
		employee := audittrail.NewContext(as(t, ours, ours+1, viewer.Employee), trail)
		tests := []struct {
			name string
			ctx  context.Context
			do   func(context.Context, *ent.Client) error
			want []string
		}{
			{"creates", boss, func(ctx context.Context, c *ent.Client) error {
				return c.Designation.Create().SetName("Kasir").SetCompanyID(ours).Exec(ctx)
			}, []string{`designation.created new - {"description":null,"name":"Kasir","parent_id":null}`}},
			{"updates one", boss, func(ctx context.Context, c *ent.Client) error {
				return c.Role.UpdateOneID(ours).SetName("x").Exec(ctx)
			}, []string{`role.updated 9000000 {"name":"~o0"} {"name":"x"}`}},
			{"updates what is their company's alone", boss, func(ctx context.Context, c *ent.Client) error {
				return c.User.Update().Where(user.IDIn(ours, ours+1, theirs)).SetLocale("x").Exec(ctx)
			}, []string{`user.updated 9000000 {"locale":"~o0"} {"locale":"x"}`, `user.updated 9000001 {"locale":"~o1"} {"locale":"x"}`}},
			{"deletes several", boss, func(ctx context.Context, c *ent.Client) error {
				_, err := c.Designation.Delete().Where(designation.IDIn(ours+1, theirs)).Exec(ctx)
				return err
			}, []string{`designation.deleted 9000001 {"description":"~o1","name":"~o1","parent_id":9000001} -`}},
			{"a secret leaves nothing", boss, func(ctx context.Context, c *ent.Client) error {
				return c.User.UpdateOneID(ours).SetPasswordHash("$argon2id$x").Exec(ctx)
			}, nil},
			{"no change leaves nothing", boss, func(ctx context.Context, c *ent.Client) error {
				return c.Role.UpdateOneID(ours).SetName("~o0").Exec(ctx)
			}, nil},
			{"nothing found leaves nothing", boss, func(ctx context.Context, c *ent.Client) error {
				return c.User.Update().Where(user.ID(1)).SetActive(true).Exec(ctx)
			}, nil},
			{"the server itself, for a request", viewer.System(boss), func(ctx context.Context, c *ent.Client) error {
				return c.Company.UpdateOneID(theirs).SetName("x").Exec(ctx)
			}, []string{`company.updated 1000000 {"name":"~t0"} {"name":"x"}`}},
			{"the server itself, for none", system(t), func(ctx context.Context, c *ent.Client) error {
				return c.Company.UpdateOneID(theirs).SetName("x").Exec(ctx)
			}, nil},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				attempt(t, client, func(tx *ent.Tx) {
					if err := tt.do(tt.ctx, tx.Client()); err != nil {
						t.Fatal(err)
					}
					got := added(t, tx.Client(), at)
					if !slices.Equal(got, tt.want) {
						t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
					}
				})
			})
		}
		attempt(t, client, func(tx *ent.Tx) {
			if err := tx.Role.UpdateOneID(ours).SetName("x").Exec(employee); err == nil {
				t.Error("an employee changes a role")
			}
			if got := added(t, tx.Client(), at); len(got) > 0 {
				t.Errorf("a refused change left %s", got)
			}
		})
	})
}

// added returns what was put down at an instant, in order.
func added(t *testing.T, client *ent.Client, at time.Time) (texts []string) {
	t.Helper()
	rows, err := client.AuditEvent.Query().Where(auditevent.At(at)).Order(ent.Asc(auditevent.FieldSubjectID)).All(system(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rows {
		company := ours
		if isTheirs(e.SubjectID) {
			company = theirs
		}
		if e.CompanyID != company || *e.ActorID != ours || e.Address != "192.0.2.1" || e.RequestID != "r" {
			t.Errorf("put down as %v", e)
		}
		id := fmt.Sprint(e.SubjectID)
		if e.SubjectID >= ours+seeds {
			id = "new"
		}
		texts = append(texts, strings.Join([]string{e.Action, id, textOr(e.Before), textOr(e.After)}, " "))
	}
	return texts
}

func textOr(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// TestAuditedEntities deletes a row of every entity: those that are audited record
// it, the others do not. What everybody of a company sees is audited, but for the
// history of people, which says again what the audit of their rows does.
func TestAuditedEntities(t *testing.T) {
	client := connect(t, testdb.SQLite(t))
	twoCompanies(t, client)
	at := time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC)
	ctx := viewer.System(audittrail.NewContext(t.Context(), audittrail.Trail{ActorID: ours, Address: "192.0.2.1", RequestID: "r", Now: func() time.Time { return at }}))
	for _, e := range entities(t, client) {
		if e.name == "AuditEvent" {
			continue // whose rows nobody deletes
		}
		fact := ent.Facts[e.name]
		if shared := fact.Directory || fact.Access != nil && fact.Access.Directory; shared && fact.Audited == "" && !strings.HasSuffix(e.name, "Period") {
			t.Errorf("%s is seen by the whole company and not audited", e.name)
		}
		attempt(t, client, func(tx *ent.Tx) {
			del, err := call(e.within(tx).Value, "DeleteOneID", ours)
			if err != nil {
				t.Fatal(e.name, err)
			}
			if _, err := call(reflect.ValueOf(del), "Exec", ctx); err != nil {
				t.Fatal(e.name, err)
			}
			n, err := tx.AuditEvent.Query().Where(auditevent.At(at), auditevent.SubjectType(e.name)).Count(system(t))
			if err != nil || (n == 0) != (ent.Facts[e.name].Audited == "") {
				t.Errorf("%s: %d events, %v", e.name, n, err)
			}
		})
	}
}
