package people

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// crowd returns a table of people of a name, whose e-mail addresses begin with it.
func crowd(name string, n int) string {
	var text strings.Builder
	text.WriteString("name,email\n")
	for i := range n {
		fmt.Fprintf(&text, "%s %d,%s%d@crowd.test\n", name, i, strings.ToLower(name), i)
	}
	return text.String()
}

// queued imports a table by a job.
func queued(t *testing.T, s *harness.Server, who, file string, members ...string) importJob {
	t.Helper()
	answer := importTable(t, s, who, file, members...)
	if len(answer.Errors) > 0 || answer.Data.ImportUsers.Job == nil {
		t.Fatalf("%+v", answer)
	}
	return *answer.Data.ImportUsers.Job
}

// jobOf returns an import as somebody sees it, in a language; nil for none.
func jobOf(t *testing.T, s *harness.Server, who, language, id string) *importJob {
	t.Helper()
	var out struct {
		Data struct{ ImportJob *importJob }
	}
	header := s.HeaderOf(who)
	header["X-Language"] = language
	a := s.AskGraphQL(t, header, `query($id:ID!){importJob(id:$id){`+jobFields+`}}`, map[string]any{"id": id})
	if err := json.Unmarshal([]byte(a.Text), &out); err != nil || (out.Data.ImportJob == nil) != (a.Code() == "NOT_FOUND") {
		t.Fatalf("%s, %v", a.Text, err)
	}
	return out.Data.ImportJob
}

// ended waits for the end of an import, and returns it.
func ended(t *testing.T, s *harness.Server, id string) (j *importJob) {
	t.Helper()
	s.Wait(t, "an import", func() bool { j = jobOf(t, s, "maya", "en", id); return j != nil && j.FinishedAt != nil })
	return j
}

// jobScenarios import more people than one request does: andini owns the company, maya
// administers it, ratna is a manager, daeng owns another company.
func jobScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "daeng", "admin@tetangga.test")
	ctx := viewer.System(t.Context())
	people := func() int {
		return s.Store.Ent.User.Query().Where(sql.FieldHasSuffix(user.FieldEmailKey, "@crowd.test")).CountX(ctx)
	}
	crowded := crowd("Person", 600)
	before := s.Store.Ent.File.Query().IDsX(ctx)
	for _, tt := range []struct {
		name, who, file string
		members         []string
		want            string
		people          int // afterwards
	}{
		{"a dry run", "maya", crowded, []string{"dryRun"}, "done 100 600 0 0", 0},
		{"faults", "maya", crowded + "Nobody,\nX,admin@demo.test\n", nil,
			"done 100 0 0 2; 602 email VALIDATION_FAILED This is required.; 603 - FORBIDDEN You may not do this.", 0},
		{"somebody of another company", "maya", crowded + "X,admin@tetangga.test\n", nil, "done 100 0 0 1; 602 email VALIDATION_FAILED This is already taken.", 0},
		{"the last owner", "andini", "name,email,leftOn\n" + strings.ReplaceAll(strings.TrimPrefix(crowded, "name,email\n"), "\n", ",\n") + "Andini,admin@demo.test,2026-12-31\n", nil,
			"done 100 0 0 1; 602 leftOn CONFLICT The company would have no owner left. Make somebody else an owner first.", 0},
		{"in part", "maya", crowd("Person", 300) + "Nobody,\n", []string{"partial", "invite"}, "done 100 300 0 1; 302 email VALIDATION_FAILED This is required.", 300},
		{"all", "maya", crowded, nil, "done 100 300 0 0", 600},
		{"again", "maya", crowded, nil, "done 100 0 0 0", 600},
		{"a workbook", "maya", workbook(t, tableOf(crowd("Person", 601))...), nil, "done 100 1 0 0", 601},
	} {
		j := queued(t, s, tt.who, tt.file, tt.members...)
		if j.Status != "queued" || j.People == 0 || j.FinishedAt != nil {
			t.Errorf("%s: %+v", tt.name, j)
		}
		end := ended(t, s, j.ID)
		if got := fmt.Sprint(end.Status, " ", end.Progress, " ", end.outcome); got != tt.want || people() != tt.people {
			t.Errorf("%s: %s with %d people, want %s with %d", tt.name, got, people(), tt.want, tt.people)
		}
		s.Wait(t, "the end of a table", func() bool {
			table := entFile.Not(sql.FieldHasPrefix(entFile.FieldMediaType, "image/"))
			return !s.Store.Ent.File.Query().Where(entFile.IDNotIn(before...), table).ExistX(ctx)
		})
		if tt.name == "faults" {
			indonesian := jobOf(t, s, "andini", "id", j.ID)
			if indonesian == nil || indonesian.Faults[0].Message != "Wajib diisi." {
				t.Errorf("in Indonesian: %+v", indonesian)
			}
		}
		for _, who := range []string{"daeng", "ratna", "budi"} {
			if seen := jobOf(t, s, who, "en", j.ID); seen != nil {
				t.Errorf("%s: %s sees %+v", tt.name, who, seen)
			}
		}
		for who, want := range map[string]string{"daeng": "NOT_FOUND", "ratna": "FORBIDDEN", "maya": "CONFLICT"} {
			a := s.AskGraphQL(t, s.HeaderOf(who), `mutation($id:ID!){cancelImport(id:$id){id}}`, map[string]any{"id": j.ID})
			if a.Code() != want {
				t.Errorf("%s: %s cancels: %s, want %s", tt.name, who, a.Text, want)
			}
		}
	}
	if j := jobOf(t, s, "maya", "en", "999999"); j != nil {
		t.Errorf("none: %+v", j)
	}
	t.Run("cancelled", func(t *testing.T) {
		late := crowd("Late", 10_000)
		j := queued(t, s, "maya", late)
		if again := queued(t, s, "maya", late); again.ID != j.ID {
			t.Errorf("the same table twice: %+v", again)
		}
		s.Wait(t, "the progress of an import", func() bool {
			seen := jobOf(t, s, "maya", "en", j.ID)
			return seen.Progress > 0 && seen.Status == "running"
		})
		var data struct{ CancelImport importJob }
		s.GraphQL(t, s.HeaderOf("andini"), `mutation($id:ID!){cancelImport(id:$id){`+jobFields+`}}`, map[string]any{"id": j.ID}, &data)
		if got := data.CancelImport; got.Status != "cancelled" || got.FinishedAt == nil || got.Created != 0 {
			t.Errorf("%+v", got)
		}
		s.Wait(t, "the end of its job", func() bool {
			return !s.Store.Ent.Job.Query().Where(entJob.Kind("user_import"), entJob.FinishedAtIsNil()).ExistX(ctx)
		})
		if people() != 601 {
			t.Errorf("%d people, want 601", people())
		}
	})
}

// tableOf returns the records of a table without quotes.
func tableOf(text string) (records [][]string) {
	for line := range strings.Lines(text) {
		records = append(records, strings.Split(strings.TrimSpace(line), ","))
	}
	return records
}
