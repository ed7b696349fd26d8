// Package filetest gives the tests of a domain files to upload.
package filetest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/internal/app/tx"
)

// PDF returns a document to upload. Documents of different numbers have different bytes.
func PDF(n int) graphql.Upload {
	return Upload("a.pdf", fmt.Appendf(nil, "%%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%%%EOF\n%d\n", n))
}

// Picture returns a picture to upload, 10 pixels high. Pictures of different widths have different bytes.
func Picture(t testing.TB, width int) graphql.Upload {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, width, 10))); err != nil {
		t.Fatal(err)
	}
	return Upload("p.png", b.Bytes())
}

// Upload returns a file to upload.
func Upload(name string, data []byte) graphql.Upload {
	return graphql.Upload{File: bytes.NewReader(data), Filename: name, Size: int64(len(data))}
}

// Run runs an operation in a transaction, as the executor does: again after the work that must be done
// outside of the transaction.
func Run(ctx context.Context, db *ent.Client, step func(context.Context) error) error {
	ctx, deferred := tx.WithDeferred(ctx)
	for {
		err := tx.Run(ctx, db, step)
		if err == nil || !deferred.Run(ctx) {
			return err
		}
	}
}
