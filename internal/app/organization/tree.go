package organization

import (
	"context"
	"slices"
	"strings"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/predicate"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

// A kind is one of a company's trees: of businesses, or of designations.
type kind interface {
	table() string
	policy() entgo.Policy
	// move puts nodes below another one.
	move(ctx context.Context, ids []int, parent int) error
	// moveHolders gives everything that belongs to a node, other than its children,
	// to another one.
	moveHolders(ctx context.Context, from, to int) error
	// holders returns how many people, active or not, would lose a node that is
	// deleted, and how many work sites.
	holders(ctx context.Context, id int) (users, addresses int, err error)
	inUse(errs.Meta) *errs.Error
	delete(ctx context.Context, id int) error
}

// load returns a tree of the viewer's company.
func load(ctx context.Context, k kind) (*tree.Tree, error) {
	q := policysql.New(ctx)
	q.Add("SELECT n.id, n.parent_id, n.name, n.sort_name FROM " + k.table() + " n WHERE ")
	q.WherePolicy(k.policy(), k.table(), "n")
	q.Add(" ORDER BY n.id LIMIT ?", tree.MaxNodes)
	var nodes []tree.Node
	err := q.Each(func(scan policysql.Scan) error {
		var n tree.Node
		defer func() { nodes = append(nodes, n) }()
		return scan(&n.ID, policysql.Nullable(&n.Parent), &n.Name, &n.SortName)
	})
	return tree.New(nodes), err
}

// lockTree returns a tree for a change of it. Such changes of a company run one
// after the other.
func lockTree(ctx context.Context, k kind) (*tree.Tree, error) {
	if err := Lock(ctx); err != nil {
		return nil, err
	}
	return load(ctx, k)
}

// checkPlace refuses to put a node, 0 for a new one, below parent, nil for the top. Its
// name is the given one, else the old one, which the fault then says.
func checkPlace(t *tree.Tree, id int, name input.Omittable[*string], old string, parent *int) error {
	sortName := changed(name, old)
	switch {
	case parent != nil && !t.Has(*parent):
		return errs.Field(errs.NotFound, "parentId", nil)
	case parent != nil && t.Within(*parent, id):
		return errs.Field(errs.Cycle, "parentId", nil)
	case t.Taken(sortName, parent, id) && name.IsSet():
		return errs.Because("name", errs.AlreadyTaken, nil)
	case t.Taken(sortName, parent, id):
		return errs.Because("name", errs.AlreadyTaken, errs.Meta{"names": old})
	case id == 0 && t.Len() >= tree.MaxNodes:
		return errs.Conflicts(errs.LimitReached, "", errs.Meta{"max": tree.MaxNodes})
	}
	return nil
}

// checkMerge refuses to put the children of a node below the node to, which the
// member field names. The fault lists the names that are taken there.
func checkMerge(t *tree.Tree, id, to int, field string) error {
	switch {
	case !t.Has(to):
		return errs.Field(errs.NotFound, field, nil)
	case t.Within(to, id):
		return errs.Field(errs.Cycle, field, nil)
	}
	var taken []string
	for _, n := range t.Children(id) {
		if t.Taken(n.SortName, &to, id) {
			taken = append(taken, n.Name)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	return errs.Because(field, errs.AlreadyTaken, errs.Meta{"names": shorten(taken)})
}

// shorten returns the first ten names.
func shorten(names []string) string {
	if len(names) > 10 {
		names = append(names[:10:10], "…")
	}
	return strings.Join(names, ", ")
}

// merge gives everything that belongs to a node to the node to, and deletes it.
func merge(ctx context.Context, k kind, id, to int, field string) error {
	t, err := lockTree(ctx, k)
	if err != nil {
		return err
	}
	if err := checkMerge(t, id, to, field); err != nil {
		return err
	}
	var children []int
	for _, n := range t.Children(id) {
		children = append(children, n.ID)
	}
	if err := k.move(ctx, children, to); err != nil {
		return err
	}
	if err := k.moveHolders(ctx, id, to); err != nil {
		return err
	}
	return k.delete(ctx, id)
}

// deleteUnused deletes a node to which nothing belongs.
func deleteUnused(ctx context.Context, k kind, id int) error {
	t, err := lockTree(ctx, k)
	if err != nil {
		return err
	}
	check := func() error {
		users, addresses, err := k.holders(ctx, id)
		children := len(t.Children(id))
		if err != nil || users+children+addresses == 0 {
			return err
		}
		meta := errs.Meta{"users": users, "children": children}
		if addresses > 0 {
			meta["addresses"] = addresses
		}
		return k.inUse(meta)
	}
	if err := check(); err != nil {
		return err
	}
	err = k.delete(ctx, id)
	if ent.IsConstraintError(err) { // somebody has come to hold it meanwhile
		if err := check(); err != nil {
			return err
		}
	}
	return err
}

// replan has the shifts of the people whom a change of a tree concerns planned anew.
func (s *Service) replan(ctx context.Context, concerned predicate.User) error {
	ids, err := ent.FromContext(ctx).User.Query().Where(concerned).IDs(viewer.System(ctx))
	if err != nil {
		return err
	}
	return s.Plans.Outdate(ctx, viewer.From(ctx).CompanyID, ids...)
}

// chunk is how many rows a statement changes at most: each takes placeholders, of
// which databases allow some 30,000.
const chunk = 1000

// inChunks calls change for parts of ids.
func inChunks(ids []int, change func(ids []int) error) error {
	for part := range slices.Chunk(ids, chunk) {
		if err := change(part); err != nil {
			return err
		}
	}
	return nil
}

// below matches the rows with a column that names a node or one below it.
func below(k kind, column string, id int) func(*sql.Selector) {
	roots := "SELECT t.id, t.id FROM " + k.table() + " t WHERE t.id = ?"
	return func(s *sql.Selector) {
		s.Where(sql.ExprP(s.C(column)+" IN (SELECT w.id FROM ("+tree.Below(k.table(), roots)+") w)", id))
	}
}
