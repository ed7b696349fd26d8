package parallel

import (
	"fmt"
	"image/color"
	"strconv"
	"testing"

	"workforce/ent/taskchecklistitem"
	"workforce/ent/taskimage"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// taskRaces are races about projects and tasks.
func taskRaces(t *testing.T) []race {
	system := viewer.System(t.Context())
	made := func(t *testing.T, s *harness.Server) {
		one := mutation(harness.Bearer("budi"), `saveTask(input: {title: "Raced"}) { id }`)(0)
		one.Save = map[string]string{"task": "/data/saveTask/id"}
		s.Run(t, []apitest.Scenario{one})
	}
	id := func(s *harness.Server) int {
		n, _ := strconv.Atoi(s.Vars["task"])
		return n
	}
	own := func(document string) func(int) apitest.Scenario {
		return func(i int) apitest.Scenario { return distinct(mutation(harness.Bearer("budi"), document)(i), i) }
	}
	var server *harness.Server
	picture := harness.Picture(t, 30, 20, color.RGBA{1, 2, 3, 255})
	return []race{
		{"create a project", nil, 0, mutation(harness.Bearer("admin"), `createProject(input: {name: "Baru", code: "RACE"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"create a category", nil, 0, mutation(harness.Bearer("admin"), `createTaskCategory(input: {name: "Baru"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"change a task", made, 0, own(`updateTask(id: "{{task}}", input: {priority: high, version: 1}) { id }`),
			exactly(map[string]int{"": 1, "VERSION_CONFLICT": 19})},
		{"book time on a task that is deleted", made, 0, func(i int) apitest.Scenario {
			if i%2 == 0 {
				return own(`createTimeEntry(input: {taskId: "{{task}}"}) { id }`)(i)
			}
			return distinct(mutation(harness.Bearer("admin"), `deleteTask(id: "{{task}}") { deleted }`)(i), i)
		}, func(t *testing.T, s *harness.Server, got answers) {
			k := s.Store.Ent.Task.GetX(system, id(s))
			n := s.Store.Ent.TimeEntry.Query().Where(entTimeEntry.TaskID(k.ID)).CountX(system)
			if k.EntryCount != n || (k.DeletedAt == nil) != (n > 0) {
				t.Errorf("%d entries, the task keeps %d and was deleted at %v: %v", n, k.EntryCount, k.DeletedAt, got)
			}
		}},
		{"add steps to a task", made, 0, own(`createTaskChecklistItem(input: {taskId: "{{task}}", title: "x"}) { id }`),
			exactly(map[string]int{"": 20}, func(t *testing.T, s *harness.Server) {
				for i, step := range s.Store.Ent.TaskChecklistItem.Query().Where(taskchecklistitem.TaskID(id(s))).AllX(system) {
					if step.Position != i+1 {
						t.Errorf("step %d has position %d", i, step.Position)
					}
				}
			})},
		{"save a picture of a task", func(t *testing.T, s *harness.Server) { made(t, s); server = s }, 0, func(i int) apitest.Scenario {
			body, kind := harness.Upload(t, `mutation($id:ID!,$input:SaveTaskImagesInput!){saveTaskImages(id:$id,input:$input){id}}`,
				map[string]any{"id": fmt.Sprint(id(server)), "input": map[string]any{"images": []any{nil}}}, "input.images.0", picture)
			header := harness.Bearer("budi")
			header["Content-Type"], header["GraphQL-Preflight"] = kind, "1"
			return distinct(apitest.Scenario{Path: "/graphql", Header: header, Body: body}, i)
		}, exactly(map[string]int{"": 20}, rows("pictures", 1, func(s *harness.Server) int {
			return s.Store.Ent.TaskImage.Query().Where(taskimage.TaskID(id(s))).CountX(system)
		}))},
	}
}
