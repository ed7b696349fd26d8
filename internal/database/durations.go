package database

import (
	"strings"

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
	system string // the database, as OpenTelemetry names it
	all    *prometheus.HistogramVec
	byKind [kinds]prometheus.Observer
}

func newDurations(system string) *durations {
	d := &durations{system: system, all: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "workforce_sql_duration_seconds",
		Help:    "Time of statements in the database; of queries until the first row is there.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"kind"})}
	for kind, name := range kindNames {
		d.byKind[kind] = d.all.WithLabelValues(name)
	}
	return d
}

// Durations are the times that statements took, by kind.
func (db *DB) Durations() prometheus.Collector { return db.durations.all }
