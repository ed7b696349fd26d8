// Package directory describes writes of many rows of one company's directory.
package directory

import "context"

// A Bulk is a write of many rows of one company in one transaction: the company gets
// another version of its directory once, and not with each row.
type Bulk struct {
	Company int
	Renewed bool // the version was written
}

type key struct{}

// NewContext returns a context for a bulk write of rows of a company. It is used in one
// transaction, by one goroutine, for rows that are known to be the company's.
func NewContext(ctx context.Context, company int) context.Context {
	return context.WithValue(ctx, key{}, &Bulk{Company: company})
}

// From returns the bulk write of ctx; nil for none.
func From(ctx context.Context) *Bulk {
	b, _ := ctx.Value(key{}).(*Bulk)
	return b
}
