package graphqlhttp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/validator/rules"
)

// TestEveryTextIsTranslated finds the calls of Refuse in the module, and holds their
// texts and the rules of validation to translations.
func TestEveryTextIsTranslated(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}", "../executor", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for file := range strings.FieldsSeq(string(out)) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			switch name := nameOf(call.Fun); name {
			case "Refuse", "malformed":
				if text := literal(call.Args[len(call.Args)-1]); text != "" {
					found++
					checkTranslated(t, file, text)
				}
			}
			return true
		})
	}
	if found < 15 {
		t.Errorf("found %d texts", found)
	}
	for name := range rules.NewDefaultRules().GetInner() {
		if ruleTexts[strings.TrimSuffix(name, "WithoutSuggestions")] == "" {
			t.Errorf("the rule %s has no text", name)
		}
	}
}

// checkTranslated wants an Indonesian text that says what the English one does not.
func checkTranslated(t *testing.T, file, text string) {
	t.Helper()
	got := (&developerError{text: text}).in("id")
	if got == text {
		t.Errorf("%s: %q is not translated: %q", file, text, got)
	}
}

func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// literal returns a text with x for what is not known; "" for a variable.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return max(literal(e.X), "x") + literal(e.Y)
	case *ast.CallExpr:
		if nameOf(e.Fun) == "Sprintf" {
			return strings.NewReplacer("%d", "x", "%s", "x").Replace(literal(e.Args[0]))
		}
	}
	return ""
}

func TestTexts(t *testing.T) {
	for _, tt := range []struct {
		err  developerError
		want string
	}{
		{developerError{text: "query must be a string."}, "query harus berupa teks."},
		{developerError{text: "operationName must be a string or null."}, "operationName harus berupa teks atau null."},
		{developerError{text: limitTexts["depth"].english(15, 17)},
			"Operasi melampaui batas 15 untuk depth (field di dalam field): ada 17. Pilih field yang tidak terlalu dalam, dan minta sisanya dengan id."},
		{developerError{text: `Cannot query field "x" on type "User".`, rule: "FieldsOnCorrectType"}, `Field tidak ada pada tipe ini: "x", "User".`},
		{developerError{text: "Unexpected Name", rule: syntaxRule}, "Dokumen GraphQL tidak dapat dibaca karena bentuknya salah."},
		{developerError{text: "Odd.", rule: "NewRule"}, "Dokumen tidak sesuai dengan skema."},
	} {
		if got := tt.err.in("id"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.err.text, got, tt.want)
		}
		if got := tt.err.in("en"); got != tt.err.text {
			t.Errorf("in English: %q", got)
		}
	}
}
