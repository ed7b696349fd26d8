package audittrail

import "context"

// A Bulk is a write of many rows of one company in one transaction: the company gets
// another version of its directory once, and not with each row.
type Bulk struct {
	Company int
	Renewed bool // the version was written
}

// WithBulk returns a context for a bulk write of rows of a company. It is used in one
// transaction, by one goroutine, for rows that are known to be the company's.
func WithBulk(ctx context.Context, company int) context.Context {
	a := attributionOf(ctx)
	a.bulk = &Bulk{Company: company}
	return context.WithValue(ctx, key{}, a)
}

// BulkFrom returns the bulk write of ctx; nil for none.
func BulkFrom(ctx context.Context) *Bulk { return attributionOf(ctx).bulk }
