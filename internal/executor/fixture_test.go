package executor

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/designation"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/request"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A fixture is an executor on a database, without transports and resolvers: what an
// operation does is a function, its effect.
type fixture struct {
	*apptest.World
	*Executor
	t    *testing.T
	user *ent.User
	ran  int // how often an effect ran
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	e, w := newTestExecutor(t), apptest.New(t)
	e.DB, e.Dialect, e.Config.Now, e.Log, e.RequestKey = w.DB, dialect.SQLite, w.Now, slog.New(slog.DiscardHandler), sealed.NewRing(sealed.Key{}).Derive("requests")
	e.Audit = &audit.Recorder{DB: w.DB, Now: w.Now}
	return &fixture{World: w, Executor: e, t: t, user: w.User(t, "Budi", viewer.Owner)}
}

// A sent operation, with what the client says about it.
type sent struct {
	text   string
	key    string // Idempotency-Key
	id     string // X-Req-Id
	device int
	as     *ent.User // the fixture's user where it is nil
	nobody bool
}

// deletion is a mutation whose outcome is stored.
const deletion = `mutation { deleteRole(id: 1) { deleted } }`

// context returns the context of an operation and the headers of its answer.
func (f *fixture) context(s sent) (context.Context, http.Header) {
	f.t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(f.schema.Schema(), s.text, nil)
	if err != nil {
		f.t.Fatalf("%s: %v", s.text, err)
	}
	header, reply := http.Header{}, http.Header{}
	if s.key != "" {
		header.Set("Idempotency-Key", s.key)
	}
	who := f.user
	if s.as != nil {
		who = s.as
	}
	ctx := f.As(who, viewer.Owner)
	viewer.From(ctx).DeviceID = s.device
	if s.nobody {
		ctx = viewer.NewContext(ctx, &viewer.Viewer{})
	}
	ctx = request.NewContext(ctx, &request.Info{ID: s.id, IDGiven: s.id != "", Header: header, Reply: reply})
	return graphql.WithOperationContext(ctx, &graphql.OperationContext{RawQuery: s.text, Doc: doc, Operation: doc.Operations[0]}), reply
}

// An outcome is what became of an operation.
type outcome struct {
	data, code string
	replayed   bool
	retryAfter string
	errors     gqlerror.List
}

// An effect is what an operation does in its transaction; its response's data is
// the text.
type effect func(ctx context.Context) (string, error)

// run runs an operation through idempotency, retries, transaction and
// deduplication, as Server wires them.
func (f *fixture) run(s sent, does effect) outcome {
	f.t.Helper()
	ctx, reply := f.context(s)
	return f.runIn(ctx, reply, does)
}

func (f *fixture) runIn(ctx context.Context, reply http.Header, does effect) outcome {
	tx := transactions{open: f.openTx, own: f.Fields.OwnTransactions}
	var inner context.Context
	handle := f.claimKey(ctx, func(ctx context.Context) graphql.ResponseHandler {
		return f.retry(ctx, func(ctx context.Context) graphql.ResponseHandler {
			inner = ctx
			return func(ctx context.Context) *graphql.Response {
				return tx.InterceptResponse(ctx, func(ctx context.Context) *graphql.Response {
					return f.dedupe(ctx, func(ctx context.Context) *graphql.Response { return f.respond(ctx, does) })
				})
			}
		})
	})
	if inner == nil {
		inner = ctx
	}
	return outcomeOf(handle(inner), reply)
}

// respond runs an effect.
func (f *fixture) respond(ctx context.Context, does effect) *graphql.Response {
	f.ran++
	text, err := does(ctx)
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{f.present(ctx, err)}}
	}
	return &graphql.Response{Data: []byte(text)}
}

func outcomeOf(resp *graphql.Response, reply http.Header) outcome {
	if resp == nil {
		return outcome{}
	}
	o := outcome{data: string(resp.Data), replayed: reply.Get("Idempotent-Replayed") == "true", retryAfter: reply.Get("Retry-After"), errors: resp.Errors}
	if len(resp.Errors) > 0 {
		o.code = strings.Fields(apptest.Code(resp.Errors[0]))[0]
	}
	return o
}

func (o outcome) String() string {
	text := o.data + o.code // never both
	if o.replayed {
		text += " replayed"
	}
	return text
}

// want fails the test unless an outcome is as wanted: the data or the error's code,
// and "replayed" where it is.
func (f *fixture) want(what string, got outcome, want string) {
	f.t.Helper()
	if got.String() != want {
		f.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// wantRows fails the test unless so many effects are committed.
func (f *fixture) wantRows(want int) {
	f.t.Helper()
	if n := f.rows(); n != want {
		f.t.Errorf("%d effects are committed, want %d", n, want)
	}
}

// add is an effect that adds a row; its answer names it.
func (f *fixture) add(ctx context.Context) (string, error) {
	err := ent.FromContext(ctx).Designation.Create().SetCompanyID(f.Company.ID).SetName(fmt.Sprint("Row ", f.ran)).Exec(viewer.System(ctx))
	return fmt.Sprint("row ", f.ran), err
}

// rows counts the rows that effects added.
func (f *fixture) rows() int {
	return f.DB.Designation.Query().Where(designation.NameHasPrefix("Row ")).CountX(f.System())
}

func operationOf(ctx context.Context) *ast.OperationDefinition {
	return graphql.GetOperationContext(ctx).Operation
}

func first[T, U any](v T, _ U) T { return v }
