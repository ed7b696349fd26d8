package timetotals

import (
	"context"
	"strconv"
	"strings"

	"workforce/ent"
	"workforce/ent/address"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/ent/user"
	"workforce/internal/booking"
	"workforce/internal/database"
	"workforce/internal/request"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// none are the labels of groups without a key, English and Indonesian.
var none = map[booking.Dimension][2]string{
	booking.ByProject:  {"No project", "Tanpa proyek"},
	booking.ByCategory: {"No category", "Tanpa kategori"},
	booking.ByAddress:  {"No work site", "Tanpa lokasi kerja"},
	booking.ByTag:      {"No tag", "Tanpa tag"},
}

// labels are what groups are called, by dimension and key.
type labels struct {
	names      map[booking.Dimension]map[string]string
	sorted     map[string]string // labels as names are sorted, those that were asked for
	indonesian bool
}

// of returns the label of a key: a name, else the key.
func (l labels) of(by booking.Dimension, key string) string {
	if key == "" {
		if l.indonesian {
			return none[by][1]
		}
		return none[by][0]
	}
	if name, ok := l.names[by][key]; ok {
		return name
	}
	return key
}

// sortKey returns a label as names are sorted.
func (l labels) sortKey(by booking.Dimension, key string) string {
	label := l.of(by, key)
	out, ok := l.sorted[label]
	if !ok {
		out = textform.SortKey(label)
		l.sorted[label] = out
	}
	return out
}

// readLabels reads the names of the groups, in a statement for each dimension that has names. The
// viewer reads the time that is in the groups, and therefore what it was booked on.
func readLabels(ctx context.Context, t *booking.Totals, by []booking.Dimension) (labels, error) {
	l := labels{names: map[booking.Dimension]map[string]string{}, sorted: map[string]string{}, indonesian: request.From(ctx).Language == "id"}
	ctx = viewer.System(ctx)
	groups := t.Groups
	for i, d := range by {
		ids := idsOf(groups, i)
		if d.IsTime() || len(ids) == 0 {
			continue
		}
		names, err := namesOf(ctx, d, ids)
		if err != nil {
			return l, err
		}
		l.names[d] = names
	}
	return l, nil
}

// idsOf returns the keys at a depth of groups that are ids, each once.
func idsOf(groups []*booking.Group, depth int) []int {
	seen, ids := map[string]bool{}, []int{}
	var walk func([]*booking.Group, int)
	walk = func(list []*booking.Group, depth int) {
		for _, g := range list {
			if depth > 0 {
				walk(g.Groups, depth-1)
				continue
			}
			if id, err := strconv.Atoi(g.Key); err == nil && !seen[g.Key] {
				seen[g.Key] = true
				ids = append(ids, id)
			}
		}
	}
	walk(groups, depth)
	return ids
}

// namesOf reads the names of rows, by id.
func namesOf(ctx context.Context, by booking.Dimension, ids []int) (map[string]string, error) {
	db := ent.FromContext(ctx)
	var found []struct {
		ID    int
		Name  string
		Title string
	}
	var err error
	switch by {
	case booking.ByUser:
		err = db.User.Query().Where(database.OneOf(user.FieldID, ids)).Select(user.FieldID, user.FieldName).Scan(ctx, &found)
	case booking.ByProject:
		err = db.Project.Query().Where(database.OneOf(entProject.FieldID, ids)).Select(entProject.FieldID, entProject.FieldName).Scan(ctx, &found)
	case booking.ByCategory:
		err = db.TaskCategory.Query().Where(database.OneOf(entTaskCategory.FieldID, ids)).Select(entTaskCategory.FieldID, entTaskCategory.FieldName).Scan(ctx, &found)
	case booking.ByAddress:
		err = db.Address.Query().Where(database.OneOf(address.FieldID, ids)).Select(address.FieldID, address.FieldName).Scan(ctx, &found)
	case booking.ByTask:
		err = db.Task.Query().Where(database.OneOf(entTask.FieldID, ids)).Select(entTask.FieldID, entTask.FieldTitle).Scan(ctx, &found)
	}
	names := make(map[string]string, len(found))
	for _, f := range found {
		names[strconv.Itoa(f.ID)] = strings.TrimSpace(f.Name + f.Title)
	}
	return names, err
}
