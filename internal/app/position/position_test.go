package position

import (
	"math"
	"strings"
	"testing"
	"time"

	"workforce/internal/geofence"
)

var start = time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC)

func TestDrop(t *testing.T) {
	duty := Duty{
		Consent: true, Earliest: start, Latest: start.Add(10 * time.Hour),
		Worked: []Interval{{start.Add(-time.Hour), start.Add(time.Hour)}, {From: start.Add(9 * time.Hour)}},
	}
	none := duty
	none.Consent = false
	tests := []struct {
		name string
		duty Duty
		at   time.Duration // after start
		want Drop
	}{
		{"on duty", duty, time.Minute, ""},
		{"without consent", none, time.Minute, NoConsent},
		{"without consent and off duty", none, 2 * time.Hour, NoConsent},
		{"at the earliest", duty, 0, ""},
		{"too old", duty, -time.Microsecond, TooOld},
		{"at the clock-out", duty, time.Hour, ""},
		{"after the clock-out", duty, time.Hour + time.Microsecond, OffDuty},
		{"before the clock-in", duty, 9*time.Hour - time.Microsecond, OffDuty},
		{"at the clock-in", duty, 9 * time.Hour, ""},
		{"at the latest", duty, 10 * time.Hour, ""},
		{"ahead", duty, 10*time.Hour + time.Microsecond, Ahead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.duty.Drop(start.Add(tt.at)); got != tt.want {
				t.Errorf("Drop = %q, want %q", got, tt.want)
			}
		})
	}
}

// fix returns a position some minutes after start and some metres north of the Monas.
func fix(minutes, metres float64, accuracy ...float64) Fix {
	f := Fix{
		At:    start.Add(time.Duration(minutes * float64(time.Minute))),
		Point: geofence.Point{Lat: -6.175392 + metres/111_195, Lng: 106.827153},
	}
	if len(accuracy) > 0 {
		f.Accuracy = &accuracy[0]
	}
	return f
}

func at(lat, lng float64) Fix { return Fix{At: start, Point: geofence.Point{Lat: lat, Lng: lng}} }

func hidden(f Fix, why Hidden) Fix { f.Hidden = why; return f }

func TestJudge(t *testing.T) {
	limits := Limits{AccuracyMeters: 100, SpeedKmh: 300}
	tests := []struct {
		name         string
		fresh, known []Fix
		want         string // of fresh, in the order of their instants
	}{
		{"the first", []Fix{fix(0, 0)}, nil, "-"},
		{"beyond the pole", []Fix{at(90.000001, 0)}, nil, "invalid"},
		{"at the pole", []Fix{at(90, 0)}, nil, "-"},
		{"beyond the antimeridian", []Fix{at(1, -180.000001)}, nil, "invalid"},
		{"0,0", []Fix{at(0, 0)}, nil, "invalid"},
		{"0,1", []Fix{at(0, 1)}, nil, "-"},
		{"not a number", []Fix{at(math.NaN(), 1)}, nil, "invalid"},
		{"a negative accuracy", []Fix{fix(0, 0, -1)}, nil, "invalid"},
		{"as accurate as needed", []Fix{fix(0, 0, 100)}, nil, "-"},
		{"less accurate", []Fix{fix(0, 0, 100.1)}, nil, "inaccurate"},
		{"300 km/h", []Fix{fix(0, 0, 0), fix(1, 4990, 0)}, nil, "- -"},
		{"more than 300 km/h", []Fix{fix(0, 0, 0), fix(1, 5010, 0)}, nil, "- impossible"},
		{"not more when inaccuracies are taken off", []Fix{fix(0, 0, 10), fix(1, 5010, 10)}, nil, "- -"},
		{"the limit stands for an unknown accuracy", []Fix{fix(0, 0), fix(1, 5190)}, nil, "- -"},
		{"from the last shown one", []Fix{fix(0, 0, 0), fix(1, 9000, 0), fix(2, 9000, 0)}, nil, "- impossible -"},
		{"still", []Fix{fix(0, 0, 5), fix(14.99, 9.9, 5)}, nil, "- still"},
		{"10 m away", []Fix{fix(0, 0, 5), fix(1, 10.1, 5)}, nil, "- -"},
		{"a heartbeat", []Fix{fix(0, 0, 5), fix(5, 1, 5), fix(10, 2, 5), fix(15, 3, 5), fix(20, 4, 5)}, nil, "- still still - still"},
		{"in any order", []Fix{fix(15, 3, 5), fix(0, 0, 5), fix(5, 1, 5)}, nil, "- still -"},
		{"after a known one", []Fix{fix(5, 1, 5)}, []Fix{fix(0, 0, 5)}, "still"},
		{"after a known one at the same instant", []Fix{fix(0, 1, 5)}, []Fix{fix(0, 0, 5)}, "still"},
		{"before a known one", []Fix{fix(0, 0, 5)}, []Fix{fix(5, 1, 5)}, "-"},
		{"between known ones", []Fix{fix(11, 50, 5), fix(1, 0, 5)}, []Fix{fix(10, 50, 5), fix(0, 0, 5)}, "still still"},
		{"after a hidden one", []Fix{fix(5, 1, 5)}, []Fix{hidden(fix(0, 0, 5), Impossible)}, "-"},
		{"after a hidden one and a shown one", []Fix{fix(5, 9000, 0)}, []Fix{fix(0, 0, 0), hidden(fix(4, 0, 0), Still)}, "-"},
		{"none", nil, []Fix{fix(0, 0)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fresh := make([]*Fix, len(tt.fresh))
			for i := range tt.fresh {
				fresh[i] = &tt.fresh[i]
			}
			limits.Judge(fresh, tt.known)
			got := make([]string, len(fresh))
			for i, f := range fresh {
				got[i] = string(f.Hidden)
				if f.Hidden == "" {
					got[i] = "-"
				}
			}
			if joined := strings.Join(got, " "); joined != tt.want {
				t.Errorf("hidden %q, want %q", joined, tt.want)
			}
		})
	}
}
