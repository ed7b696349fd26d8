package graphqlhttp

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// in returns the text in a language: id is Indonesian, anything else English.
func (r *developerError) in(language string) string {
	if language != "id" {
		return r.text
	}
	for _, t := range translations() {
		if t.english.MatchString(r.text) {
			return t.english.ReplaceAllString(r.text, t.indonesian)
		}
	}
	text, known := ruleTexts[r.rule]
	switch {
	case r.rule == "":
		return r.text
	case !known:
		text = "Dokumen tidak sesuai dengan skema."
	}
	if names := quotedNames.FindAllString(r.text, -1); names != nil {
		text = strings.TrimSuffix(text, ".") + ": " + strings.Join(names, ", ") + "."
	}
	return text
}

// quotedNames finds the names in a message of GraphQL's validation.
var quotedNames = regexp.MustCompile(`"[^"]*"`)

// syntaxRule stands for GraphQL's grammar among the rules of its validation.
const syntaxRule = "Syntax"

// A translation is a text and its Indonesian form, in which $1 and $2 stand for what
// the first and second % of the English one are.
type translation struct {
	english    *regexp.Regexp
	indonesian string
}

func translate(english, indonesian string) translation {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(english), "%", "(.+)")
	return translation{regexp.MustCompile("^" + pattern + "$"), indonesian}
}

// translations are those of every text that Refuse is called with, and of the limits. They are
// compiled when the first is needed.
var translations = sync.OnceValue(func() []translation {
	return append(translateLimits(),
		translate("The request is too large.", "Permintaan terlalu besar."),
		translate("The body could not be read.", "Isi permintaan tidak dapat dibaca."),
		translate("The body must begin with the parts operations and map.", "Isi permintaan harus diawali bagian operations dan map."),
		translate("The files could not be read.", "Berkas tidak dapat dibaca."),
		translate("An upload needs a header such as X-Req-Id or GraphQL-Preflight.", "Unggahan memerlukan header seperti X-Req-Id atau GraphQL-Preflight."),
		translate("An operation with files has one field.", "Operasi dengan berkas memiliki satu bidang."),
		translate("operations must be one JSON object.", "operations harus berupa satu objek JSON."),
		translate("map must be an object of lists of paths, for 10 files at most.", "map harus berupa objek dengan daftar lokasi, untuk paling banyak 10 berkas."),
		translate("map must name places such as variables.input.image, each once.", "map harus menyebut lokasi seperti variables.input.image, masing-masing satu kali."),
		translate("Each entry of map needs one file.", "Setiap entri map memerlukan satu berkas."),
		translate("The file is too large.", "Berkas terlalu besar."),
		translate("The body must be one JSON object.", "Isi permintaan harus berupa satu objek JSON."),
		translate("The query string could not be read.", "Parameter pada alamat tidak dapat dibaca."),
		translate("% must be given once.", "${1} hanya boleh disertakan satu kali."),
		translate("% must be an object or null.", "${1} harus berupa objek atau null."),
		translate("% must be a string.", "${1} harus berupa teks."),
		translate("% must be a string or null.", "${1} harus berupa teks atau null."),
		translate("A text has NUL, or half of a surrogate pair.", "Ada teks yang memuat NUL atau separuh pasangan surrogate."),
		translate("A GET needs a header such as X-Req-Id or GraphQL-Preflight.", "Permintaan GET memerlukan header seperti X-Req-Id atau GraphQL-Preflight."),
		translate("This kind of connection is not supported.", "Jenis koneksi ini tidak didukung."),
		translate("This is no handshake of a WebSocket of version 13.", "Ini bukan jabat tangan WebSocket versi 13."),
		translate("The answer is application/json or application/graphql-response+json.", "Jawaban hanya tersedia sebagai application/json atau application/graphql-response+json."),
		translate("A subscription needs a connection that stays open.", "Langganan memerlukan koneksi yang tetap terbuka."),
		translate("This connection takes subscriptions alone: send queries and mutations by POST.", "Koneksi ini hanya menerima langganan: kirim kueri dan mutasi dengan POST."),
		translate("A subscription has one field, without a condition.", "Langganan memiliki satu field, tanpa syarat."),
		translate("Pages of this origin may not listen.", "Halaman dari asal ini tidak boleh berlangganan."),
		translate("A socket has at most % subscriptions.", "Satu soket memuat paling banyak ${1} langganan."),
		translate("Events may have been missed: read what is shown anew, then listen again.", "Mungkin ada peristiwa yang terlewat: baca ulang yang ditampilkan, lalu berlangganan lagi."),
		translate("This mutation must be the only field of its operation.", "Mutasi ini harus menjadi satu-satunya field dalam operasinya."),
		translate("@defer is not supported.", "@defer tidak didukung."),
		translate("Introspection is not allowed.", "Introspeksi tidak diizinkan."),
		translate("The document does not fit the schema.", "Dokumen tidak sesuai dengan skema."),
		translate("The variables hold too many values, or are nested too deep.", "Variabel memuat terlalu banyak nilai atau bersarang terlalu dalam."),
		translate("no operation provided", "Tidak ada operasi dalam dokumen."),
		translate("persistedQuery has version 1 and a sha256Hash.", "persistedQuery memiliki version 1 dan sha256Hash."),
		translate("The hash is not the SHA-256 of the query.", "Hash bukan SHA-256 dari kueri."),
		translate("operation % not found", "Operasi ${1} tidak ditemukan."),
	)
})

// A limitText says in both languages what a limit counts, and how an operation gets
// below it.
type limitText struct{ en, id string }

// limitTexts are those of the limits, by name.
var limitTexts = map[string]limitText{
	"tokens": {"tokens (names, values, brackets and comments): it has at least %. Send fewer fields, and values as variables.",
		"tokens (nama, nilai, tanda kurung dan komentar): ada sedikitnya %. Kirim lebih sedikit field, dan nilai sebagai variabel."},
	"nesting": {"nesting (brackets inside each other): it has %. Nest fields, lists and filters less deep.",
		"nesting (tanda kurung di dalam tanda kurung): ada %. Kurangi tingkat field, daftar dan filter."},
	"depth": {"depth (fields inside each other): it has %. Select fields that are less deep, and ask for the others by id.",
		"depth (field di dalam field): ada %. Pilih field yang tidak terlalu dalam, dan minta sisanya dengan id."},
	"rootFields": {"rootFields (fields at the top of the operation): it has %. Spread them over several requests.",
		"rootFields (field teratas operasi): ada %. Bagi menjadi beberapa permintaan."},
	"fields": {"fields (all fields, with fragments in place): it has at least %. Select fewer, or spread them over several requests.",
		"fields (semua field, termasuk isi fragmen): ada sedikitnya %. Pilih lebih sedikit, atau bagi menjadi beberapa permintaan."},
	"conditions": {"conditions (of all filters): it has at least %. Filter by fewer, or by a list such as idIn.",
		"conditions (syarat semua filter): ada sedikitnya %. Kurangi syarat, atau pakai daftar seperti idIn."},
	"edges": {"edges (relations inside each other in a filter): it has at least %. Filter by relations that are less deep.",
		"edges (relasi di dalam relasi pada filter): ada sedikitnya %. Kurangi tingkat relasi pada filter."},
	"cost": {"cost (the objects that it may return, its filters and its passwords): it has at least %. Ask for shorter lists by first, last or limit, for fewer lists inside lists, or send passwords in several requests.",
		"cost (objek yang dapat dikembalikan, filternya, dan kata sandinya): ada sedikitnya %. Minta daftar yang lebih pendek dengan first, last atau limit, kurangi daftar di dalam daftar, atau kirim kata sandi dalam beberapa permintaan."},
	"answer": {"answer (bytes that it may return): it has at least %. Ask for shorter lists by first, last or limit, or select fewer fields.",
		"answer (byte yang dapat dikembalikan): ada sedikitnya %. Minta daftar yang lebih pendek dengan first, last atau limit, atau pilih lebih sedikit field."},
}

const (
	overEnglish    = "The operation exceeds the limit of % for "
	overIndonesian = "Operasi melampaui batas ${1} untuk "
)

// english returns the text for what has got where max is allowed.
func (t limitText) english(max, got int) string {
	text := strings.Replace(overEnglish+t.en, "%", strconv.Itoa(max), 1)
	return strings.Replace(text, "%", strconv.Itoa(got), 1)
}

func translateLimits() (all []translation) {
	for _, t := range limitTexts {
		all = append(all, translate(overEnglish+t.en, overIndonesian+strings.Replace(t.id, "%", "${2}", 1)))
	}
	return all
}

// ruleTexts are the messages of GraphQL's validation in Indonesian, by rule. The names
// that the English message quotes follow.
var ruleTexts = map[string]string{
	syntaxRule: "Dokumen GraphQL tidak dapat dibaca karena bentuknya salah.",

	"FieldsOnCorrectType":          "Field tidak ada pada tipe ini.",
	"FragmentsOnCompositeTypes":    "Fragmen hanya dapat dipakai pada objek.",
	"KnownArgumentNames":           "Argumen tidak dikenal.",
	"KnownDirectives":              "Direktif tidak dikenal atau tidak boleh dipakai di sini.",
	"KnownFragmentNames":           "Fragmen tidak dikenal.",
	"KnownRootType":                "Jenis operasi ini tidak tersedia.",
	"KnownTypeNames":               "Tipe tidak dikenal.",
	"LoneAnonymousOperation":       "Operasi tanpa nama harus menjadi satu-satunya operasi.",
	"MaxIntrospectionDepth":        "Introspeksi bersarang terlalu dalam.",
	"NoFragmentCycles":             "Fragmen tidak boleh memuat dirinya sendiri.",
	"NoUndefinedVariables":         "Variabel tidak dideklarasikan.",
	"NoUnusedFragments":            "Fragmen tidak dipakai.",
	"NoUnusedVariables":            "Variabel tidak dipakai.",
	"NumbersInRange":               "Angka di luar jangkauan.",
	"OverlappingFieldsCanBeMerged": "Field dengan nama jawaban yang sama berbeda isinya.",
	"PossibleFragmentSpreads":      "Fragmen tidak dapat dipakai pada tipe ini.",
	"ProvidedRequiredArguments":    "Argumen wajib belum diisi.",
	"ScalarLeafs":                  "Pilihan field kurang atau tidak boleh ada di sini.",
	"SingleFieldSubscriptions":     "Langganan hanya boleh memilih satu field.",
	"UniqueArgumentNames":          "Argumen disebut lebih dari sekali.",
	"UniqueDirectivesPerLocation":  "Direktif disebut lebih dari sekali.",
	"UniqueFragmentNames":          "Nama fragmen dipakai lebih dari sekali.",
	"UniqueInputFieldNames":        "Anggota masukan disebut lebih dari sekali.",
	"UniqueOperationNames":         "Nama operasi dipakai lebih dari sekali.",
	"UniqueVariableNames":          "Nama variabel dipakai lebih dari sekali.",
	"ValuesOfCorrectType":          "Nilai tidak sesuai dengan tipenya.",
	"VariablesAreInputTypes":       "Variabel harus bertipe masukan.",
	"VariablesInAllowedPosition":   "Variabel tidak sesuai dengan tipe tempatnya dipakai.",
}
