package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// A folder keeps objects as files of mode 0600, in a folder for each company.
type folder struct {
	root *os.Root
	link func(from, to string) error // a hard link in the folder
}

// openFolder opens a folder, which is created with mode 0700 where it is missing.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{root, root.Link}, nil
}

const temporary = ".tmp"

// put writes a temporary file, flushes it and renames it, then flushes the folders.
func (f *folder) put(_ context.Context, name string, r io.Reader) error {
	dir := path.Dir(name)
	if err := f.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unfinished := name + "." + rand.Text() + temporary
	if err := f.write(unfinished, r); err != nil {
		return errors.Join(err, ignoreMissing(f.root.Remove(unfinished)))
	}
	if err := f.root.Rename(unfinished, name); err != nil {
		return errors.Join(err, ignoreMissing(f.root.Remove(unfinished)))
	}
	return errors.Join(f.sync(dir), f.sync("."))
}

// write creates a file and flushes it.
func (f *folder) write(name string, r io.Reader) error {
	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, r); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Sync(), file.Close())
}

// sync flushes the entries of a folder.
func (f *folder) sync(dir string) error {
	d, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// open opens the file of an object.
func (f *folder) open(name string) (*os.File, error) {
	file, err := f.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	return file, err
}

func (f *folder) get(_ context.Context, name string, offset int64) (io.ReadCloser, error) {
	file, err := f.open(name)
	if err != nil || offset == 0 {
		return file, err
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (f *folder) stat(_ context.Context, name string) (int64, time.Time, error) {
	info, err := f.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotFound
	}
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}

func (f *folder) delete(_ context.Context, name string) error {
	err := f.root.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.sync(path.Dir(name))
}

// create writes a temporary file and links it to the name, which fails where there is one.
// Some file systems have no links: there a loss of power may leave the file empty.
func (f *folder) create(_ context.Context, name, text string) error {
	unfinished := name + "." + rand.Text() + temporary
	err := f.write(unfinished, strings.NewReader(text))
	if err == nil {
		err = f.link(unfinished, name)
	}
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		err = f.write(name, strings.NewReader(text))
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, ignoreMissing(f.root.Remove(unfinished)), f.sync("."))
}

// move changes the time of a file before its name, so that a file under the new name is never
// older than the move.
func (f *folder) move(_ context.Context, from, to string) error {
	dir, now := path.Dir(to), time.Now()
	if err := f.root.Chtimes(from, now, now); err != nil {
		return ignoreMissing(err)
	}
	if err := f.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := f.root.Rename(from, to); err != nil {
		return ignoreMissing(err)
	}
	return errors.Join(f.sync(dir), f.sync(path.Dir(dir)), f.sync("."), f.sync(path.Dir(from)))
}

// abandoned is how old a temporary file is whose writer is gone.
const abandoned = time.Hour

// clean deletes temporary files that a killed process left.
func (f *folder) clean(ctx context.Context) error {
	return f.list(ctx, "", func(name string, written time.Time) error {
		if !strings.HasSuffix(name, temporary) || time.Since(written) <= abandoned {
			return nil
		}
		return ignoreMissing(f.root.Remove(name))
	})
}

func (f *folder) list(ctx context.Context, prefix string, each func(string, time.Time) error) error {
	return fs.WalkDir(f.root.FS(), path.Clean(prefix), func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
			return nil
		case err != nil || d.IsDir():
			return err
		}
		info, err := d.Info()
		if err != nil {
			return ignoreMissing(err)
		}
		return each(name, info.ModTime())
	})
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
