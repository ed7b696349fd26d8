package task

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"workforce/ent"
	row "workforce/ent/task"
	"workforce/internal/geofence"
)

// wire are the names of the members of a task, by column.
var wire = map[string]string{
	row.FieldTitle: "title", row.FieldDescription: "description", row.FieldStatus: "status", row.FieldPriority: "priority",
	row.FieldProjectID: "projectId", row.FieldCategoryID: "categoryId", row.FieldStartAt: "startAt", row.FieldDueAt: "dueAt",
	row.FieldLatitude: "latitude", row.FieldLongitude: "longitude", row.FieldRecurrence: "recurrence",
}

// given returns the values that a mutation sets, by column; nil for null.
func given(m *ent.TaskMutation) map[string]any {
	all := map[string]any{}
	for _, field := range m.Fields() {
		all[field], _ = m.Field(field)
	}
	for _, field := range m.ClearedFields() {
		all[field] = nil
	}
	return all
}

// shown returns a value as clients see it; nil for null.
func shown(value any) any {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case time.Time:
		return value.UTC().Format(time.RFC3339)
	case int:
		return strconv.Itoa(value)
	case float64:
		return geofence.FormatDegrees(value)
	default:
		return fmt.Sprint(value)
	}
}

// texts returns ids as clients see them.
func texts(ids []int) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Itoa(id)
	}
	return list
}
