package errs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var fact = regexp.MustCompile(`{{\.(\w+)}}`)

// neededFacts returns the facts that the texts of each code, reason and reason of a conflict name,
// by the name of its constant.
func neededFacts(t *testing.T) map[string][]string {
	needed := map[string][]string{}
	add := func(name, texts string) {
		for _, found := range fact.FindAllStringSubmatch(texts, -1) {
			if !slices.Contains(needed[name], found[1]) {
				needed[name] = append(needed[name], found[1])
			}
		}
	}
	for name, code := range constants[Code](t, "errs.go", "Code") {
		add(name, fmt.Sprint(catalogue[code]))
	}
	for name, reason := range constants[Reason](t, "errs.go", "Reason") {
		add(name, fmt.Sprint(reasons[reason]))
	}
	for name, reason := range constants[ConflictReason](t, "conflict.go", "ConflictReason") {
		add(name, fmt.Sprint(conflicts[reason]))
	}
	return needed
}

// lackedBy returns what a file lacks: CONSTANT fact, for each fact that a text names and the error
// made of it does not have. Facts that are not written beside the constant are not looked at.
func lackedBy(t *testing.T, path string, text []byte, needed map[string][]string) (lacks []string) {
	t.Helper()
	if !bytes.Contains(text, []byte(`"workforce/internal/errs"`)) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var parts []ast.Expr
		none := false // no facts are given
		switch n := n.(type) {
		case *ast.CallExpr:
			parts = n.Args
			f, ok := n.Fun.(*ast.SelectorExpr)
			if ok && f.Sel.Name == "Limited" {
				return true // it has its facts from its wait
			}
		case *ast.CompositeLit:
			if name := fmt.Sprint(n.Type); name != "&{errs Error}" && name != "&{errs Fault}" {
				return true
			}
			none = true
			for _, e := range n.Elts {
				pair, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				switch fmt.Sprint(pair.Key) {
				case "Meta", "Faults":
					none = false
				}
				parts = append(parts, pair.Value)
			}
		}
		var names []string
		var given []string
		for _, p := range parts {
			switch p := p.(type) {
			case *ast.SelectorExpr:
				if fmt.Sprint(p.X) == "errs" && needed[p.Sel.Name] != nil {
					names = append(names, p.Sel.Name)
				}
			case *ast.Ident:
				none = none || p.Name == "nil"
			case *ast.CompositeLit:
				if fmt.Sprint(p.Type) == "&{errs Meta}" {
					none = true
					for _, e := range p.Elts {
						given = append(given, strings.Trim(e.(*ast.KeyValueExpr).Key.(*ast.BasicLit).Value, `"`))
					}
				}
			}
		}
		for _, name := range names {
			for _, f := range needed[name] {
				if none && !slices.Contains(given, f) {
					lacks = append(lacks, name+" "+f)
				}
			}
		}
		return true
	})
	return lacks
}

// TestFacts looks for errors whose text names a fact that they do not have: clients would read
// "<no value>".
func TestFacts(t *testing.T) {
	needed := neededFacts(t)
	if !slices.Equal(needed["RateLimited"], []string{"retryAfterSeconds"}) || !slices.Equal(needed["OutOfRange"], []string{"min", "max"}) {
		t.Fatalf("%v", needed)
	}
	walk(t, ".go", func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") || notServed.MatchString(path) {
			return
		}
		for _, lack := range lackedBy(t, path, text, needed) {
			t.Errorf("%s: %s", path, lack)
		}
	})
}

// TestLackedBy finds the facts that errors lack.
func TestLackedBy(t *testing.T) {
	needed := neededFacts(t)
	for body, want := range map[string]string{
		`return errs.New(errs.RateLimited, nil)`:                                             "[RateLimited retryAfterSeconds]",
		`return errs.New(errs.RateLimited, errs.Meta{"limit": 1})`:                           "[RateLimited retryAfterSeconds]",
		`return errs.New(errs.RateLimited, errs.Meta{"retryAfterSeconds": 1})`:               "[]",
		`return errs.New(errs.RateLimited, meta)`:                                            "[]",
		`return errs.Limited(time.Second, errs.Meta{"limit": 1})`:                            "[]",
		`return &errs.Error{Code: errs.RateLimited, Meta: errs.Meta{"limit": 1}}`:            "[RateLimited retryAfterSeconds]",
		`return &errs.Error{Code: errs.RateLimited}`:                                         "[RateLimited retryAfterSeconds]",
		`faults.Add("accuracy", errs.OutOfRange, errs.Meta{"min": 0})`:                       "[OutOfRange max]",
		`faults.Add("accuracy", errs.OutOfRange, errs.Meta{"min": 0, "max": 1})`:             "[]",
		`errs.Because("file", errs.TooMany, nil)`:                                            "[TooMany max]",
		`return errs.CodeOf(err) == errs.RateLimited || errs.Is(err, errs.RateLimited)`:      "[]",
		`return errs.Conflicts(errs.OnLeave, "employeeShiftId", errs.Meta{"leaveOn": date})`: "[]",
	} {
		text := "package x\nimport \"workforce/internal/errs\"\nfunc f() {\n" + body + "\n}"
		if got := fmt.Sprint(lackedBy(t, "x.go", []byte(text), needed)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
