package files

import (
	"archive/zip"
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"workforce/internal/image"
)

// A fileType is a kind of document that a company may allow, by its setting attachmentTypes.
type fileType struct {
	name      string // of the setting
	mediaType string
}

const archive = "application/zip"

// Where a document has macros: a file of Office's programs, and folders of its sheets that are
// macros and of OpenDocument's scripts; in small letters.
const macroProgram = "vbaproject.bin"

var macroFolders = []string{"xl/macrosheets/", "basic/", "scripts/"}

// types are the documents that have a signature.
var types = []fileType{
	{"pdf", "application/pdf"},
	{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
	{"odt", "application/vnd.oasis.opendocument.text"},
	{"ods", "application/vnd.oasis.opendocument.spreadsheet"},
	{"odp", "application/vnd.oasis.opendocument.presentation"},
	{"zip", archive},
	{"heic", "image/heic"},
	{"heic", "image/heif"},
}

// texts are the documents that have none: their names say which they are.
var texts = map[string]*fileType{
	".csv": {"csv", "text/csv"},
	".txt": {"txt", "text/plain"},
	"":     {"txt", "text/plain"},
}

// plainText are the media types of content that may be text. Pages, drawings and scripts have
// others, whatever their names say.
var plainText = []string{
	"text/plain", "text/csv", "text/tab-separated-values", "application/json", "application/x-ndjson", "message/rfc822",
}

// typeOf returns the type of a document by its content, of text by its name too; nil for any other,
// such as a document with macros. Of an archive the list of its files alone is read.
func typeOf(data []byte, name string) *fileType {
	found := mimetype.Detect(data)
	for i, t := range types {
		if found.Is(t.mediaType) || found.Is(t.mediaType+"-sequence") {
			if t.mediaType != archive && hasMacros(data) {
				return nil
			}
			return &types[i]
		}
	}
	if len(data) == 0 || !slices.ContainsFunc(plainText, found.Is) || !isText(data) {
		return nil
	}
	return texts[strings.ToLower(path.Ext(name))]
}

// hasMacros reports whether a document that is an archive has macros.
func hasMacros(data []byte) bool {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.File, func(f *zip.File) bool {
		name := strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))
		return strings.HasSuffix(name, macroProgram) ||
			slices.ContainsFunc(macroFolders, func(folder string) bool { return strings.HasPrefix(name, folder) })
	})
}

// isText reports whether all of a file may be text: only UTF-16 has bytes that are zero.
func isText(data []byte) bool {
	return !bytes.Contains(data, []byte{0}) ||
		bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
}

// mediaTypes returns the media types of what is attached where types of these names are allowed.
func mediaTypes(names []string) []string {
	list := image.MediaTypes()
	for _, t := range append(slices.Clone(types), *texts[".csv"], *texts[".txt"]) {
		if slices.Contains(names, t.name) {
			list = append(list, t.mediaType)
		}
	}
	return list
}
