package blob

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxFileName is how many characters a file's name has at most.
const maxFileName = 200

// FileName returns the name under which a file of a media type is kept and sent: without
// folders, without characters that show nothing or change the direction of others, and with an
// extension of the media type. Every name of a file that somebody else chose passes through it.
func FileName(name, mediaType string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.TrimSpace(norm.NFC.String(strings.Map(func(c rune) rune {
		if isHidden(c) {
			return -1
		}
		return c
	}, name)))
	base, extension := name, ""
	if k := kindByType(mediaType); k.Extension != "" {
		base, extension = k.split(name)
	}
	if strings.Trim(base, "./ \u200c\u200d") == "" {
		base = "file"
	}
	if r := []rune(base); len(r)+len(extension) > maxFileName {
		base = string(r[:maxFileName-len(extension)])
	}
	return base + extension
}

// isHidden reports whether a character shows nothing, breaks the line or changes the direction
// of others. The joiners of Arabic, of Indian scripts and of emoji stay.
func isHidden(c rune) bool {
	return c != '\u200c' && c != '\u200d' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// split splits a name into what stays of it and the extension of its kind, with the dot. An
// extension of another kind is left out.
func (k Kind) split(name string) (base, extension string) {
	end := path.Ext(name)
	if !k.has(end) && isExtension(end) {
		name = strings.TrimSuffix(name, end)
		end = path.Ext(name)
	}
	if k.has(end) {
		return strings.TrimSuffix(name, end), end
	}
	return name, "." + k.Extension
}

// has reports whether an extension, with its dot, is one of the kind.
func (k Kind) has(extension string) bool {
	plain, dot := strings.CutPrefix(strings.ToLower(extension), ".")
	return dot && (plain == k.Extension || slices.Contains(k.other, plain))
}

// isExtension reports whether the end of a name, with its dot, looks like an extension and not
// like a number or a sentence.
func isExtension(end string) bool {
	const longest = 1 + 5
	if len(end) < 2 || len(end) > longest {
		return false
	}
	letters := false
	for _, c := range end[1:] {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters = true
		case c < '0' || c > '9':
			return false
		}
	}
	return letters
}

// disposition returns the Content-Disposition of an object that is saved under a name, as RFC
// 6266 and RFC 8187 write it: for programs that read ASCII alone, and in UTF-8. Without a name
// it says only whether browsers show the object.
func (k Kind) disposition(saveAs string) string {
	kind := "attachment"
	if k.Inline {
		kind = "inline"
	}
	if saveAs == "" {
		return kind
	}
	saveAs = FileName(saveAs, k.MediaType)
	plain := strings.Map(func(c rune) rune {
		if c > '~' || strings.ContainsRune(`"\%`, c) {
			return '_'
		}
		return c
	}, saveAs)
	return kind + `; filename="` + plain + `"; filename*=UTF-8''` + escape(saveAs)
}

// escape writes text as RFC 8187 does, in UTF-8.
func escape(text string) string {
	const hex, unescaped = "0123456789ABCDEF", "!#$&+-.^_`|~"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte(unescaped, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
