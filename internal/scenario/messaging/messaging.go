package messaging

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// messagingScenarios tell people things, and show who was told.
func messagingScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "siti", "siti@demo.test")
	s.SignIn(t, "manager", "manager@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	s.SignIn(t, "other", "admin@tetangga.test")
	t.Run("who sees them", func(t *testing.T) { messageScopes(t, s) })
	t.Run("faces", func(t *testing.T) { faceNotices(t, s) })
	t.Run("passwords", func(t *testing.T) { passwordNotices(t, s) })
	t.Run("channels", func(t *testing.T) { messageChannels(t, s) })
}

// messageScopes reads messages as people of every kind: their own, all of the
// company, none of another, and never what they said or where they went.
func messageScopes(t *testing.T, s *harness.Server) {
	ctx := viewer.System(t.Context())
	for _, name := range []string{"budi", "siti", "manager", "admin", "other"} {
		email := map[string]string{"other": "admin@tetangga.test"}[name]
		if email == "" {
			email = name + "@demo.test"
		}
		s.Vars[name+".message"] = strconv.Itoa(harness.Must[int](t)(s.Store.Ent.Message.Query().Where(entMessage.Destination(email)).FirstID(ctx)))
		sent(t, s, email, isSent)
	}
	const list = `{"query":"{ messages { totalCount } }"}`
	one := func(who, of, want string) apitest.Scenario {
		return apitest.Scenario{Name: who + " reads " + of + "'s", Path: "/graphql", Header: harness.Bearer(who, "X-Language", "en"), Want: want,
			Body: `{"query":"{ message(id: {{` + of + `.message}}) { kind channel status attempts failures error sentAt user { email } } }"}`}
	}
	shown := func(email string) string {
		return `{"data":{"message":{"kind":"login_code","channel":"email","status":"sent","attempts":1,"failures":0,"error":null,"sentAt":"<time>","user":{"email":"` + email + `"}}}}`
	}
	const none = `{"errors":"<any>","data":null}`
	s.Run(t, []apitest.Scenario{
		one("budi", "budi", shown("budi@demo.test")), one("budi", "siti", none), one("budi", "other", none),
		one("siti", "budi", none), one("manager", "budi", none), one("manager", "manager", shown("manager@demo.test")),
		one("admin", "budi", shown("budi@demo.test")), one("admin", "other", none),
		one("other", "budi", none), one("other", "other", shown("admin@tetangga.test")),
		{Name: "own", Path: "/graphql", Header: harness.Bearer("budi"), Body: list, Want: `{"data":{"messages":{"totalCount":1}}}`},
		{Name: "the company's", Path: "/graphql", Header: harness.Bearer("admin"), Body: list, Want: `{"data":{"messages":{"totalCount":4}}}`},
		{Name: "another company's", Path: "/graphql", Header: harness.Bearer("other"), Body: list, Want: `{"data":{"messages":{"totalCount":1}}}`},
		{Name: "nobody", Path: "/graphql", Body: list, Header: harness.Head("X-Language", "en"), Want: `{"errors":"<any>","data":null}`},
	})
	for _, field := range []string{"destination", "text", "sealedText", "to"} {
		resp, body := s.Send(t, "POST", "/graphql", `{"query":"{ messages { nodes: edges { node { `+field+` } } } }"}`, harness.Head("Authorization", "Bearer "+s.Vars["admin.access"]))
		if !strings.Contains(string(body), "errors") || strings.Contains(string(body), "demo.test") {
			t.Errorf("%s: %d %s", field, resp.StatusCode, body)
		}
	}
}

// nthNotice waits for the nth notice to an address.
func nthNotice(t *testing.T, s *harness.Server, to string, nth int) string {
	t.Helper()
	return s.Log.Notice(t, to, nth)
}

// faceNotices registers a face: its owner and who leads them are told, once.
func faceNotices(t *testing.T, s *harness.Server) {
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	before := len(s.Log.Notices("budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		harness.Refused(harness.ClockIn("budi", "faceLandmark", harness.Landmarks(1), "latitude", `"-6.9"`), 422, "OUTSIDE_ALLOWED_LOCATION", `"<any>"`, "latitude"),
	})
	harness.WantNotices(t, s, "face_registered", "budi@demo.test", 0)
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "faceLandmark", harness.Landmarks(1)), harness.Named(harness.ClockIn("budi", "faceLandmark", harness.Landmarks(2)), "again")})
	if got, want := nthNotice(t, s, "budi@demo.test", before+1), "Wajah Anda didaftarkan di Workforce pada 2026-03-10 09:00 WIB."; !strings.HasPrefix(got, want) {
		t.Errorf("budi is told %q, want %q", got, want)
	}
	if got, want := nthNotice(t, s, "siti@demo.test", 1), "Wajah Budi Santoso didaftarkan di Workforce pada 2026-03-10 09:00 WIB."; !strings.HasPrefix(got, want) {
		t.Errorf("siti is told %q, want %q", got, want)
	}
	for to, want := range map[string]int{"budi@demo.test": 1, "siti@demo.test": 1, "manager@demo.test": 0, "admin@demo.test": 0} {
		harness.WantNotices(t, s, "face_registered", to, want)
	}
}

// passwordNotices sets a password with a code: its owner is told, in the
// language they speak whatever the request asks for.
func passwordNotices(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{harness.Register("d"), harness.Forgot("d", "dimas@demo.test")})
	code := s.Log.Code(t, "dimas@demo.test", 1)
	again := harness.Reset("weak", "d", "{{d.reset}}", code, "dimas", 422, "")
	again.Header["X-Language"] = "id"
	s.Run(t, []apitest.Scenario{again})
	harness.WantNotices(t, s, "password_changed", "dimas@demo.test", 0)
	again = harness.Reset("a password", "d", "{{d.reset}}", code, "another-password-1", 200, "")
	again.Header["X-Language"] = "id"
	s.Run(t, []apitest.Scenario{again})
	want := "Your Workforce password was changed on " + s.Clock.Now().In(harness.Morning.Location()).Format("2006-01-02 15:04") + " WIB."
	if got := nthNotice(t, s, "dimas@demo.test", 1); !strings.HasPrefix(got, want) {
		t.Errorf("dimas is told %q, want %q", got, want)
	}
	harness.WantNotices(t, s, "password_changed", "dimas@demo.test", 1)
}

// messageChannels tells people things as they prefer, and sends codes to what
// was typed.
func messageChannels(t *testing.T, s *harness.Server) {
	const number, mail = "+628401123789", "manager@demo.test"
	tests := []struct {
		prefers        user.MessageChannel
		login, notices entMessage.Channel
		notified       string
	}{
		{"", "sms", "email", mail},
		{"email", "sms", "email", mail},
		{"sms", "sms", "sms", number},
		{"whatsapp", "whatsapp", "whatsapp", number},
	}
	t.Run("is set", func(t *testing.T) { setsChannel(t, s, mail) })
	password := demo.Password
	for i, tt := range tests {
		t.Run("prefers "+string(tt.prefers), func(t *testing.T) {
			prefer(t, s, mail, tt.prefers)
			s.Clock.Advance(harness.Day)
			device := fmt.Sprint("phone", i)
			s.Run(t, []apitest.Scenario{
				harness.Register(device),
				{Name: "signs in by number", Path: "/user/login", Header: harness.DeviceOf(device), Body: `{"username":"` + number + `","password":"` + password + `"}`,
					Want: `{"userToken":"<any>","verified":false,"verification":{"channel":"` + string(tt.login) + `","destination":"+62***789","expiresIn":300},"user":"<any>"}`},
				{Name: "forgot by number", Path: "/user/forgot-password", Header: harness.DeviceOf(device), Body: `{"username":"` + number + `"}`,
					Want: `{"id":"<digits 15>","channel":"sms","destination":"+62***789","expiresIn":300}`},
				{Name: "forgot by mail", Path: "/user/forgot-password", Header: harness.DeviceOf("d"), Body: `{"username":"` + mail + `"}`,
					Want: `{"id":"<digits 15>","channel":"email","destination":"m***@demo.test","expiresIn":600}`, Save: map[string]string{"d.reset": "/id"}},
			})
			if m := sent(t, s, number, isSent); m.Channel != entMessage.ChannelSms {
				t.Errorf("the code for a new password went by %s", m.Channel)
			}
			newest(t, s, "login_code", tt.login, number)
			password = fmt.Sprintf("another-password-%d", i)
			s.Run(t, []apitest.Scenario{harness.Reset("a password", "d", "{{d.reset}}", s.Log.Code(t, mail, 2+i), password, 200, "")})
			newest(t, s, "password_changed", tt.notices, tt.notified)
		})
	}
	t.Run("without a number", func(t *testing.T) {
		prefer(t, s, "dimas@demo.test", user.MessageChannelWhatsapp)
		s.Clock.Advance(harness.Day)
		s.Run(t, []apitest.Scenario{harness.Forgot("d", "dimas@demo.test")})
		s.Run(t, []apitest.Scenario{harness.Reset("a password", "d", "{{d.reset}}", s.Log.Code(t, "dimas@demo.test", 2), "another-password-2", 200, "")})
		newest(t, s, "password_changed", entMessage.ChannelEmail, "dimas@demo.test")
	})
}

// setsChannel says how somebody likes to be told things, and no longer.
func setsChannel(t *testing.T, s *harness.Server, email string) {
	s.SignIn(t, "owner", "admin@demo.test")
	for _, channel := range []string{"whatsapp", "null"} {
		document := `mutation { updateUser(id: "` + harness.PersonID(t, s, email) + `", input: {messageChannel: ` + channel + `}) { messageChannel } }`
		var data struct {
			UpdateUser struct{ MessageChannel *string }
		}
		s.GraphQL(t, s.HeaderOf("owner"), document, nil, &data)
		if got := data.UpdateUser.MessageChannel; (got == nil) != (channel == "null") || got != nil && *got != channel {
			t.Errorf("%s is %v", channel, got)
		}
	}
}

// prefer sets how somebody likes to be told things; "" is nothing in particular.
func prefer(t *testing.T, s *harness.Server, email string, channel user.MessageChannel) {
	t.Helper()
	ctx := viewer.System(t.Context())
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		update := db.User.Update().Where(user.EmailKey(email)).ClearMessageChannel()
		if channel != "" {
			update = db.User.Update().Where(user.EmailKey(email)).SetMessageChannel(channel)
		}
		update.ExecX(ctx)
	})
}

// newest fails unless the newest message of a kind went that way.
func newest(t *testing.T, s *harness.Server, kind string, channel entMessage.Channel, to string) {
	t.Helper()
	m := harness.Must[*ent.Message](t)(s.Store.Ent.Message.Query().Where(entMessage.Kind(kind)).Order(ent.Desc(entMessage.FieldID)).First(viewer.System(t.Context())))
	if m.Channel != channel || m.Destination != to {
		t.Errorf("%s went by %s to %s, want %s to %s", kind, m.Channel, m.Destination, channel, to)
	}
}
