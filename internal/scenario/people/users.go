package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"workforce/internal/apitest"
)

// everybody is who Nusantara Demo lists, in order: by name, ignoring case.
var everybody = []string{
	"Agus Setiawan", "Andini Kusumawardhani", "Asep Sutisna", "ayu Lestari", "Budi Santoso", "Cecep Hidayat",
	"dewi Anggraini", "Dimas Prasetyo", "Eko Nugroho", "Fitri Handayani", "Gita Wulandari", "hendra gunawan",
	"Indah Permatasari", "Joko Susilo", "Kartika Sari", "Lukman Hakim", "Maya Puspita", "Neng Kurniasih",
	"nur Hidayah", "Putri Maharani", "Ratna Wijayanti", "Rizky Ramadhan", "Siti Rahmawati", "Slamet Riyadi",
	"Sumarni", "tatang suherman", "Wahyu Nur'aini",
}

// listed are the first entries of the list as the apps get them.
const listed = `{"id":"<int>","name":"Agus Setiawan","email":"agus@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"8401100006"},"gender":"male","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}]},
{"id":"<int>","name":"Andini Kusumawardhani","email":"admin@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"840 1100 001"},"gender":"female","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Direktur"}]},
{"id":"<int>","name":"Asep Sutisna","email":"asep@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"0840 1100 005"},"gender":"male","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Kepala Kantor"},{"id":"<digits>","name":"Penyelia"}]},
{"id":"<int>","name":"ayu Lestari","email":"ayu@demo.test","image":"images/avatar.png","mobileNumber":{"countryCode":62,"number":"0840 1100 007"},"gender":"female","salutation":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}]}`

// signedIn returns the headers of somebody who is signed in, and more of them.
func signedIn(name string, more ...string) map[string]string {
	h := map[string]string{"Authorization": "Bearer {{" + name + ".access}}"}
	for i := 0; i+1 < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

// problemText is the body of an error, word for word; errors and meta are JSON.
func problemText(code, title, status, detail, errors, meta string) string {
	return `{"type":"http://wf.test/errors/` + code + `","code":"` + code + `","title":"` + title + `","status":` + status +
		`,"detail":"` + detail + `","requestId":"<any>","errors":` + errors + `,"meta":` + meta + `}`
}

// notFoundText is NOT_FOUND in Indonesian, of a member or, with "", of the path.
func notFoundText(field string) string {
	const detail = "Data yang diminta tidak ditemukan."
	list := "[]"
	if field != "" {
		list = `[{"field":"` + field + `","code":"NOT_FOUND","detail":"` + detail + `"}]`
	}
	return problemText("NOT_FOUND", "Tidak ditemukan", "404", detail, list, "{}")
}

// invalidText is VALIDATION_FAILED in Indonesian: fields and what is wrong with each.
func invalidText(faults ...string) string {
	var list []string
	for i := 0; i+1 < len(faults); i += 2 {
		list = append(list, `{"field":"`+faults[i]+`","code":"VALIDATION_FAILED","detail":"`+faults[i+1]+`"}`)
	}
	return problemText("VALIDATION_FAILED", "Masukan tidak valid", "422",
		"Sebagian data yang dikirim kurang atau salah; lihat errors.", "["+strings.Join(list, ",")+"]", "{}")
}

// unsignedText is UNAUTHENTICATED in English.
func unsignedText(token, reason string) string {
	return problemText("UNAUTHENTICATED", "Not signed in", "401", "A valid "+token+" token is needed.", "[]",
		`{"reason":"`+reason+`","token":"`+token+`"}`)
}

// usersScenarios list employees.
func usersScenarios(t *testing.T, s *testServer) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "daeng", "admin@tetangga.test")
	everyone := s.names(t, "budi", "/user")
	if got, want := strings.Join(everyone, ", "), strings.Join(everybody, ", "); got != want {
		t.Errorf("order of the list:\n got %s\nwant %s", got, want)
	}
	var ids struct {
		Designations, Businesses struct {
			Edges []struct{ Node struct{ ID, Name string } }
		}
	}
	s.GraphQL(t, s.header("budi"), `{designations{edges{node{id name}}} businesses{edges{node{id name}}}}`, nil, &ids)
	for _, e := range append(ids.Designations.Edges, ids.Businesses.Edges...) {
		s.Vars[strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
	}
	s.GraphQL(t, s.header("daeng"), `{designations{edges{node{id name}}} businesses{edges{node{id name}}}}`, nil, &ids)
	s.Vars["their.designation"], s.Vars["their.business"] = ids.Designations.Edges[0].Node.ID, ids.Businesses.Edges[0].Node.ID

	t.Run("filters", func(t *testing.T) { usersFilters(t, s) })
	t.Run("pages", func(t *testing.T) { usersPages(t, s) })
	t.Run("refusals", func(t *testing.T) { usersRefusals(t, s) })
	t.Run("revalidation", func(t *testing.T) { usersRevalidation(t, s) })
}

// header returns the header of somebody who is signed in, with the token in it.
func (s *testServer) header(name string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + s.Vars[name+".access"]}
}

// get asks for a path in the name of somebody, and returns the answer.
func (s *testServer) get(t *testing.T, name, path string) (*http.Response, []byte) {
	t.Helper()
	return s.send(t, "GET", path, "", s.header(name))
}

// names returns the names in the list that a path answers with.
func (s *testServer) names(t *testing.T, who, path string) []string {
	t.Helper()
	resp, body := s.get(t, who, path)
	var list []struct{ Name string }
	if err := json.Unmarshal(body, &list); err != nil || resp.StatusCode != 200 {
		t.Fatalf("GET %s: %d %s %v", path, resp.StatusCode, body, err)
	}
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.Name
	}
	return names
}

func usersFilters(t *testing.T, s *testServer) {
	for _, tt := range []struct{ name, query, want string }{
		{"part of a name", "search=nur", "nur Hidayah, Wahyu Nur'aini"},
		{"case plays no part", "search=NUR", "nur Hidayah, Wahyu Nur'aini"},
		{"part of an e-mail address", "search=DIN%40", ""},
		{"an e-mail address", "search=Admin%40demo", "Andini Kusumawardhani"},
		{"a quote", "search=r%27a", "Wahyu Nur'aini"},
		{"a wildcard is text", "search=%25", ""},
		{"another wildcard is text", "search=a_i", ""},
		{"a backslash is text", "search=%5C", ""},
		{"an injection is text", "search=%27%20OR%201%3D1%20--", ""},
		{"a designation", "designationId={{Penyelia}}", "Asep Sutisna, Siti Rahmawati"},
		{"a business, without those below it", "businessId={{KantorJakarta}}", "Maya Puspita, nur Hidayah, Putri Maharani, Ratna Wijayanti"},
		{"all at once", "search=ma&designationId={{StafAdministrasi}}&businessId={{KantorJakarta}}", "Maya Puspita"},
		{"empty parameters are absent", "search=&designationId=&businessId=&page=&limit=", strings.Join(everybody, ", ")},
		{"unknown parameters are ignored", "status=x&search=budi", "Budi Santoso"},
		{"of several the last", "search=siti&search=budi", "Budi Santoso"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			query := tt.query
			for name, value := range s.Vars {
				query = strings.ReplaceAll(query, "{{"+name+"}}", value)
			}
			if got := strings.Join(s.names(t, "budi", "/user?"+query), ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func usersPages(t *testing.T, s *testServer) {
	const one = `{"id":"<int>","name":"<any>","email":"<any>","image":"<any>","mobileNumber":"<any>","gender":"<any>","salutation":null,"locale":"<any>","designations":"<any>"}`
	s.Run(t, []apitest.Scenario{
		{Name: "the first four", Path: "/user?limit=4", Header: signedIn("budi"), Want: "[" + listed + "]", WantHeader: map[string]string{
			"X-Total-Count": "27", "Content-Type": "application/json", "Cache-Control": "private, no-cache", "Content-Language": "id",
			"Link": `</user?limit=4&page=1>; rel="first", </user?limit=4&page=2>; rel="next", </user?limit=4&page=7>; rel="last"`}},
		{Name: "a page between", Path: "/user?page=2&limit=1&search=budi", Header: signedIn("budi"), Want: `[]`, WantHeader: map[string]string{
			"X-Total-Count": "1", "Link": `</user?limit=1&page=1&search=budi>; rel="first", </user?limit=1&page=1&search=budi>; rel="prev", </user?limit=1&page=1&search=budi>; rel="last"`}},
		{Name: "the last page", Path: "/user?page=27&limit=1", Header: signedIn("budi"), Want: "[" + one + "]", WantHeader: map[string]string{
			"X-Total-Count": "27", "Link": `</user?limit=1&page=1>; rel="first", </user?limit=1&page=26>; rel="prev", </user?limit=1&page=27>; rel="last"`}},
		{Name: "past the end", Path: "/user?page=3&limit=1000", Header: signedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "27"}},
		{Name: "far past the end", Path: "/user?page=2147483647&limit=1000", Header: signedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "27"}},
		{Name: "without a limit there is no Link", Path: "/user?search=budi", Header: signedIn("budi"), WantHeader: map[string]string{"X-Total-Count": "1", "Link": ""}},
		{Name: "nobody", Path: "/user?search=nobody", Header: signedIn("budi"), Want: `[]`, WantHeader: map[string]string{"X-Total-Count": "0"}},
	})
	var paged []string
	for _, page := range []string{"1", "2", "3"} {
		paged = append(paged, s.names(t, "budi", "/user?limit=10&page="+page)...)
	}
	if got, want := strings.Join(paged, ", "), strings.Join(everybody, ", "); got != want {
		t.Errorf("all pages:\n got %s\nwant %s", got, want)
	}
}

func usersRefusals(t *testing.T, s *testServer) {
	refused := func(name, query, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user?" + query, Header: signedIn("budi"), Status: 422, Want: want}
	}
	missing := func(name, query, field string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user?" + query, Header: signedIn("budi"), Status: 404, Want: notFoundText(field)}
	}
	s.Run(t, []apitest.Scenario{
		refused("page 0", "page=0&limit=1", invalidText("page", "Harus di antara 1 dan 2147483647.")),
		refused("limit 0", "limit=0", invalidText("limit", "Harus di antara 1 dan 1000.")),
		refused("limit 1001", "limit=1001", invalidText("limit", "Harus di antara 1 dan 1000.")),
		refused("page without limit", "page=1", invalidText("page", "Harus disertai limit.")),
		refused("all faults", "page=-1&limit=9999", invalidText("page", "Harus di antara 1 dan 2147483647.", "limit", "Harus di antara 1 dan 1000.")),
		{Name: "a limit that is no number, in English", Path: "/user?limit=x", Header: signedIn("budi", "X-Language", "en"), Status: 422,
			Want: problemText("VALIDATION_FAILED", "Invalid input", "422", "Some of what was sent is missing or wrong; see errors.",
				`[{"field":"limit","code":"VALIDATION_FAILED","detail":"<any>"}]`, "{}")},
		missing("an unknown designation", "designationId=999999", "designationId"),
		missing("another company's designation", "designationId={{their.designation}}", "designationId"),
		missing("an ill-formed designation", "designationId=x", "designationId"),
		missing("a designation beyond all numbers", "designationId=99999999999999999999", "designationId"),
		missing("an unknown business", "businessId=999999", "businessId"),
		missing("another company's business", "businessId={{their.business}}", "businessId"),
		missing("an ill-formed business", "businessId=1.5", "businessId"),
		{Name: "nobody signed in", Path: "/user", Status: 401, Want: unsignedText("access", "missing"),
			WantHeader: map[string]string{"WWW-Authenticate": `Bearer realm="workforce"`, "Cache-Control": "no-store", "ETag": ""}},
		{Name: "nobody signed in is said before a fault", Path: "/user?limit=0", Status: 401, Want: unsignedText("access", "missing")},
		{Name: "something else as token", Path: "/user", Header: map[string]string{"x-Access-Token": "x"}, Status: 401, Want: unsignedText("access", "invalid")},
		{Name: "a token of another kind", Path: "/user", Header: map[string]string{"Authorization": "Bearer {{budi.device}}"}, Status: 401, Want: unsignedText("access", "missing")},
	})
}

func usersRevalidation(t *testing.T, s *testServer) {
	s.Run(t, []apitest.Scenario{
		{Name: "a tag", Path: "/user", Header: signedIn("budi"), Save: map[string]string{"tag": "ETag"}, WantHeader: map[string]string{"ETag": `"<any>"`, "Content-Encoding": ""}},
		{Name: "a compressed tag", Path: "/user", Header: signedIn("budi", "Accept-Encoding", "gzip"), Save: map[string]string{"gzip.tag": "ETag"},
			WantHeader: map[string]string{"ETag": `"<any>-gzip"`, "Content-Encoding": "gzip"}},
		{Name: "the same again", Path: "/user", Header: signedIn("budi", "If-None-Match", "{{tag}}"), Status: 304, WantHeader: map[string]string{"ETag": "{{tag}}", "Content-Type": ""}},
		{Name: "the same again, compressed", Path: "/user", Header: signedIn("budi", "If-None-Match", `"x", W/{{gzip.tag}}`, "Accept-Encoding", "gzip"), Status: 304},
		{Name: "the tag of another encoding", Path: "/user", Header: signedIn("budi", "If-None-Match", "{{gzip.tag}}"), Status: 200},
		{Name: "another list", Path: "/user?limit=1", Header: signedIn("budi", "If-None-Match", "{{tag}}"), Status: 200},
		{Name: "HEAD", Method: "HEAD", Path: "/user", Header: signedIn("budi"), WantHeader: map[string]string{"ETag": "{{tag}}", "X-Total-Count": "27"}},
	})
}
