package attendance

import (
	"encoding/json"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
)

// TestFaceOfClockOut shows the face of a clock-out, and not that of the clock-in.
func TestFaceOfClockClockOutVerdict(t *testing.T) {
	at, source, flag := time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC), entAttendance.ClockedOutSourceApp, entAttendance.ClockedOutFacePolicyFlag
	a := &ent.Attendance{ClockedOutAt: &at, ClockedOutReceivedAt: &at, ClockedOutZone: new("Asia/Jakarta"), ClockedOutSource: &source, FaceDistance: new(0.5)}
	for _, tt := range []struct {
		verdict entAttendance.ClockedOutFaceVerdict
		policy  *entAttendance.ClockedOutFacePolicy
		want    string
	}{
		{entAttendance.ClockedOutFaceVerdictNone, nil, `{"verdict":"none","distance":0.1,"version":2}`},
		{entAttendance.ClockedOutFaceVerdictMatch, &flag, `{"policy":"flag","verdict":"match","matched":true,"distance":0.1,"version":2}`},
		{entAttendance.ClockedOutFaceVerdictDoubtful, &flag, `{"policy":"flag","verdict":"doubtful","matched":false,"distance":0.1,"version":2}`},
		{entAttendance.ClockedOutFaceVerdictMismatch, &flag, `{"policy":"flag","verdict":"mismatch","matched":false,"distance":0.1,"version":2}`},
	} {
		a.ClockedOutFaceVerdict, a.ClockedOutFacePolicy, a.ClockedOutFaceDistance, a.ClockedOutFaceVersion = tt.verdict, tt.policy, new(0.1), new(2)
		text, err := json.Marshal(ClockOutVerdict(a).Face)
		if err != nil || string(text) != tt.want {
			t.Errorf("%s: got %s %v, want %s", tt.verdict, text, err, tt.want)
		}
	}
	if v := ClockOutVerdict(&ent.Attendance{}); v != nil {
		t.Errorf("of an open attendance: %v", v)
	}
}
