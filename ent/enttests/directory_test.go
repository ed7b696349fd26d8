package enttests

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/internal/testdb"
)

// versions returns the version of every company's directory.
func versions(t *testing.T, client *ent.Client) map[int]int {
	t.Helper()
	rows, err := client.DirectoryVersion.Query().All(system(t))
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]int{}
	for _, row := range rows {
		all[row.ID] = row.Version
	}
	return all
}

// renewed lists the companies whose directory has another version than before.
func renewed(t *testing.T, client *ent.Client, before map[int]int) (who []string) {
	t.Helper()
	for id, version := range versions(t, client) {
		switch {
		case before[id] == version:
		case id == ours:
			who = append(who, "ours")
		case id == theirs:
			who = append(who, "theirs")
		default:
			who = append(who, "a new one")
		}
	}
	slices.Sort(who)
	return who
}

// directoryWrites are all ways to write our rows; those of many write theirs too.
func directoryWrites(t *testing.T, e entity) map[string]func(context.Context, *ent.Client, entity) error {
	row := e.rows(t, ours)[0]
	fresh := func(c *ent.Client, e entity) any { // a create of what is there no more
		_, err := c.ExecContext(t.Context(), fmt.Sprintf("DELETE FROM %s WHERE id = %d", e.table.Name, ours))
		if err != nil {
			t.Fatal(err)
		}
		return inCompany(e, e.copied(row), ours)
	}
	on := func(ctx context.Context, e entity, method string, key any, run string) error {
		builder, _ := call(e.Value, method, key)
		if f := e.settable(t); strings.HasPrefix(method, "Update") && f != "" {
			set(builder, row, f)
		}
		_, err := call(builder, run, ctx)
		return err
	}
	both := slices.Concat(e.seeded(ours)[:1], e.seeded(theirs)[:1])
	return map[string]func(context.Context, *ent.Client, entity) error{
		"create": func(ctx context.Context, c *ent.Client, e entity) error { return save(ctx, fresh(c, e)) },
		"create in bulk": func(ctx context.Context, c *ent.Client, e entity) error {
			bulk, _ := call(e.Value, "CreateBulk", fresh(c, e))
			return save(ctx, bulk)
		},
		"update by id": func(ctx context.Context, _ *ent.Client, e entity) error {
			return on(ctx, e, "UpdateOneID", ours, "Save")
		},
		"update by row": func(ctx context.Context, _ *ent.Client, e entity) error {
			return on(ctx, e, "UpdateOne", row.Interface(), "Save")
		},
		"delete by id": func(ctx context.Context, _ *ent.Client, e entity) error {
			return on(ctx, e, "DeleteOneID", ours, "Exec")
		},
		"delete by row": func(ctx context.Context, _ *ent.Client, e entity) error {
			return on(ctx, e, "DeleteOne", row.Interface(), "Exec")
		},
		"update many": func(ctx context.Context, _ *ent.Client, e entity) error {
			return save(ctx, e.update(t, both))
		},
		"delete many": func(ctx context.Context, _ *ent.Client, e entity) error {
			_, err := call(e.remove(both), "Exec", ctx)
			return err
		},
	}
}

// TestDirectoryVersions writes every entity in every way there is: those of the
// directory, and no others, give the companies whose rows they change another
// version.
func TestDirectoryVersions(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		for _, e := range entities(t, client) {
			if e.name == "AuditEvent" || e.name == "DirectoryVersion" || e.name == "TicketCounter" {
				continue // whose rows nobody changes, or whose id is the company's: it is the version, or counts
			}
			for way, write := range directoryWrites(t, e) {
				var want []string
				switch {
				case !ent.Facts[e.name].Directory:
				case strings.HasSuffix(way, "many"):
					want = []string{"ours", "theirs"}
				case e.name == "Company" && strings.HasPrefix(way, "create"):
					want = []string{"a new one"}
				default:
					want = []string{"ours"}
				}
				attempt(t, client, func(tx *ent.Tx) {
					before := versions(t, tx.Client())
					if err := write(system(t), tx.Client(), e.within(tx)); err != nil {
						t.Fatalf("%s: %s: %v", e.name, way, err)
					}
					if got := renewed(t, tx.Client(), before); !slices.Equal(got, want) {
						t.Errorf("%s: %s: renews %v, want %v", e.name, way, got, want)
					}
				})
			}
		}
	})
}

// TestDirectoryTransactions proves that the directory is not changed outside of
// a transaction, where the version would not change with it; that one which is
// undone leaves the version; and that a company's first version is another than
// none.
func TestDirectoryTransactions(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		before, all := versions(t, client), snapshot(t, client)
		for _, e := range entities(t, client) {
			if !ent.Facts[e.name].Directory {
				continue
			}
			if err := save(system(t), e.update(t, e.seeded(theirs))); err == nil {
				t.Errorf("%s: updated outside of a transaction", e.name)
			}
			if _, err := call(e.remove(e.seeded(theirs)), "Exec", system(t)); err == nil {
				t.Errorf("%s: deleted outside of a transaction", e.name)
			}
			if err := save(system(t), inCompany(e, e.copied(e.rows(t, theirs)[0]), theirs)); err == nil {
				t.Errorf("%s: created outside of a transaction", e.name)
			}
		}
		if snapshot(t, client) != all {
			t.Error("rows were changed outside of a transaction")
		}
		attempt(t, client, func(tx *ent.Tx) { tx.Role.UpdateOneID(ours).SetName("x").ExecX(system(t)) })
		if got := renewed(t, client, before); got != nil {
			t.Errorf("what was undone renews %v", got)
		}
		attempt(t, client, func(tx *ent.Tx) {
			tx.DirectoryVersion.Delete().ExecX(system(t))
			tx.Role.UpdateOneID(ours).SetName("x").ExecX(system(t))
			if got := renewed(t, tx.Client(), nil); !slices.Equal(got, []string{"ours"}) {
				t.Errorf("of companies without a version, a change renews %v", got)
			}
		})
	})
}
