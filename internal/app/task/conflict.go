package task

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/internal/geofence"
)

// wireNames are the names of the members of a task, by column.
var wireNames = map[string]string{
	entTask.FieldTitle: "title", entTask.FieldDescription: "description",
	entTask.FieldStatus: "status", entTask.FieldPriority: "priority",
	entTask.FieldProjectID: "projectId", entTask.FieldCategoryID: "categoryId",
	entTask.FieldStartAt: "startAt", entTask.FieldDueAt: "dueAt", entTask.FieldRecurrence: "recurrence",
	entTask.FieldLatitude: "latitude", entTask.FieldLongitude: "longitude",
}

// sentValues returns the values that a mutation sets, by column; nil for null.
func sentValues(m *ent.TaskMutation) map[string]any {
	all := map[string]any{}
	for _, field := range m.Fields() {
		all[field], _ = m.Field(field)
	}
	for _, field := range m.ClearedFields() {
		all[field] = nil
	}
	return all
}

// wireValue returns a value as clients see it; nil for null.
func wireValue(value any) any {
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

// wireIDs returns ids as clients see them.
func wireIDs(ids []int) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.Itoa(id)
	}
	return list
}
