package variables

import (
	"strconv"

	"workforce/internal/errs"
)

// MaxFaults is how many faults of one request are listed.
const MaxFaults = 100

// A step is one part of the path to a value: a name, or an index of a list.
type step struct {
	name  string
	index int // -1 for a name
}

func memberStep(name string) step { return step{name, -1} }
func indexStep(index int) step    { return step{"", index} }

// enter and leave keep the path to the value that is being read.
func (r *reading) enter(s step) { r.path = append(r.path, s) }

func (r *reading) leave() { r.path = r.path[:len(r.path)-1] }

// field writes the path to the value that is being read, as in
// faceLandmark[3].x.
func (r *reading) field() string {
	path := r.path
	if r.hidden && len(path) > 1 {
		path = path[1:]
	}
	var b []byte
	for i, s := range path {
		switch {
		case s.index >= 0:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
			continue
		case i > 0:
			b = append(b, '.')
		}
		b = append(b, s.name...)
	}
	return string(b)
}

// below writes the path to the value that is being read below its variable, as in
// images.0.
func (r *reading) below() string {
	var b []byte
	for i, s := range r.path[1:] {
		if i > 0 {
			b = append(b, '.')
		}
		if s.index >= 0 {
			b = strconv.AppendInt(b, int64(s.index), 10)
		}
		b = append(b, s.name...)
	}
	return string(b)
}

// full reports whether no more faults are listed.
func (r *reading) full() bool { return len(r.faults) >= MaxFaults }

// fault records what is wrong with the value that is being read.
func (r *reading) fault(reason errs.Reason, meta errs.Meta) {
	if !r.full() {
		r.faults.Add(r.field(), reason, meta)
	}
}

// refuse records a fault of the value that is being read. It returns nil.
func refuse(r *reading, f errs.Fault) any {
	if !r.full() {
		f.Field = r.field()
		r.faults = append(r.faults, f)
	}
	return nil
}

// wrong records that a value is not of the expected type. It returns nil.
func (r *reading) wrong(expected string) any {
	r.fault(errs.WrongType, errs.Meta{"expected": expected})
	return nil
}

// missing records a member marked @required that is absent or null. The resolver
// would report it, but only where nothing else is wrong.
func (r *reading) missing() {
	if len(r.absent) < MaxFaults {
		r.absent = append(r.absent, r.field())
	}
}

// reportMissing adds the missing members to the other faults, if there are any.
func (r *reading) reportMissing() {
	if len(r.faults) == 0 {
		return
	}
	for _, path := range r.absent {
		if !r.full() {
			r.faults.Add(path, errs.Required, nil)
		}
	}
}
