package privacy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/company"
	entFile "workforce/ent/file"
	"workforce/internal/blob"
	"workforce/internal/viewer"
)

// format is the version of what an archive holds.
const format = 1

// mediaType is that of an export.
const mediaType = "application/zip"

// A manifest says what an archive holds.
type manifest struct {
	Format    int            `json:"format"`
	Kind      string         `json:"kind"` // person or company
	CreatedAt time.Time      `json:"createdAt"`
	Company   named          `json:"company"`
	Person    *int           `json:"personId,omitempty"`
	Counts    map[string]int `json:"counts,omitempty"`  // rows of tables that are counted alone
	Missing   []string       `json:"missing,omitempty"` // files that the store does not have
	Entries   []archiveEntry `json:"entries"`
}

type named struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// A writing is an export while it is written.
type writing struct {
	*Service
	out      *archive
	db       *ent.Client // of the one transaction
	manifest manifest
	progress func(done, total int) error
	objects  []*ent.File // those to add
}

// write writes an export of the company of a manifest: what read adds of one state of
// the database, then the files that it chose. NOT_FOUND for no company.
func (s *Service) write(ctx context.Context, w io.Writer, m manifest, progress func(done, total int) error, read func(context.Context, *writing) error) error {
	ctx = viewer.System(ctx)
	m.Format, m.CreatedAt = format, s.Now()
	e := &writing{Service: s, out: newArchive(w, m.CreatedAt), manifest: m, progress: progress}
	if err := e.snapshot(ctx, read); err != nil {
		return err
	}
	if err := e.addObjects(ctx); err != nil {
		return err
	}
	e.manifest.Entries = e.out.Entries()
	return e.out.Close(e.manifest)
}

// snapshot reads in a transaction that sees one state of the database.
func (e *writing) snapshot(ctx context.Context, read func(context.Context, *writing) error) error {
	tx, err := e.DB.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it changed nothing
	e.db = tx.Client()
	c, err := e.db.Company.Query().Where(company.ID(e.manifest.Company.ID)).Only(ctx)
	if err != nil {
		return err
	}
	e.manifest.Company.Name = c.Name
	return read(ctx, e)
}

// addTables adds the rows of sources, and tells the progress.
func (e *writing) addTables(ctx context.Context, sources []source) error {
	for i, s := range sources {
		if err := e.progress(i, len(sources)+1); err != nil {
			return err
		}
		if err := e.out.AddTable(s.table(ctx, e.db)); err != nil {
			return err
		}
	}
	return e.progress(len(sources), len(sources)+1)
}

// chooseObjects has the pictures added for which a condition of table files holds: exports
// and tables that wait for their import are in none.
func (e *writing) chooseObjects(ctx context.Context, where string, args ...any) error {
	s := source{
		name:    entFile.Table,
		columns: columnsOf(ent.TypeFile, entFile.FieldID, entFile.FieldName, entFile.FieldMediaType),
		where:   where + " AND pending_since IS NULL AND media_type LIKE 'image/%'", args: args,
	}
	return s.each(ctx, e.db, func(row []any) error {
		e.objects = append(e.objects, &ent.File{Name: row[1].(string), MediaType: row[2].(string)})
		return nil
	})
}

// errNoStore is returned where there are files and no store.
var errNoStore = errors.New("--files: the file store is not there")

// addObjects adds the files that were chosen. One that was erased meanwhile is told as
// missing.
func (e *writing) addObjects(ctx context.Context) error {
	for _, f := range e.objects {
		if e.Objects == nil {
			return errNoStore
		}
		path := "files/" + f.Name
		in, err := e.Objects.Get(ctx, f.Name)
		if errors.Is(err, blob.ErrNotFound) {
			e.manifest.Missing = append(e.manifest.Missing, path)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		err = e.out.Add(path, f.MediaType, strings.HasPrefix(f.MediaType, "image/"), in)
		if err := errors.Join(err, in.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// exportOf returns what exports have of an entity.
func exportOf(entity string) ent.Export {
	for _, e := range ent.Exports {
		if e.Entity == entity {
			return e
		}
	}
	panic("export: no " + entity)
}

// columnsOf returns some columns of an entity.
func columnsOf(entity string, names ...string) (columns []ent.ExportColumn) {
	s := sourceOf(exportOf(entity), "")
	for _, name := range names {
		columns = append(columns, s.columns[s.index(name)])
	}
	return columns
}
