package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUserList lists the users of two companies, and those of one as JSON.
func TestUserList(t *testing.T) {
	at := newDatabase(t, t.TempDir())
	for _, args := range [][]string{
		{"company", "create", "--name=PT Contoh", "--timezone=Asia/Jakarta", at},
		{"company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at},
		{"user", "create", "--company=1", "--name=Sri Wahyuni", "--email=sri@contoh.id", "--role=owner", at},
		{"user", "create", "--company=2", "--name=Ada", "--email=ada@acme.test", at},
	} {
		if _, err := command(t, strings.NewReader(""), args...); err != "" {
			t.Fatal(err)
		}
	}
	setActive(t, at, "ada@acme.test", false)
	got, err := command(t, nil, "user", "list", at)
	want := "ID  COMPANY      NAME         E-MAIL          ROLES     STATE\n" +
		"1   1 PT Contoh  Sri Wahyuni  sri@contoh.id   Owner     active\n" +
		"2   2 Acme       Ada          ada@acme.test   Employee  deactivated\n"
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") || err != "" {
		t.Errorf("got\n%swant\n%s%s", got, want, err)
	}
	text, err := command(t, nil, "user", "list", "--json", "--company=2", at)
	var list []map[string]any
	if failed := json.Unmarshal([]byte(text), &list); failed != nil || err != "" || len(list) != 1 {
		t.Fatalf("%s, %v %s", text, failed, err)
	}
	if u := list[0]; u["id"] != 2.0 || u["companyId"] != 2.0 || u["company"] != "Acme" || u["email"] != "ada@acme.test" ||
		u["active"] != false || u["roles"].([]any)[0] != "Employee" || len(u) != 7 {
		t.Errorf("%v", u)
	}
	if _, err := command(t, nil, "user", "list", "--company=3", at); err != "no company 3" {
		t.Errorf("of an unknown company: %s", err)
	}
}
