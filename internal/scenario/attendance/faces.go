package attendance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/facereset"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// attendanceFaceScenarios compare faces, and let people register theirs anew.
func attendanceFaceScenarios(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Jakarta(7, 30, 0))
	for name, email := range map[string]string{"budi": "budi", "andini": "admin", "ratna": "manager", "siti": "siti"} {
		s.SignIn(t, name, email+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	for _, name := range []string{"budi", "siti", "andini"} {
		s.SaveShift(t, name)
	}
	t.Run("verdicts", func(t *testing.T) { faceVerdicts(t, s) })
	t.Run("blocked", func(t *testing.T) { faceBlocked(t, s) })
	t.Run("resets", func(t *testing.T) { faceResets(t, s) })
	t.Run("races", func(t *testing.T) { faceRaces(t, s) })
}

// everybody are those who are signed in.
var everybody = []string{"budi", "andini", "ratna", "siti", "neighbour"}

// later moves the clock on, beyond what is a burst or a repeat.
func later(t *testing.T, s *harness.Server) {
	t.Helper()
	s.MoveTo(t, s.Clock.Now().Add(6*time.Minute), everybody...)
}

// inAndOut clocks budi in with a face, and out with another.
func inAndOut(t *testing.T, s *harness.Server, in, out string) *ent.Attendance {
	t.Helper()
	later(t, s)
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "faceLandmark", in)})
	later(t, s)
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi", "faceLandmark", out)})
	all := s.Attendances(t, "budi@demo.test")
	return all[len(all)-1]
}

func faceVerdicts(t *testing.T, s *harness.Server) {
	for _, tt := range []struct{ name, in, out, want string }{
		{"first", harness.Face(1, 1), harness.Face(1, 2), "registered v1 [] | match v1 []"},
		{"second", harness.Face(1, 3), harness.Face(2, 1), "match v1 [] | mismatch v1 [face_mismatch]"},
		{"a stranger", harness.Face(3, 1), harness.Face(1, 3), "mismatch v1 [face_mismatch] | match v1 [face_replayed]"},
		{"another number of points", harness.Landmarks(1), "[]", "mismatch v1 [face_mismatch] | none v0 []"},
	} {
		a := inAndOut(t, s, tt.in, tt.out)
		version := func(v *int) int {
			if v == nil {
				return 0
			}
			return *v
		}
		got := fmt.Sprintf("%s v%d %v | %s v%d %v", a.FaceVerdict, version(a.FaceVersion), a.ClockedInFlags, a.ClockedOutFaceVerdict, version(a.ClockedOutFaceVersion), a.ClockedOutFlags)
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	s.Says(t, "budi", `{attendanceToday{entries{faceMatched}}}`, `{"attendanceToday":{"entries":[{"faceMatched":null},{"faceMatched":true},{"faceMatched":false},{"faceMatched":false}]}}`)
	s.Says(t, "ratna", `{attendances(first:1,where:{clockedOutAtNotNil:true},orderBy:{field:CLOCKED_IN_AT,direction:DESC}){edges{node{user{name} faceVerdict faceDistance faceVersion facePolicy clockedOutFaceVerdict}}}}`,
		`{"attendances":{"edges":[{"node":{"user":{"name":"Budi Santoso"},"faceVerdict":"mismatch","faceDistance":null,"faceVersion":1,"facePolicy":"flag","clockedOutFaceVerdict":"none"}}]}}`)
	all := s.Attendances(t, "budi@demo.test")
	s.Says(t, "ratna", fmt.Sprintf(`{attendance(id:%d){clockedInVerdict{face{policy verdict matched version matchLimit}device{policy}}
		clockedOutVerdict{face{policy verdict version matchLimit doubtfulLimit replayLimit}}}}`, all[len(all)-3].ID),
		`{"attendance":{"clockedInVerdict":{"face":{"policy":"flag","verdict":"match","matched":true,"version":1,"matchLimit":0.08},"device":{"policy":"flag"}},
		"clockedOutVerdict":{"face":{"policy":"flag","verdict":"mismatch","version":1,"matchLimit":0.08,"doubtfulLimit":0.12,"replayLimit":0.012}}}}`)
	later(t, s)
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("siti", "faceLandmark", harness.Face(1, 2)), "siti with budi's array")})
	if got := s.Attendances(t, "siti@demo.test")[0]; got.FaceVerdict != "provisional" || fmt.Sprint(got.ClockedInFlags) != "[face_replayed]" {
		t.Errorf("kept %s %v, want a provisional face that was sent before", got.FaceVerdict, got.ClockedInFlags)
	}
}

// faceBlocked clocks in where the company refuses what does not match.
func faceBlocked(t *testing.T, s *harness.Server) {
	s.Says(t, "andini", `mutation{updateCompany(input:{settings:{face:block}}){settings{face faceMatch faceDoubtful faceReplay}}}`,
		`{"updateCompany":{"settings":{"face":"block","faceMatch":80,"faceDoubtful":120,"faceReplay":12}}}`)
	later(t, s)
	refused := func(name, code, face string) apitest.Scenario {
		return harness.Named(harness.Refused(harness.ClockIn("budi", "faceLandmark", face), 422, code, `{}`, "faceLandmark"), name)
	}
	s.Run(t, []apitest.Scenario{
		refused("no face", "FACE_REQUIRED", "[]"),
		refused("the array of this morning", "FACE_REPLAYED", harness.Face(1, 1)),
		refused("somebody's array", "FACE_REPLAYED", harness.Face(3, 1)),
		refused("a stranger's face", "FACE_MISMATCH", harness.Face(4, 1)),
		refused("another number of points", "FACE_MISMATCH", harness.Landmarks(9)),
		harness.Named(harness.ClockIn("budi", "faceLandmark", harness.Face(1, 20)), "their own face"),
	})
	later(t, s)
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockOut("budi", "faceLandmark", harness.Face(4, 1)), 422, "FACE_MISMATCH", `{}`, "faceLandmark"), "out with a stranger's face"),
		harness.Named(harness.ClockOut("budi"), "out without a face"),
	})
	s.Says(t, "andini", `mutation{updateCompany(input:{settings:{face:null,faceMatch:0}}){settings{face}}}`, "VALIDATION_FAILED")
	s.Says(t, "andini", `mutation{updateCompany(input:{settings:{face:null}}){settings{face}}}`, `{"updateCompany":{"settings":{"face":"flag"}}}`)
}

// faceResets asks for, decides and makes resets in the name of those who may and who may
// not.
func faceResets(t *testing.T, s *harness.Server) {
	later(t, s)
	s.Vars["budi.id"], s.Vars["ratna.id"], s.Vars["andini.id"] = s.Me(t, "budi"), s.Me(t, "ratna"), s.Me(t, "andini")
	reset := `mutation{resetFace(userId:"{{%s.id}}"){reset}}`
	s.Says(t, "budi", fmt.Sprintf(reset, "budi"), "FORBIDDEN")
	s.Says(t, "siti", fmt.Sprintf(reset, "budi"), "FORBIDDEN")
	s.Says(t, "ratna", fmt.Sprintf(reset, "andini"), "FORBIDDEN")
	s.Says(t, "neighbour", fmt.Sprintf(reset, "budi"), "NOT_FOUND")
	s.Says(t, "andini", `mutation{resetFace(userId:"abc"){reset}}`, "NOT_FOUND")
	s.Says(t, "andini", fmt.Sprintf(reset, "andini"), "FORBIDDEN")
	if n := len(faces(t, s, "budi@demo.test")); n != 1 {
		t.Fatalf("%d faces, want 1", n)
	}

	s.Says(t, "budi", `mutation{requestFaceReset(input:{reason:" ",otp:"012345"}){id}}`, "VALIDATION_FAILED")
	s.Says(t, "budi", `mutation{requestFaceReset(input:{reason:"`+strings.Repeat("x", 251)+`",otp:"012345"}){id}}`, "VALIDATION_FAILED")
	s.Says(t, "budi", `mutation{requestFaceReset(input:{reason:"new glasses",otp:"12345"}){id}}`, "VALIDATION_FAILED")
	s.Says(t, "ratna", `mutation{requestFaceReset(input:{reason:"no face yet",otp:"012345"}){id}}`, "CONFLICT")
	const glasses = `mutation{requestFaceReset(input:{reason:"new glasses",otp:"{{code}}"}){status reason decidedAt note user{name}}}`
	s.Vars["code"] = "012345"
	s.Says(t, "budi", glasses, "OTP_INVALID") // none was sent
	s.Vars["code"] = faceCode(t, s, "budi", "budi@demo.test", "b***@demo.test")
	s.Says(t, "budi", `mutation{sendFaceResetCode{expiresIn}}`, "RATE_LIMITED")
	right := s.Vars["code"]
	s.Vars["code"] = wrongCode(right)
	s.Says(t, "budi", glasses, "OTP_INVALID")
	s.Vars["code"] = right
	s.Says(t, "budi", glasses, `{"requestFaceReset":{"status":"pending","reason":"new glasses","decidedAt":null,"note":null,"user":{"name":"Budi Santoso"}}}`)
	s.Says(t, "budi", glasses, "OTP_INVALID") // it was used
	later(t, s)
	s.Vars["code"] = faceCode(t, s, "budi", "budi@demo.test", "b***@demo.test")
	s.Says(t, "budi", glasses, "CONFLICT")
	asked := s.Store.Ent.FaceReset.Query().Where(facereset.Pending(1), facereset.HasUserWith(user.Email("budi@demo.test")))
	s.Vars["reset"] = fmt.Sprint(asked.OnlyIDX(viewer.System(t.Context())))
	decide := `mutation{decideFaceReset(id:"{{reset}}",input:{approve:true,note:"seen"}){status note}}`
	s.Says(t, "siti", decide, "FORBIDDEN") // who reads the attendances of her team
	s.Says(t, "neighbour", decide, "NOT_FOUND")
	s.Says(t, "budi", decide, "FORBIDDEN")
	s.Says(t, "neighbour", `{faceResets{totalCount}}`, `{"faceResets":{"totalCount":0}}`)
	s.Says(t, "neighbour", `{faceReset(id:"{{reset}}"){id}}`, "NOT_FOUND")
	s.Says(t, "ratna",
		`{faceResets(where:{status:pending,hasUserWith:[{name:"Budi Santoso"}]}){totalCount edges{node{id user{name}}}}}`,
		`{"faceResets":{"totalCount":1,"edges":[{"node":{"id":"{{reset}}","user":{"name":"Budi Santoso"}}}]}}`)
	s.Says(t, "ratna", decide, `{"decideFaceReset":{"status":"approved","note":"seen"}}`)
	s.Says(t, "ratna", decide, "CONFLICT")
	s.Says(t, "budi", `{profile{faceLandmark{x}}}`, `{"profile":{"faceLandmark":[]}}`)
	if a := inAndOut(t, s, harness.Face(5, 1), harness.Face(5, 2)); a.FaceVerdict != "registered" || *a.FaceVersion != 2 || a.ClockedOutFaceVerdict != "match" {
		t.Errorf("%s v%d, out %s; want another face, registered", a.FaceVerdict, *a.FaceVersion, a.ClockedOutFaceVerdict)
	}
	s.Says(t, "andini", `mutation{resetFace(userId:"{{budi.id}}",input:{note:"asked in person"}){reset}}`, `{"resetFace":{"reset":true}}`)
	s.Says(t, "andini", `mutation{resetFace(userId:"{{budi.id}}"){reset}}`, `{"resetFace":{"reset":false}}`)
}

// faceCode has a code sent to somebody for a request, and returns it.
func faceCode(t *testing.T, s *harness.Server, who, email, masked string) string {
	t.Helper()
	sent := len(s.Log.Messages(email))
	s.Says(t, who, `mutation{sendFaceResetCode{channel destination expiresIn}}`,
		`{"sendFaceResetCode":{"channel":"email","destination":"`+masked+`","expiresIn":600}}`)
	return s.Log.Code(t, email, sent+1)
}

// wrongCode returns another code.
func wrongCode(right string) string {
	if right[0] == '0' {
		return "1" + right[1:]
	}
	return "0" + right[1:]
}

// faceRaces registers, asks and resets many times at once.
func faceRaces(t *testing.T, s *harness.Server) {
	later(t, s)
	var ins []apitest.Scenario
	for i := range 20 {
		ins = append(ins, harness.Under(harness.ClockIn("andini", "faceLandmark", harness.Face(20+i, 1)), fmt.Sprint("first-", i)))
	}
	for answer, n := range s.Storm(t, ins) {
		if answer.Status != 200 {
			t.Errorf("%d times %v", n, answer)
		}
	}
	if n := len(faces(t, s, "admin@demo.test")); n != 1 {
		t.Errorf("%d faces, want 1", n)
	}
	ask := func(who, document string) map[harness.Outcome]int {
		var all []apitest.Scenario
		for i := range 20 {
			all = append(all, apitest.Scenario{Path: "/graphql", Header: harness.Bearer(who, "X-Req-Id", fmt.Sprint(who, "-", i)), Body: apitest.Query(document, nil)})
		}
		return s.Storm(t, all)
	}
	sent := len(s.Log.Messages("admin@demo.test"))
	codes := 0
	for answer, n := range ask("andini", `mutation{sendFaceResetCode{channel}}`) {
		if answer.Status == 200 {
			codes += n
		} else if answer.Status != 429 {
			t.Errorf("%d times %v", n, answer)
		}
	}
	if codes != 1 {
		t.Errorf("%d codes at once, want one", codes)
	}
	code := s.Log.Code(t, "admin@demo.test", sent+1)
	ask("andini", `mutation{requestFaceReset(input:{reason:"at once",otp:"`+code+`"}){status}}`)
	own := s.Store.Ent.FaceReset.Query().Where(facereset.Pending(1), facereset.HasUserWith(user.Email("admin@demo.test")))
	if n := own.CountX(viewer.System(t.Context())); n != 1 {
		t.Errorf("%d requests wait, want 1", n)
	}
	s.Vars["siti.id"] = s.Me(t, "siti")
	done := 0
	for answer, n := range ask("andini", `mutation{resetFace(userId:"{{siti.id}}"){reset}}`) {
		if strings.Contains(answer.Body, `"reset":true`) {
			done += n
		}
	}
	if done != 1 {
		t.Errorf("reset %d times, want once", done)
	}
}
