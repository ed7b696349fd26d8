package parallel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/formerpassword"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	entToken "workforce/ent/token"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/ratelimit"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// phones are the devices of the races about accounts, beside those of who is signed in.
const phones = 20

// signInAccounts signs people in, each of one race, and registers devices.
func signInAccounts(t *testing.T, s *harness.Server) {
	for _, name := range []string{"admin", "joko", "eko", "putri", "kartika"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	for i := range phones {
		s.Run(t, []apitest.Scenario{harness.Register(fmt.Sprint("phone", i))})
	}
	for _, name := range []string{"turned", "login", "verify", "forgot", "reset"} {
		s.Run(t, []apitest.Scenario{harness.Register(name)})
	}
}

// post returns a request to a REST endpoint.
func post(path string, header map[string]string, body string) func(int) apitest.Scenario {
	return func(int) apitest.Scenario { return apitest.Scenario{Path: path, Header: header, Body: body} }
}

// mutation returns a GraphQL request.
func mutation(header map[string]string, document string) func(int) apitest.Scenario {
	header["Content-Type"] = "application/json"
	return post("/graphql", header, apitest.Query("mutation { "+document+" }", nil))
}

// logIn returns a sign-in.
func logIn(device, username, password string) apitest.Scenario {
	return apitest.Scenario{Path: "/user/login", Header: harness.DeviceOf(device), Body: `{"username":"` + username + `","password":"` + password + `"}`}
}

// codes counts the answers by the code of their error, of REST and of GraphQL; "" is
// success.
func (a answers) codes() map[string]int {
	all := map[string]int{}
	for o, n := range a {
		var body struct {
			Code   string
			Errors []struct{ Extensions struct{ Code string } }
		}
		_ = json.Unmarshal([]byte(o.Body), &body) // a success may be a list
		if len(body.Errors) > 0 && body.Code == "" {
			body.Code = body.Errors[0].Extensions.Code
		}
		if body.Code == "" && o.Status != 200 {
			body.Code = fmt.Sprint(o)
		}
		all[body.Code] += n
	}
	return all
}

// exactly returns a check of how many answers have each code, and of the rows left.
func exactly(want map[string]int, rows ...func(*testing.T, *harness.Server)) func(*testing.T, *harness.Server, answers) {
	return func(t *testing.T, s *harness.Server, got answers) {
		t.Helper()
		if !maps.Equal(got.codes(), want) {
			t.Errorf("got %v, want %v; %.600v", got.codes(), want, fmt.Sprint(got))
		}
		for _, check := range rows {
			check(t, s)
		}
	}
}

// one returns a check that one request succeeds and the others have any of some codes,
// and of the rows left.
func one(others string, rows ...func(*testing.T, *harness.Server)) func(*testing.T, *harness.Server, answers) {
	return func(t *testing.T, s *harness.Server, got answers) {
		t.Helper()
		codes := got.codes()
		for code := range codes {
			if codes[""] != 1 || code != "" && !strings.Contains(" "+others+" ", " "+code+" ") {
				t.Errorf("got %v, want one success and else %s", codes, others)
			}
		}
		for _, check := range rows {
			check(t, s)
		}
	}
}

// same wants the same success 20 times.
func same(t *testing.T, _ *harness.Server, got answers) {
	t.Helper()
	if len(got) != 1 || got.codes()[""] != 20 {
		t.Errorf("got %d answers, %v, want the same 20 times", len(got), got.codes())
	}
}

// then returns a check that runs several.
func then(checks ...func(*testing.T, *harness.Server, answers)) func(*testing.T, *harness.Server, answers) {
	return func(t *testing.T, s *harness.Server, got answers) {
		for _, check := range checks {
			check(t, s, got)
		}
	}
}

// rows returns a check of a number of rows.
func rows(what string, want int, count func(s *harness.Server) int) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		t.Helper()
		if n := count(s); n != want {
			t.Errorf("left %d %s, want %d", n, what, want)
		}
	}
}

// sent returns a check of the number of messages of a kind to somebody.
func sent(kind, email string, want int) func(*testing.T, *harness.Server) {
	return rows(kind+" to "+email, want, func(s *harness.Server) int {
		return s.Store.Ent.Message.Query().Where(entMessage.Kind(kind), entMessage.HasUserWith(user.Email(email))).CountX(viewer.System(context.Background()))
	})
}

// formerPasswords returns a check of the number of passwords that somebody had.
func formerPasswords(email string, want int) func(*testing.T, *harness.Server) {
	return rows("former passwords of "+email, want, func(s *harness.Server) int {
		return s.Store.Ent.FormerPassword.Query().Where(formerpassword.HasUserWith(user.Email(email))).CountX(viewer.System(context.Background()))
	})
}

// devicesNamed returns a check of the number of devices with a name.
func devicesNamed(name string, want int) func(*testing.T, *harness.Server) {
	return rows("devices "+name, want, func(s *harness.Server) int {
		return s.Store.Ent.Device.Query().Where(device.DeviceID(name)).CountX(viewer.System(context.Background()))
	})
}

// refreshTokens returns a check of the number of refresh tokens of somebody that are
// valid.
func refreshTokens(email string, want int) func(*testing.T, *harness.Server) {
	return rows("valid refresh tokens of "+email, want, func(s *harness.Server) int {
		who := user.Email(email)
		return s.Store.Ent.Token.Query().Where(entToken.KindEQ(entToken.KindRefresh), entToken.SpentAtIsNil(), entToken.RevokedAtIsNil()).
			QuerySession().QueryUser().Where(who).CountX(viewer.System(context.Background()))
	})
}

// limited sets a limit for a race.
func limited(event ratelimit.Event, n int) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		s.Clock.Advance(harness.Day) // nothing was counted in the hour before
		for name := range ratelimit.Default {
			s.Services.Limiter.Limits[name] = ratelimit.Default[name]
		}
		s.Services.Limiter.Limits[event] = n
	}
}

// signsIn signs somebody in on a device, or asks for the code of a reset there, and
// keeps the code under the device's name.
func signsIn(device, email string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		limited(ratelimit.Code, 200)(t, s)
		s.Run(t, []apitest.Scenario{harness.Login(device, email, demo.Password)})
		s.Vars[device+".code"] = s.Log.Code(t, email, 1)
	}
}

func forgets(device, email string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		limited(ratelimit.Code, 200)(t, s)
		s.Run(t, []apitest.Scenario{harness.Forgot(device, email)})
		s.Vars[device+".code"] = s.Log.Code(t, email, 1)
	}
}

// accountRaces are registrations, sign-ins, codes, tokens and passwords.
func accountRaces() []race {
	const register = `{"deviceId":"many","platform":"ios"}`
	return []race{
		{"register new devices", limited(ratelimit.Registration, 300), 0, post("/device/register", nil, register),
			exactly(map[string]int{"": 20}, devicesNamed("many", 20))},
		{"register more devices than an address may", limited(ratelimit.Registration, 7), 0, post("/device/register", nil, strings.Replace(register, "many", "few", 1)),
			exactly(map[string]int{"": 7, "RATE_LIMITED": 13}, devicesNamed("few", 7))},
		{"rotate one device", limited(ratelimit.Registration, 300), 0, post("/device/register", harness.DeviceOf("turned"), strings.Replace(register, "many", "turned", 1)),
			then(same, exactly(map[string]int{"": 20}, devicesNamed("turned", 1)))},
		{"encrypt more than an address may", limited(ratelimit.Encryption, 5), 0, post("/encrypt", harness.DeviceOf("phone0"), `{"value":"x"}`),
			exactly(map[string]int{"": 5, "RATE_LIMITED": 15})},
		{"sign in on a device that is not trusted", limited(ratelimit.Code, 200), 0, func(int) apitest.Scenario { return logIn("login", "agus@demo.test", demo.Password) },
			func(t *testing.T, s *harness.Server, got answers) {
				if c := got.codes(); c[""] == 0 || c[""]+c["RATE_LIMITED"] != 20 {
					t.Errorf("got %v", got)
				}
				sent("login_code", "agus@demo.test", 1)(t, s)
			}},
		{"guess one password", limited(ratelimit.Failure, 100), 0, func(int) apitest.Scenario { return logIn("login", "ayu@demo.test", "wrong") },
			exactly(map[string]int{"INVALID_CREDENTIALS": 4, "RATE_LIMITED": 16})},
		{"guess passwords of many names", limited(ratelimit.Failure, 7), 0, func(i int) apitest.Scenario {
			return logIn("login", fmt.Sprintf("nobody%d@demo.test", i), "wrong")
		}, exactly(map[string]int{"INVALID_CREDENTIALS": 7, "RATE_LIMITED": 13})},
		{"verify with the right code", signsIn("verify", "maya@demo.test"), 0, post("/authorize/verify", harness.SessionOf("verify"), `{"otp":"{{verify.code}}"}`),
			then(same, exactly(map[string]int{"": 20}, rows("trusts", 1, func(s *harness.Server) int {
				return s.Store.Ent.DeviceTrust.Query().Where(devicetrust.HasUserWith(user.Email("maya@demo.test"))).CountX(viewer.System(context.Background()))
			})))},
		{"forget a password on one device", limited(ratelimit.Code, 200), 0, post("/user/forgot-password", harness.DeviceOf("forgot"), `{"username":"dimas@demo.test"}`),
			exactly(map[string]int{"": 1, "RATE_LIMITED": 19}, sent("reset_code", "dimas@demo.test", 1))},
		{"forget a password on many devices, by two names", limited(ratelimit.Code, 200), 0, func(i int) apitest.Scenario {
			name := [2]string{"manager@demo.test", "+628401123789"}[i%2]
			return apitest.Scenario{Path: "/user/forgot-password", Header: harness.DeviceOf(fmt.Sprint("phone", i)), Body: `{"username":"` + name + `"}`}
		}, exactly(map[string]int{"": 10, "RATE_LIMITED": 10}, sent("reset_code", "manager@demo.test", 5))},
		{"forget more passwords than an address may", limited(ratelimit.Code, 7), 0, func(i int) apitest.Scenario {
			return apitest.Scenario{Path: "/user/forgot-password", Header: harness.DeviceOf("forgot"), Body: fmt.Sprintf(`{"username":"nobody%d@demo.test"}`, i)}
		}, exactly(map[string]int{"": 7, "RATE_LIMITED": 13})},
		{"reset with the right code", forgets("reset", "siti@demo.test"), 0,
			post("/user/reset-password", harness.DeviceOf("reset"), `{"id":"{{reset.reset}}","otp":"{{reset.code}}","password":"kata-sandi-baru"}`),
			one("OTP_INVALID OTP_EXHAUSTED RATE_LIMITED UNAVAILABLE", formerPasswords("siti@demo.test", 1))},
		{"recover by one link", func(t *testing.T, s *harness.Server) {
			limited(ratelimit.Failure, 100)(t, s)
			s.Vars["recovery"] = s.NewRecovery(t, "gita@demo.test")
		}, 0, mutation(harness.DeviceOf("reset"),
			`recoverAccount(input: {token: "{{recovery}}", password: "kata-sandi-baru"}) { recovered }`),
			one("NOT_FOUND PASSWORD_WEAK UNAVAILABLE", formerPasswords("gita@demo.test", 1))},
		{"change a password", signsInAgain("kartika"), 0, mutation(harness.Bearer("kartika"), `changePassword(input: {oldPassword: "`+demo.Password+`", newPassword: "kata-sandi-baru"}) { changed }`),
			// 60 hashes: under the race detector, beside other tests, they may take longer than an operation may
			one("VALIDATION_FAILED CONFLICT RATE_LIMITED UNAVAILABLE", formerPasswords("kartika@demo.test", 1))},
		{"ask for a token pair", signsInAgain("joko"), 0, mutation(harness.Head("X-User-Token", "{{joko.user}}"), `accessToken { refreshToken }`),
			exactly(map[string]int{"": 20}, refreshTokens("joko@demo.test", 1))},
		{"refresh", signsInAgain("eko"), 0, mutation(harness.Head("X-Refresh-Token", "{{eko.refresh}}"), `refreshToken { refreshToken }`),
			then(same, exactly(map[string]int{"": 20}, refreshTokens("eko@demo.test", 1)))},
		{"log out", signsInAgain("putri"), 0, mutation(harness.Head("X-Refresh-Token", "{{putri.refresh}}"), `logout { loggedOut }`),
			exactly(map[string]int{"": 1, "UNAUTHENTICATED": 19})},
		{"create a user", signsInAgain("admin"), 0, mutation(harness.Bearer("admin"), `createUser(input: {name: "Baru", email: "baru@demo.test"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19}, rows("users", 1, func(s *harness.Server) int {
				return s.Store.Ent.User.Query().Where(user.EmailKey("baru@demo.test")).CountX(viewer.System(context.Background()))
			}))},
		{"invite somebody again", func(t *testing.T, s *harness.Server) {
			created := s.AskGraphQL(t, s.HeaderOf("admin"), `mutation{createUser(input:{name:"Tamu",email:"tamu@demo.test",password:"kata-sandi-tamu"}){id}}`, nil)
			if created.Code() != "" {
				t.Fatal(created.Code())
			}
			s.Vars["guest"] = harness.PersonID(t, s, "tamu@demo.test")
			ctx := viewer.System(ent.NewContext(t.Context(), s.Store.Ent))
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.User.Update().Where(user.Email("tamu@demo.test")).ClearPasswordHash().ExecX(ctx)
			})
		}, 0, mutation(harness.Bearer("admin"), `inviteUser(id: "{{guest}}") { id }`),
			func(t *testing.T, s *harness.Server, got answers) {
				if codes := got.codes(); codes[""] == 0 || codes[""]+codes["RATE_LIMITED"] != 20 {
					t.Errorf("got %v, want successes and RATE_LIMITED", codes)
				}
				sent("invited", "tamu@demo.test", 1)(t, s)
			}},
		{"send a message again", func(t *testing.T, s *harness.Server) {
			ctx, invitation := viewer.System(t.Context()), entMessage.And(entMessage.HasUserWith(user.Email("tamu@demo.test")), entMessage.Kind("invited"))
			s.Vars["message"] = fmt.Sprint(s.Store.Ent.Message.Query().Where(invitation).OnlyIDX(ctx))
			s.Wait(t, "the invitation", func() bool {
				return s.Store.Ent.Message.Query().Where(invitation, entMessage.StatusEQ(entMessage.StatusSent)).ExistX(ctx)
			})
		}, 0, mutation(harness.Bearer("admin"), `sendMessageAgain(id: "{{message}}") { id }`),
			then(same, exactly(map[string]int{"": 20}, sent("invited", "tamu@demo.test", 2)))},
		{"erase a person", func(t *testing.T, s *harness.Server) { s.Vars["gita"] = harness.PersonID(t, s, "gita@demo.test") }, 0,
			mutation(harness.Bearer("admin"), `eraseUser(id: "{{gita}}") { deleted }`),
			then(same, exactly(map[string]int{"": 20}, rows("erased people", 1, func(s *harness.Server) int {
				return s.Store.Ent.User.Query().Where(user.EmailKey("erased-" + s.Vars["gita"])).CountX(viewer.System(context.Background()))
			}), rows("events of the erasure", 1, func(s *harness.Server) int {
				return s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("user.erased")).CountX(viewer.System(context.Background()))
			}), rows("jobs of the erasure that wait", 1, func(s *harness.Server) int {
				return s.Store.Ent.Job.Query().
					Where(sql.FieldHasPrefix(entJob.FieldName, "erasure-"), entJob.RunAtGT(s.Clock.Now())).
					CountX(viewer.System(context.Background()))
			})))},
		{"export one's own data", nil, 0, mutation(harness.Bearer("admin"), `exportOwnData { id }`),
			then(same, exactly(map[string]int{"": 20}, rows("jobs of exports", 1, func(s *harness.Server) int {
				return s.Store.Ent.Job.Query().Where(entJob.Kind("person_export")).CountX(viewer.System(context.Background()))
			})))},
		{"ask for a report", nil, 0, mutation(harness.Bearer("admin"), `generateReport(input: {kind: attendance, format: csv}) { id }`),
			then(same, exactly(map[string]int{"": 20}, rows("jobs of reports", 1, func(s *harness.Server) int {
				return s.Store.Ent.Job.Query().Where(entJob.Kind("report")).CountX(viewer.System(context.Background()))
			})))},
		{"schedule more reports than may be", func(t *testing.T, s *harness.Server) {
			for range 15 {
				if answer := s.AskGraphQL(t, s.HeaderOf("admin"), `mutation{createReportSchedule(input:{kind:task,every:week}){id}}`, nil); answer.Code() != "" {
					t.Fatal(answer.Code())
				}
			}
		}, 0, mutation(harness.Bearer("admin"), `createReportSchedule(input: {kind: task, every: week}) { id }`),
			exactly(map[string]int{"": 5, "CONFLICT": 15}, rows("schedules", 20, func(s *harness.Server) int {
				return s.Store.Ent.ReportSchedule.Query().CountX(viewer.System(context.Background()))
			}))},
		{"make more API keys than may be", func(t *testing.T, s *harness.Server) {
			for range 85 {
				made := s.AskGraphQL(t, s.HeaderOf("admin"),
					`mutation{createApiKey(input:{name:"x",permissions:["task.read.all"]}){token}}`, nil)
				if made.Code() != "" {
					t.Fatal(made.Code())
				}
			}
		}, 0, mutation(harness.Bearer("admin"), `createApiKey(input: {name: "x", permissions: ["task.read.all"]}) { token }`),
			exactly(map[string]int{"": 15, "CONFLICT": 5}, rows("keys", 100, func(s *harness.Server) int {
				return s.Store.Ent.APIKey.Query().CountX(viewer.System(context.Background()))
			}))},
		{"create a role", nil, 0, mutation(harness.Bearer("admin"), `createRole(input: {name: "Baru", permissions: []}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"create a business", nil, 0, mutation(harness.Bearer("admin"), `createBusiness(input: {name: "Baru"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"create an address", nil, 0, mutation(harness.Bearer("admin"), `createAddress(input: {name: "Baru", latitude: 1, longitude: 1}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"create a holiday", nil, 0, mutation(harness.Bearer("admin"), `createHoliday(input: {name: "Baru", date: "2027-01-01"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
	}
}

// signsInAgain signs somebody in on a device that they trust.
func signsInAgain(name string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		limited(ratelimit.Failure, 100)(t, s)
		ctx := viewer.System(t.Context())
		s.Store.Ent.Session.Update().SetRevokedAt(s.Clock.Now()).ExecX(ctx)
		s.Store.Ent.Token.Update().SetRevokedAt(s.Clock.Now()).ExecX(ctx)
		s.Run(t, []apitest.Scenario{
			harness.Login(name, name+"@demo.test", demo.Password),
			{Name: "tokens", Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{"+name+".user}}"),
				Save: map[string]string{name + ".access": "/accessToken", name + ".refresh": "/refreshToken"}},
		})
	}
}
