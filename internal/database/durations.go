package database

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Kinds of statements. Those of SELECT are timed until the first row is there.
const (
	kindBegin = iota
	kindSelect
	kindInsert
	kindUpdate
	kindDelete
	kindCommit
	kindOther
	kinds
)

var kindNames = [kinds]string{"begin", "select", "insert", "update", "delete", "commit", "other"}

// kindOf returns the kind of a statement.
func kindOf(text string) int {
	verb, _, _ := strings.Cut(text, " ")
	switch strings.ToUpper(verb) {
	case "SELECT", "WITH":
		return kindSelect
	case "INSERT", "REPLACE":
		return kindInsert
	case "UPDATE":
		return kindUpdate
	case "DELETE":
		return kindDelete
	}
	return kindOther
}

// A durations measures the statements of a database, by kind.
type durations struct {
	all    *prometheus.HistogramVec
	byKind [kinds]prometheus.Observer
}

func newDurations() *durations {
	d := &durations{all: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "workforce_sql_duration_seconds",
		Help:    "Time of statements in the database; of queries until the first row is there.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"kind"})}
	for kind, name := range kindNames {
		d.byKind[kind] = d.all.WithLabelValues(name)
	}
	return d
}

// observe records that a statement began so long ago. It does nothing on nil.
func (d *durations) observe(kind int, began time.Time) {
	if d != nil {
		d.byKind[kind].Observe(time.Since(began).Seconds())
	}
}

// Durations are the times that statements took, by kind.
func (db *DB) Durations() prometheus.Collector { return db.durations.all }
