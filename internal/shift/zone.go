package shift

import (
	"archive/zip"
	"cmp"
	_ "embed" // the zones
	"fmt"
	"io"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"
)

// zoneinfo is the IANA time zone database as Go ships it in lib/time. Machines have other
// editions of it, and files beside that are no zones to people.
//
//go:embed zoneinfo.zip
var zoneinfo string

// zoneFiles are the files of the zones, by name. Factory is a name without a place.
var zoneFiles = sync.OnceValue(func() map[string]*zip.File {
	archive, err := zip.NewReader(strings.NewReader(zoneinfo), int64(len(zoneinfo)))
	if err != nil {
		panic(err) // it is part of the program
	}
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") && f.Name != "Factory" {
			files[f.Name] = f
		}
	}
	return files
})

// zones are those that were loaded, by name: reading one from its file costs
// more than a query.
var zones sync.Map

// IsZone reports whether name is one of the IANA database: Asia/Jakarta, spelt so.
func IsZone(name string) bool { return zoneFiles()[name] != nil }

// former maps names that machines have files of, and that were taken as zones, to their zones.
var former = map[string]string{"posixrules": "America/New_York", "Factory": "UTC"}

// Zone returns the time zone of an IANA name, the same on every machine. It reads names too that
// IsZone does not take any more, such as right/Asia/Jakarta, and fails for all others.
func Zone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	clean := strings.TrimPrefix(strings.TrimPrefix(path.Clean(name), "right/"), "posix/")
	clean = cmp.Or(former[clean], clean)
	if clean == "UTC" {
		return time.UTC, nil
	}
	file, ok := zoneFiles()[clean]
	if !ok {
		return nil, fmt.Errorf("unknown time zone %q", name)
	}
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocationFromTZData(name, data)
	if err == nil {
		zones.Store(name, zone)
	}
	return zone, err
}

// unknown are names of zones that were logged.
var unknown sync.Map

// ZoneNamed returns the zone of the first of some names, which were valid when they were
// stored, that the system still knows; UTC for none. Empty names stand for nothing. A name
// that it does not know any more is logged once.
func ZoneNamed(names ...string) *time.Location {
	for _, name := range names {
		if name == "" {
			continue
		}
		zone, err := Zone(name)
		if err == nil {
			return zone
		}
		if _, logged := unknown.LoadOrStore(name, true); !logged {
			slog.Warn("unknown time zone", "name", name, "err", err)
		}
	}
	return time.UTC
}

// Wall returns the wall time of an instant in a zone, as 2006-01-02T15:04:05, and
// its offset in seconds east of UTC.
func Wall(t time.Time, zone *time.Location) (local string, offset int) {
	t = t.In(zone)
	_, offset = t.Zone()
	return t.Format("2006-01-02T15:04:05"), offset
}
