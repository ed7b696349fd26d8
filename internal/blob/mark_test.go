package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

const (
	ours   = "11111111111111111111111111111111"
	theirs = "22222222222222222222222222222222"
)

// knowing returns what Claim asks, for an installation that has rows of objects.
func knowing(all ...string) Lookup {
	return func(_ context.Context, names []string) (bool, error) {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(all, name) }), nil
	}
}

// everything returns all that a store holds.
func everything(t *testing.T, s *Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := s.list(t.Context(), "", func(name string, _ time.Time) error {
		r, err := s.get(t.Context(), name, 0)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		all[name] = string(text)
		return errors.Join(err, r.Close())
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// eachOpen runs a test with a folder and with a bucket.
func eachOpen(t *testing.T, test func(t *testing.T, s *Store)) {
	for name, open := range map[string]func(*testing.T, *clock) (*Store, string){"folder": openTemp, "s3": openFake} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, &clock{at: start})
			test(t, s)
		})
	}
}

// TestClaim claims stores with and without mark and objects. Whoever is refused changes
// nothing.
func TestClaim(t *testing.T) {
	foreign := func(err error) bool { _, ok := errors.AsType[*ForeignError](err); return ok }
	unknown := func(err error) bool { return errors.Is(err, ErrUnknown) }
	taken := func(err error) bool { return err == nil }
	damaged := func(err error) bool { return err != nil && strings.Contains(err.Error(), "does not hold the id") }
	many := map[string]string{}
	for i := range batch + 1 {
		many[fmt.Sprintf("7/%032x.png", i)] = "picture"
	}
	last := slices.Max(slices.Collect(maps.Keys(many)))
	for _, tt := range []struct {
		name    string
		objects map[string]string
		known   string
		want    func(error) bool
	}{
		{"empty", nil, "", taken},
		{"only what is no object", map[string]string{"README": "text", "7/a.tmp": "text"}, "", taken},
		{"marked as ours", map[string]string{markName: ours, object: "picture"}, "", taken},
		{"marked by an editor", map[string]string{markName: " " + ours + "\r\n"}, "", taken},
		{"marked as theirs", map[string]string{markName: theirs, object: "picture"}, object, foreign},
		{"marked as theirs and empty", map[string]string{markName: theirs}, "", foreign},
		{"damaged", map[string]string{markName: "", object: "picture"}, object, damaged},
		{"unmarked, unknown", map[string]string{object: "picture"}, "", unknown},
		{"unmarked, unknown orphan", map[string]string{orphans + object: "picture"}, "", unknown},
		{"unmarked, known", map[string]string{object: "picture"}, object, taken},
		{"unmarked, known orphan", map[string]string{orphans + object: "picture"}, object, taken},
		{"unmarked, many unknown", many, "", unknown},
		{"unmarked, one of many known", many, last, taken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachOpen(t, func(t *testing.T, s *Store) {
				for name, text := range tt.objects {
					if err := s.put(t.Context(), name, strings.NewReader(text)); err != nil {
						t.Fatal(err)
					}
				}
				before := everything(t, s)
				err := s.Claim(t.Context(), ours, knowing(tt.known))
				if !tt.want(err) {
					t.Errorf("%v", err)
				}
				after := everything(t, s)
				if err == nil {
					mark, err := s.Mark(t.Context())
					if err := errors.Join(err, s.CheckMark(t.Context())); mark != ours || err != nil {
						t.Errorf("marked %q, %v, want ours", mark, err)
					}
					delete(before, markName)
					delete(after, markName)
				}
				if !maps.Equal(before, after) {
					t.Errorf("the store has %d entries, want the %d that it had", len(after), len(before))
				}
			})
		})
	}
}

// TestClaimFails passes on the error of who is asked about the objects.
func TestClaimFails(t *testing.T) {
	eachOpen(t, func(t *testing.T, s *Store) {
		if err := s.Put(t.Context(), object, strings.NewReader("picture")); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		err := s.Claim(t.Context(), ours, func(context.Context, []string) (bool, error) { return false, broken })
		if mark, _ := s.Mark(t.Context()); !errors.Is(err, broken) || mark != "" {
			t.Errorf("%v, marked %q", err, mark)
		}
	})
}

// TestCheckMark notices that the mark of a store was replaced or removed.
func TestCheckMark(t *testing.T) {
	eachOpen(t, func(t *testing.T, s *Store) {
		err := s.Claim(t.Context(), ours, knowing())
		if err := errors.Join(err, s.put(t.Context(), markName, strings.NewReader(theirs))); err != nil {
			t.Fatal(err)
		}
		if err := s.CheckMark(t.Context()); err == nil || !strings.Contains(err.Error(), theirs) {
			t.Errorf("replaced: %v", err)
		}
		if err := s.delete(t.Context(), markName); err != nil {
			t.Fatal(err)
		}
		if err := s.CheckMark(t.Context()); err == nil || !strings.Contains(err.Error(), "lost its mark") {
			t.Errorf("removed: %v", err)
		}
	})
}

// TestClaimAtOnce has two instances each of two installations claim an empty store at the
// same time: those of exactly one succeed.
func TestClaimAtOnce(t *testing.T) {
	for name, fresh := range map[string]func(t *testing.T, try int) (url string){
		"folder": func(t *testing.T, _ int) string { return "file:" + t.TempDir() },
		"s3":     fakeBuckets(t, nil),
	} {
		t.Run(name, func(t *testing.T) {
			for try := range 20 {
				at, won := fresh(t, try), map[string]int{}
				var all sync.WaitGroup
				var mu sync.Mutex
				begin := make(chan struct{})
				for _, id := range []string{ours, theirs, ours, theirs} {
					s, err := Open(t.Context(), at, config(&clock{at: start}))
					if err != nil {
						t.Fatal(err)
					}
					all.Go(func() {
						<-begin
						err := s.Claim(t.Context(), id, knowing())
						if _, foreign := errors.AsType[*ForeignError](err); err != nil && !foreign {
							t.Error(err)
						}
						mu.Lock()
						defer mu.Unlock()
						if err == nil {
							won[id]++
						}
					})
				}
				close(begin)
				all.Wait()
				if len(won) != 1 || won[ours]+won[theirs] != 2 {
					t.Errorf("try %d: %v claimed it, want both instances of one", try, won)
				}
			}
		})
	}
}

// TestCreate writes the mark of whoever looked at a store before somebody else marked it.
func TestCreate(t *testing.T) {
	eachOpen(t, func(t *testing.T, s *Store) {
		for _, id := range []string{ours, theirs} {
			if err := s.create(t.Context(), markName, id); err != nil {
				t.Fatal(err)
			}
		}
		if mark, err := s.Mark(t.Context()); mark != ours || err != nil {
			t.Errorf("marked %q, %v, want the first mark", mark, err)
		}
	})
}

// TestClaimWithoutLinks claims a folder of a file system that has no hard links.
func TestClaimWithoutLinks(t *testing.T) {
	for _, failed := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS} {
		dir := t.TempDir()
		for _, id := range []string{ours, theirs, ours} {
			s, err := Open(t.Context(), "file:"+dir, config(&clock{at: start}))
			if err != nil {
				t.Fatal(err)
			}
			s.backend.(*folder).link = func(from, to string) error {
				return &os.LinkError{Op: "link", Old: from, New: to, Err: failed}
			}
			if err := s.Claim(t.Context(), id, knowing()); (err == nil) != (id == ours) {
				t.Errorf("%v, %s: %v", failed, id, err)
			}
			if all := everything(t, s); len(all) != 1 {
				t.Errorf("%v: left %v", failed, all)
			}
		}
	}
}

// A change answers a request in place of a fake S3, or changes it and reports false.
type change func(w http.ResponseWriter, r *http.Request) bool

// fakeBuckets starts a fake S3 and returns what makes a bucket of it.
func fakeBuckets(t *testing.T, change change) func(t *testing.T, try int) (url string) {
	t.Helper()
	backend := s3mem.New()
	serve := gofakes3.New(backend).Server()
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if change == nil || !change(w, r) {
			serve.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(fake.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	return func(t *testing.T, try int) string {
		name := fmt.Sprintf("pictures-%d", try)
		if err := backend.CreateBucket(name); err != nil {
			t.Fatal(err)
		}
		return "s3://" + name + "?region=ap-southeast-3&endpoint=" + url.QueryEscape(fake.URL)
	}
}

// TestClaimWithoutConditions claims a bucket of a service that refuses conditional writes,
// of one that ignores the condition, and of one that answers that it is busy at first.
func TestClaimWithoutConditions(t *testing.T) {
	answer := func(w http.ResponseWriter, status int, code string) bool {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code></Error>")
		return true
	}
	busy := 0
	for name, change := range map[string]change{
		"refused": func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("If-None-Match") == "" {
				return false
			}
			return answer(w, http.StatusNotImplemented, "NotImplemented")
		},
		"busy": func(w http.ResponseWriter, r *http.Request) bool {
			if busy++; r.Header.Get("If-None-Match") == "" || busy > 4 {
				return false
			}
			return answer(w, http.StatusConflict, "ConditionalRequestConflict")
		},
		"ignored": func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("If-None-Match"); return false },
	} {
		t.Run(name, func(t *testing.T) {
			at := fakeBuckets(t, change)(t, 0)
			for _, id := range []string{ours, theirs, ours} {
				s, err := Open(t.Context(), at, config(&clock{at: start}))
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Claim(t.Context(), id, knowing()); (err == nil) != (id == ours) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
}

// TestOrphans sets objects aside, restores, discards and deletes them.
func TestOrphans(t *testing.T) {
	eachOpen(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		state := func(step string, objects, aside int) {
			t.Helper()
			var list []string
			if err := s.Orphans(ctx, 0, func(name string) error { list = append(list, name); return nil }); err != nil {
				t.Fatal(err)
			}
			if got := listed(t, s, 0); len(got) != objects || len(list) != aside || len(list) > 0 && list[0] != object {
				t.Errorf("%s: objects %q, set aside %q", step, got, list)
			}
		}
		must := func(errs ...error) {
			t.Helper()
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
		}
		put := func() error { return s.Put(ctx, object, strings.NewReader("picture")) }
		before := everything(t, s)
		must(put())
		state("put", 1, 0)
		must(s.SetAside(ctx, object), s.SetAside(ctx, object))
		state("set aside, twice", 0, 1)
		if _, err := s.Get(ctx, object); !errors.Is(err, ErrNotFound) {
			t.Errorf("set aside: %v", err)
		}
		must(s.Restore(ctx, object), s.Restore(ctx, object))
		state("restored, twice", 1, 0)
		if text := everything(t, s)[object]; text != "picture" {
			t.Errorf("restored: %q", text)
		}
		must(s.Discard(ctx, object))
		state("discarded without being set aside", 1, 0)
		must(s.SetAside(ctx, object), put(), s.SetAside(ctx, object))
		state("under both names, set aside", 0, 1)
		must(put(), s.Restore(ctx, object))
		state("under both names, restored", 1, 0)
		must(s.SetAside(ctx, object), put(), s.Delete(ctx, object))
		state("under both names, deleted", 0, 0)
		must(put(), s.SetAside(ctx, object), s.Discard(ctx, object))
		state("discarded", 0, 0)
		for _, bad := range []string{"", markName, orphans + object, "7/../" + object} {
			if a, r, d := s.SetAside(ctx, bad), s.Restore(ctx, bad), s.Discard(ctx, bad); a == nil || r == nil || d == nil {
				t.Errorf("%q: set aside %v, restore %v, discard %v; want errors", bad, a, r, d)
			}
		}
		if after := everything(t, s); !maps.Equal(before, after) {
			t.Errorf("left %v", after)
		}
	})
}

// TestOrphanAge counts the age of an orphan from when it was set aside.
func TestOrphanAge(t *testing.T) {
	aside := func(t *testing.T, s *Store, age time.Duration) (n int) {
		t.Helper()
		if err := s.Orphans(t.Context(), age, func(string) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Run("folder", func(t *testing.T) {
		s, dir := openTemp(t, &clock{at: start})
		if err := s.Put(t.Context(), object, strings.NewReader("picture")); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-48 * time.Hour)
		if err := errors.Join(os.Chtimes(filepath.Join(dir, object), old, old), s.SetAside(t.Context(), object)); err != nil {
			t.Fatal(err)
		}
		if n := aside(t, s, time.Hour); n != 0 {
			t.Error("it counts as old when it was set aside")
		}
		old = time.Now().Add(-time.Hour - time.Second)
		if err := os.Chtimes(filepath.Join(dir, orphans, object), old, old); err != nil {
			t.Fatal(err)
		}
		if n := aside(t, s, time.Hour); n != 1 {
			t.Error("it does not count as an hour old")
		}
	})
	t.Run("s3", func(t *testing.T) {
		source := gofakes3.FixedTimeSource(time.Now().Add(-48 * time.Hour))
		backend := s3mem.New(s3mem.WithTimeSource(source))
		s, _ := openBackend(t, &clock{at: start}, backend)
		if err := s.Put(t.Context(), object, strings.NewReader("picture")); err != nil {
			t.Fatal(err)
		}
		source.Advance(25 * time.Hour)
		if err := s.SetAside(t.Context(), object); err != nil {
			t.Fatal(err)
		}
		if young, old := aside(t, s, 24*time.Hour), aside(t, s, 22*time.Hour); young != 0 || old != 1 {
			t.Errorf("set aside 23 hours ago: %d are a day old, %d are 22 hours old", young, old)
		}
		b := s.backend.(*bucket)
		a, err := b.client.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: &b.name, Key: aws.String(orphans + object)})
		if err != nil || aws.ToString(a.ContentType) != "image/png" {
			t.Errorf("%v, %v; want the media type of the object", a, err)
		}
	})
}

// TestHidden serves neither the mark nor what was set aside, whatever is signed.
func TestHidden(t *testing.T) {
	s, _ := openTemp(t, &clock{at: start})
	put := errors.Join(s.Claim(t.Context(), ours, knowing()), s.Put(t.Context(), object, strings.NewReader("picture")))
	if err := errors.Join(put, s.SetAside(t.Context(), object)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{object: 404, markName: 403, orphans + object: 403, "./" + markName: 403} {
		link, err := s.sign(s.keys()[0], name, "", start.Truncate(time.Hour), Life)
		if err != nil {
			t.Fatal(err)
		}
		if w := ask(s, "GET", link); w.Code != want {
			t.Errorf("%s: %d, want %d", name, w.Code, want)
		}
	}
	eachOpen(t, func(t *testing.T, s *Store) {
		for _, name := range []string{markName, orphans + object} {
			link, err := s.Link(Ref(name))
			temporary, err2 := s.Temporary(name, "", time.Hour)
			if link != "" || temporary != "" || err == nil || err2 == nil {
				t.Errorf("%s: links %q %v, %q %v", name, link, err, temporary, err2)
			}
			_, err = s.Get(t.Context(), name)
			put, del := s.Put(t.Context(), name, strings.NewReader("")), s.Delete(t.Context(), name)
			if err == nil || put == nil || del == nil {
				t.Errorf("%s: get %v, put %v, delete %v; want errors", name, err, put, del)
			}
		}
	})
}
