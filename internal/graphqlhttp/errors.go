package graphqlhttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// A developerError has a text for the developer of a client, which is shown in
// place of the catalogue's.
type developerError struct {
	text  string // in English
	rule  string // of GraphQL's validation that text is about; "" for any other text
	cause *errs.Error
}

func (r *developerError) Error() string { return r.text }
func (r *developerError) Unwrap() error { return r.cause }

// Refuse returns an error of a code whose message is text, in English and without
// anything of the request in it. translations has it in Indonesian.
func Refuse(code errs.Code, meta errs.Meta, text string) *gqlerror.Error {
	return gqlerror.Wrap(&developerError{text: text, cause: errs.New(code, meta)})
}

// localized returns what a client is shown of an error, in the language of the
// request: message is its detail, extensions are code, meta, errors and
// requestId, as in an errs.Problem. An error that nobody classified is INTERNAL.
func localized(ctx context.Context, g *gqlerror.Error) *gqlerror.Error {
	p := request.Problem(ctx, g)
	shown := &gqlerror.Error{
		Message: p.Detail, Path: g.Path,
		Extensions: map[string]any{"code": p.Code, "meta": p.Meta, "errors": p.Errors, "requestId": p.RequestID},
	}
	if _, classified := errors.AsType[*errs.Error](g); classified {
		shown.Locations = g.Locations
	}
	if r, ok := errors.AsType[*developerError](g); ok {
		shown.Message = r.in(request.From(ctx).Language)
	}
	return shown
}

// Presenter returns a function that classifies every error of an operation: Err
// of the result leads to an *errs.Error, and there is no text, which is added
// when the response is written. It calls classify for those that nobody
// classified and that are not the client's, such as a database's; what classify
// leaves so is INTERNAL.
func Presenter(classify func(context.Context, error) error) graphql.ErrorPresenterFunc {
	return func(ctx context.Context, err error) *gqlerror.Error {
		if err == nil {
			return nil
		}
		g, ok := errors.AsType[*gqlerror.Error](err)
		if !ok {
			g = gqlerror.WrapPath(graphql.GetPath(ctx), err)
		}
		if inner, ok := clientError(ctx, g); ok {
			return inner
		}
		if _, ok := errors.AsType[*errs.Error](g.Err); ok {
			return &gqlerror.Error{Err: g.Err, Path: g.Path, Locations: g.Locations}
		}
		cause := g.Err
		if cause == nil {
			cause = errors.New(g.Message)
		}
		if isTimeout(cause) {
			cause = &errs.Error{Code: errs.Unavailable, Err: cause}
		} else {
			cause = errs.As(classify(ctx, cause))
		}
		return &gqlerror.Error{Err: cause, Path: g.Path, Locations: g.Locations}
	}
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// clientError recognizes what the parser, the validation, and the reading of
// variables and arguments report, and classifies it.
func clientError(ctx context.Context, g *gqlerror.Error) (*gqlerror.Error, bool) {
	switch g.Extensions["code"] {
	case errcode.ParseFailed, errcode.ValidationFailed:
		if len(g.Path) > 1 && g.Path[0] == ast.PathName("variable") {
			return &gqlerror.Error{Err: unreadableMember(withoutInput(g.Path[1:]))}, true
		}
		return invalidDocument(g), true
	}
	field, argument := splitPath(ctx, g.Path)
	if argument == nil {
		return nil, false
	}
	cause := unreadableMember(argument)
	if e, ok := errors.AsType[*errs.Error](g.Err); ok {
		cause = withField(e, argument)
	}
	return &gqlerror.Error{Err: cause, Path: field, Locations: g.Locations}, true
}

// splitPath splits the path of an error into the path of the field of ctx and the
// path in its arguments, which is nil unless the error arose while they were
// read.
func splitPath(ctx context.Context, path ast.Path) (field, argument ast.Path) {
	fc := graphql.GetFieldContext(ctx)
	if fc == nil || fc.Args != nil || fc.Field.Field == nil {
		return nil, nil
	}
	field = fc.Path()
	if len(path) <= len(field) || !slices.Equal(path[:len(field)], field) {
		return nil, nil
	}
	argument = path[len(field):]
	name, _ := argument[0].(ast.PathName)
	if fc.Field.Definition.Arguments.ForName(string(name)) == nil {
		return nil, nil
	}
	return field, withoutInput(argument)
}

// withoutInput returns the path of a member of the one input that mutations take.
// It is named as in REST, where there is no input around it.
func withoutInput(path ast.Path) ast.Path {
	if len(path) > 1 && path[0] == ast.PathName(inputName) {
		return path[1:]
	}
	return path
}

// withField returns e with the member at path as its field, unless e names others.
func withField(e *errs.Error, path ast.Path) *errs.Error {
	with := *e
	switch {
	case len(e.Faults) == 0:
		with.Faults = []errs.Fault{{Field: path.String(), Code: e.Code, Meta: e.Meta}}
	case len(e.Faults) == 1 && e.Faults[0].Field == "":
		with.Faults = slices.Clone(e.Faults)
		with.Faults[0].Field = path.String()
	}
	return &with
}

// unreadableMember returns a VALIDATION_FAILED for the member at path.
func unreadableMember(path ast.Path) *errs.Error {
	return errs.Because(path.String(), errs.Unreadable, nil)
}

// clip shortens a message of the parser, which may quote the document.
func clip(message string) string {
	const most = 200 // bytes
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most], "") + "…"
}

// Recover returns a function that logs a panic, with its stack, and makes it an
// INTERNAL error.
func Recover(log *slog.Logger) graphql.RecoverFunc {
	return func(ctx context.Context, v any) error {
		log.ErrorContext(ctx, "panic", "value", fmt.Sprint(v), "requestId", request.From(ctx).ID, "stack", string(debug.Stack()))
		return &errs.Error{Code: errs.Internal, Err: fmt.Errorf("panic: %v", v)}
	}
}
