package durability

import (
	"context"
	"image/color"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/internal/app/files"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// storing names the database of the server that TestDyingUpload is to be, dyingAt where
// it dies.
const (
	storing = "WORKFORCE_TEST_STORING"
	dyingAt = "WORKFORCE_TEST_DYING_AT"
)

// The steps between which a server is killed.
const (
	beforeObject       = "before the object is written"
	beforeName         = "before the row that names it"
	beforeThumbnail    = "before the thumbnail of a task's picture"
	beforeTask         = "before the rows that name a task's picture"
	beforeObjectIsGone = "before the object is deleted"
	beforeRowIsGone    = "before the row is deleted"
	inSweep            = "in the sweep"
)

// fileDeaths are the deaths, in this order on one database, with how many more rows and
// objects each leaves. The sweep erases one file of all whole, and of the next the
// object alone.
var fileDeaths = []struct {
	at, who       string
	rows, objects int
}{
	{beforeObject, "budi", 1, 0},
	{beforeName, "agus", 1, 1},
	{beforeObjectIsGone, "joko", 1, 1},
	{beforeRowIsGone, "eko", 1, 0},
	{beforeThumbnail, "ayu", 2, 1},
	{beforeTask, "dimas", 2, 2},
	{inSweep, "putri", 0, 0},
}

// A mortal store kills the process at a step.
type mortal struct {
	files.Store
	at           string
	put, deleted int
}

func die() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }

// Put implements files.Store.
func (m *mortal) Put(ctx context.Context, name string, r io.Reader) error {
	m.put++
	if m.at == beforeObject || m.at == beforeThumbnail && m.put == 2 {
		die()
	}
	err := m.Store.Put(ctx, name, r)
	if m.at == beforeName || m.at == beforeTask && m.put == 2 {
		die()
	}
	return err
}

// Delete implements files.Store.
func (m *mortal) Delete(ctx context.Context, name string) error {
	if m.at == beforeObjectIsGone {
		die()
	}
	err := m.Store.Delete(ctx, name)
	if m.deleted++; m.at == beforeRowIsGone || m.at == inSweep && m.deleted == 2 {
		die()
	}
	return err
}

// TestDyingUpload is, in a process of its own, a server that kills itself while it stores
// or erases a picture.
func TestDyingUpload(t *testing.T) {
	database, at := os.Getenv(storing), os.Getenv(dyingAt)
	if database == "" {
		return // this is the test's own process
	}
	s, ctx := harness.New(t, database), viewer.System(t.Context())
	s.Wait(t, "the first sweep", func() bool {
		return s.Store.Ent.Job.Query().Where(entJob.Kind("files"), entJob.RunAtGT(s.Clock.Now())).ExistX(ctx)
	})
	s.Services.Files.Store = &mortal{Store: s.Services.Files.Store, at: at}
	number, who := 0, ""
	for i, d := range fileDeaths {
		if d.at == at {
			number, who = i, d.who
		}
	}
	s.SignIn(t, who, who+"@demo.test")
	picture := harness.Picture(t, 20, 20, color.Gray{uint8(30 * number)}) // the same bytes would be one file
	const set = `mutation($input:SetAvatarInput!){setAvatar(input:$input){image}}`
	if at == inSweep {
		if _, err := s.Services.Files.Put(ctx, 1, files.Content{Data: picture, MediaType: "image/png"}); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(2 * time.Hour) // when the job runs again
		time.Sleep(time.Minute)
	}
	if at == beforeThumbnail || at == beforeTask {
		var made struct{ SaveTask struct{ ID string } }
		s.GraphQL(t, s.HeaderOf(who), `mutation{saveTask(input:{title:"Lobi"}){id}}`, nil, &made)
		picture := harness.Picture(t, 400, 300, color.Gray{uint8(30 * number)}) // larger than its thumbnail
		const add = `mutation($id:ID!,$input:SaveTaskImagesInput!){saveTaskImages(id:$id,input:$input){id}}`
		if _, err := s.AskUpload(t, who, add, map[string]any{"id": made.SaveTask.ID, "input": map[string]any{"images": []any{nil}}}, "input.images.0", picture); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AskUpload(t, who, set, map[string]any{"input": map[string]any{"image": nil}}, "input.image", picture); err != nil {
		t.Fatal(err)
	}
	s.GraphQL(t, s.HeaderOf(who), `mutation{removeAvatar{image}}`, nil, nil)
}

// TestKilledUploads kills servers between the steps of storing and of erasing a picture,
// and while the job sweeps. Another server's job leaves neither a row without an object
// nor an object without a row.
func TestKilledUploads(t *testing.T) {
	t.Parallel() // it waits for other processes
	testdb.Each(t, func(t *testing.T, database string) {
		first := harness.New(t, database)
		first.Rest() // or it would send the codes that the others' people wait for
		ctx := viewer.System(t.Context())
		kept, _ := storedFiles(t, first) // the demo's
		for _, d := range fileDeaths {
			rowsBefore, objectsBefore := storedFiles(t, first)
			child := exec.Command(os.Args[0], "-test.run=^TestDyingUpload$")
			child.Env = append(os.Environ(), storing+"="+database, dyingAt+"="+d.at)
			said, err := child.CombinedOutput()
			if child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("%s: the server ended with %v, want it killed: %s", d.at, err, said)
			}
			rows, objects := storedFiles(t, first)
			if r, o := len(rows)-len(rowsBefore), len(objects)-len(objectsBefore); r != d.rows || o != d.objects {
				t.Errorf("%s: %d more rows and %d more objects, want %d and %d", d.at, r, o, d.rows, d.objects)
			}
		}
		s := harness.New(t, database)
		s.Clock.Advance(4 * time.Hour)
		s.Wait(t, "the end of the sweep", func() bool {
			return s.Store.Ent.Job.Query().Where(entJob.Kind("files"), entJob.RunAtGT(s.Clock.Now())).ExistX(ctx)
		})
		rows, objects := storedFiles(t, s)
		if !maps.Equal(rows, objects) || !maps.Equal(rows, kept) || len(kept) == 0 {
			t.Errorf("left the rows %v and the objects %v, want those that are named: %v", rows, objects, kept)
		}
		for _, f := range s.Store.Ent.File.Query().Where(entFile.NameIn(slices.Collect(maps.Keys(rows))...)).AllX(ctx) {
			if named, err := ent.Named(ctx, s.Store.Ent, f.ID); err != nil || !named {
				t.Errorf("file %d is not named: %v", f.ID, err)
			}
		}
	})
}

// storedFiles returns the names of the rows and of the objects.
func storedFiles(t *testing.T, s *harness.Server) (rows, objects map[string]bool) {
	t.Helper()
	ctx := viewer.System(t.Context())
	rows, objects = map[string]bool{}, map[string]bool{}
	for _, f := range s.Store.Ent.File.Query().AllX(ctx) {
		rows[f.Name] = true
	}
	err := s.Blobs.List(ctx, 0, func(name string) error {
		objects[name] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, objects
}
