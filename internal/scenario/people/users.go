package people

import (
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// listed are the first entries of the list as the apps get them.
const listed = `{"id":"<int>","name":"Agus Setiawan","email":"agus@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"8401100006"},"gender":"male","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}]},
{"id":"<int>","name":"Andini Kusumawardhani","email":"admin@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"840 1100 001"},"gender":"female","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Direktur"}]},
{"id":"<int>","name":"Asep Sutisna","email":"asep@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"0840 1100 005"},"gender":"male","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Kepala Kantor"},{"id":"<digits>","name":"Penyelia"}]},
{"id":"<int>","name":"ayu Lestari","email":"ayu@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"0840 1100 007"},"gender":"female","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}]}`

// notFoundText is NOT_FOUND in Indonesian, of a member or, with "", of the path.
func notFoundText(field string) string {
	const detail = "Data yang diminta tidak ditemukan."
	list := "[]"
	if field != "" {
		list = `[{"field":"` + field + `","code":"NOT_FOUND","detail":"` + detail + `"}]`
	}
	return harness.ProblemText("NOT_FOUND", "Tidak ditemukan", "404", detail, list, "{}")
}

// usersScenarios list employees.
func usersScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "daeng", "admin@tetangga.test")
	everyone := harness.Names(t, s, "budi", "/user")
	if got, want := strings.Join(everyone, ", "), strings.Join(harness.Everybody, ", "); got != want {
		t.Errorf("order of the list:\n got %s\nwant %s", got, want)
	}
	var ids struct {
		Designations, Businesses struct {
			Edges []struct{ Node struct{ ID, Name string } }
		}
	}
	s.GraphQL(t, s.HeaderOf("budi"), `{designations{edges{node{id name}}} businesses{edges{node{id name}}}}`, nil, &ids)
	for _, e := range append(ids.Designations.Edges, ids.Businesses.Edges...) {
		s.Vars[strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
	}
	s.GraphQL(t, s.HeaderOf("daeng"), `{designations{edges{node{id name}}} businesses{edges{node{id name}}}}`, nil, &ids)
	s.Vars["their.designation"], s.Vars["their.business"] = ids.Designations.Edges[0].Node.ID, ids.Businesses.Edges[0].Node.ID

	t.Run("filters", func(t *testing.T) { usersFilters(t, s) })
	t.Run("pages", func(t *testing.T) { usersPages(t, s) })
	t.Run("refusals", func(t *testing.T) { usersRefusals(t, s) })
	t.Run("revalidation", func(t *testing.T) { usersRevalidation(t, s) })
}

func usersFilters(t *testing.T, s *harness.Server) {
	for _, tt := range []struct{ name, query, want string }{
		{"part of a name", "search=nur", "nur Hidayah, Wahyu Nur'aini"},
		{"case plays no part", "search=NUR", "nur Hidayah, Wahyu Nur'aini"},
		{"part of an e-mail address", "search=DIN%40", ""},
		{"an e-mail address", "search=Admin%40demo", "Andini Kusumawardhani"},
		{"a quote", "search=r%27a", "Wahyu Nur'aini"},
		{"accents play no part", "search=n%C3%BBr%20w%C3%A4hyu", "Wahyu Nur'aini"},
		{"blanks play no part", "search=%20%20wahyu%20%C2%A0%20nur%20", "Wahyu Nur'aini"},
		{"invisible characters play no part", "search=%EF%BB%BFwah%E2%80%8Byu", "Wahyu Nur'aini"},
		{"an address without case and blanks", "search=%20ADMIN%40Demo.TEST%20", "Andini Kusumawardhani"},
		{"signs alone", "search=-%20%21", ""},
		{"a wildcard is text", "search=%25", ""},
		{"another wildcard is text", "search=a_i", ""},
		{"a backslash is text", "search=%5C", ""},
		{"an injection is text", "search=%27%20OR%201%3D1%20--", ""},
		{"a designation", "designationId={{Penyelia}}", "Asep Sutisna, Siti Rahmawati"},
		{"a business, without those below it", "businessId={{KantorJakarta}}", "Maya Puspita, nur Hidayah, Putri Maharani, Ratna Wijayanti"},
		{"all at once", "search=ma&designationId={{StafAdministrasi}}&businessId={{KantorJakarta}}", "Maya Puspita"},
		{"empty parameters are absent", "search=&designationId=&businessId=&page=&limit=", strings.Join(harness.Everybody, ", ")},
		{"unknown parameters are ignored", "status=x&search=budi", "Budi Santoso"},
		{"of several the last", "search=siti&search=budi", "Budi Santoso"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			query := tt.query
			for name, value := range s.Vars {
				query = strings.ReplaceAll(query, "{{"+name+"}}", value)
			}
			if got := strings.Join(harness.Names(t, s, "budi", "/user?"+query), ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func usersPages(t *testing.T, s *harness.Server) {
	const one = `{"id":"<int>","name":"<any>","email":"<any>","image":"<any>","mobileNumber":"<any>","gender":"<any>","salutation":null,"locale":"<any>","designations":"<any>"}`
	s.Run(t, []apitest.Scenario{
		{Name: "the first four", Path: "/user?limit=4", Header: harness.SignedIn("budi"), Want: "[" + listed + "]", WantHeader: map[string]string{
			"X-Total-Count": "27", "Content-Type": "application/json", "Cache-Control": "private, no-cache", "Content-Language": "id",
			"Link": `</user?limit=4&page=1>; rel="first", </user?limit=4&page=2>; rel="next", </user?limit=4&page=7>; rel="last"`}},
		{Name: "a page between", Path: "/user?page=2&limit=1&search=budi", Header: harness.SignedIn("budi"), Want: `[]`, WantHeader: map[string]string{
			"X-Total-Count": "1", "Link": `</user?limit=1&page=1&search=budi>; rel="first", </user?limit=1&page=1&search=budi>; rel="prev", </user?limit=1&page=1&search=budi>; rel="last"`}},
		{Name: "the last page", Path: "/user?page=27&limit=1", Header: harness.SignedIn("budi"), Want: "[" + one + "]", WantHeader: map[string]string{
			"X-Total-Count": "27", "Link": `</user?limit=1&page=1>; rel="first", </user?limit=1&page=26>; rel="prev", </user?limit=1&page=27>; rel="last"`}},
		{Name: "past the end", Path: "/user?page=3&limit=1000", Header: harness.SignedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "27"}},
		{Name: "far past the end", Path: "/user?page=2147483647&limit=1000", Header: harness.SignedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "27"}},
		{Name: "without a limit there is no Link", Path: "/user?search=budi", Header: harness.SignedIn("budi"), WantHeader: map[string]string{"X-Total-Count": "1", "Link": ""}},
		{Name: "nobody", Path: "/user?search=nobody", Header: harness.SignedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "0"}},
	})
	var paged []string
	for _, page := range []string{"1", "2", "3"} {
		paged = append(paged, harness.Names(t, s, "budi", "/user?limit=10&page="+page)...)
	}
	if got, want := strings.Join(paged, ", "), strings.Join(harness.Everybody, ", "); got != want {
		t.Errorf("all pages:\n got %s\nwant %s", got, want)
	}
}

func usersRefusals(t *testing.T, s *harness.Server) {
	refused := func(name, query, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user?" + query, Header: harness.SignedIn("budi"), Status: 422, Want: want}
	}
	missing := func(name, query, field string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user?" + query, Header: harness.SignedIn("budi"), Status: 404, Want: notFoundText(field)}
	}
	s.Run(t, []apitest.Scenario{
		refused("page 0", "page=0&limit=1", harness.InvalidText("page", "Harus di antara 1 dan 2147483647.")),
		refused("limit 0", "limit=0", harness.InvalidText("limit", "Harus di antara 1 dan 1000.")),
		refused("limit 1001", "limit=1001", harness.InvalidText("limit", "Harus di antara 1 dan 1000.")),
		refused("page without limit", "page=1", harness.InvalidText("page", "Harus disertai limit.")),
		refused("all faults", "page=-1&limit=9999", harness.InvalidText("page", "Harus di antara 1 dan 2147483647.", "limit", "Harus di antara 1 dan 1000.")),
		{Name: "a limit that is no number, in English", Path: "/user?limit=x", Header: harness.SignedIn("budi", "X-Language", "en"), Status: 422,
			Want: harness.ProblemText("VALIDATION_FAILED", "Invalid input", "422", "Some of what was sent is missing or wrong; see errors.",
				`[{"field":"limit","code":"VALIDATION_FAILED","detail":"<any>"}]`, "{}")},
		missing("an unknown designation", "designationId=999999", "designationId"),
		missing("another company's designation", "designationId={{their.designation}}", "designationId"),
		missing("an ill-formed designation", "designationId=x", "designationId"),
		missing("a designation beyond all numbers", "designationId=99999999999999999999", "designationId"),
		missing("an unknown business", "businessId=999999", "businessId"),
		missing("another company's business", "businessId={{their.business}}", "businessId"),
		missing("an ill-formed business", "businessId=1.5", "businessId"),
		{Name: "nobody signed in", Path: "/user", Status: 401, Want: harness.UnsignedText("access", "missing"),
			WantHeader: map[string]string{"WWW-Authenticate": `Bearer realm="workforce"`, "Cache-Control": "no-store", "ETag": ""}},
		{Name: "nobody signed in is said before a fault", Path: "/user?limit=0", Status: 401, Want: harness.UnsignedText("access", "missing")},
		{Name: "something else as token", Path: "/user", Header: map[string]string{"x-Access-Token": "x"}, Status: 401, Want: harness.UnsignedText("access", "invalid")},
		{Name: "a token of another kind", Path: "/user", Header: map[string]string{"Authorization": "Bearer {{budi.device}}"}, Status: 401, Want: harness.UnsignedText("access", "missing")},
	})
}

func usersRevalidation(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		{Name: "a tag", Path: "/user", Header: harness.SignedIn("budi"), Save: map[string]string{"tag": "ETag"}, WantHeader: map[string]string{"ETag": `"<any>"`, "Content-Encoding": ""}},
		{Name: "a compressed tag", Path: "/user", Header: harness.SignedIn("budi", "Accept-Encoding", "gzip"), Save: map[string]string{"gzip.tag": "ETag"},
			WantHeader: map[string]string{"ETag": `"<any>-gzip"`, "Content-Encoding": "gzip"}},
		{Name: "the same again", Path: "/user", Header: harness.SignedIn("budi", "If-None-Match", "{{tag}}"), Status: 304, WantHeader: map[string]string{"ETag": "{{tag}}", "Content-Type": ""}},
		{Name: "the same again, compressed", Path: "/user", Header: harness.SignedIn("budi", "If-None-Match", `"x", W/{{gzip.tag}}`, "Accept-Encoding", "gzip"), Status: 304},
		{Name: "the tag of another encoding", Path: "/user", Header: harness.SignedIn("budi", "If-None-Match", "{{gzip.tag}}"), Status: 200},
		{Name: "another list", Path: "/user?limit=1", Header: harness.SignedIn("budi", "If-None-Match", "{{tag}}"), Status: 200},
		{Name: "HEAD", Method: "HEAD", Path: "/user", Header: harness.SignedIn("budi"), WantHeader: map[string]string{"ETag": "{{tag}}", "X-Total-Count": "27"}},
	})
}
