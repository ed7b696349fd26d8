package executor

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/admission"
	"workforce/internal/errs"
	"workforce/internal/request"
)

// TestObserve reports each operation once, with the outcome of its worst error, and its fields.
func TestObserve(t *testing.T) {
	refused := func(code errs.Code) *gqlerror.Error { return gqlerror.Wrap(errs.New(code, nil)) }
	for _, tt := range []struct {
		name    string
		execute bool
		answer  func() *graphql.Response
		want    string
		called  []string
	}{
		{"answered", true, func() *graphql.Response { return &graphql.Response{} }, "Known mutation ok", []string{"deleteRole ok"}},
		{"refused", true, func() *graphql.Response {
			return &graphql.Response{Errors: gqlerror.List{refused(errs.Forbidden), refused(errs.Forbidden)}}
		}, "Known mutation refused", []string{"deleteRole FORBIDDEN"}},
		{"failed", true, func() *graphql.Response {
			return &graphql.Response{Errors: gqlerror.List{refused(errs.Internal), refused(errs.NotFound)}}
		}, "Known mutation failed", []string{"deleteRole INTERNAL", "deleteRole NOT_FOUND"}},
		{"panicked", true, func() *graphql.Response { panic("canary") }, "Known mutation failed", nil},
		{"not executed", false, nil, "Known mutation refused", nil},
	} {
		e := newTestExecutor(t)
		var ended, called []string
		e.Ended = func(op request.Operation, took time.Duration) {
			ended = append(ended, fmt.Sprint(op.Name, " ", op.Kind, " ", op.Outcome))
		}
		e.Called = func(_ context.Context, field, outcome string) { called = append(called, field+" "+outcome) }
		op := operationOfText(t, e, `mutation Known{deleteRole(id:1){deleted}}`)
		e.Known = map[string]bool{op.RawQuery: true}
		for _, checked := range []bool{true, false} {
			if !checked && !tt.execute {
				continue
			}
			ended, called = nil, nil
			ctx := graphql.WithOperationContext(request.NewContext(t.Context(), &request.Info{}), op)
			if checked {
				ctx = e.begin(ctx, op)
			}
			if tt.execute {
				func() {
					defer func() { _ = recover() }()
					e.observe(ctx, func(context.Context) graphql.ResponseHandler {
						return func(context.Context) *graphql.Response { return tt.answer() }
					})(ctx)
				}()
			}
			if checked {
				e.End(ctx)
			}
			if !slices.Equal(ended, []string{tt.want}) || !slices.Equal(called, tt.called) {
				t.Errorf("%s, checked %v: %q %q, want %q %q", tt.name, checked, ended, called, tt.want, tt.called)
			}
		}
	}
}

// TestObserveAdmission has an operation fail that a full lane does not let in.
func TestObserveAdmission(t *testing.T) {
	e := newTestExecutor(t)
	e.Lanes = Lanes{fields: e.Fields, Queries: admission.NewLane(1, 0)}
	query := &ast.OperationDefinition{Operation: ast.Query}
	leave, err := e.Admit(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	info := &request.Info{}
	if _, err := e.Admit(request.NewContext(t.Context(), info), query); err == nil || info.Operation.Outcome != request.Failed {
		t.Errorf("%v, outcome %q", err, info.Operation.Outcome)
	}
}

// TestNames names the operations of known documents alone.
func TestNames(t *testing.T) {
	e := newTestExecutor(t)
	e.Known = map[string]bool{"query A{viewer{id}}": true, "{viewer{id}}": true}
	for text, want := range map[string]string{"query A{viewer{id}}": "A", "{viewer{id}}": "other", "query A{viewer{name}}": "other"} {
		info := &request.Info{}
		e.begin(request.NewContext(t.Context(), info), operationOfText(t, e, text))
		if info.Operation.Name != want {
			t.Errorf("%s: %q, want %q", text, info.Operation.Name, want)
		}
	}
}

// operationOfText returns the context of an operation that stands alone in a text.
func operationOfText(t *testing.T, e *Executor, text string) *graphql.OperationContext {
	t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(e.schema.Schema(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &graphql.OperationContext{RawQuery: text, Doc: doc, Operation: doc.Operations[0]}
}
