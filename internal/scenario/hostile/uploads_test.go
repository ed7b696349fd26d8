package hostile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// pngOf returns a gray PNG of a size whose pixels are compressed zeros; pixels that are
// missing make it end too early. Chunks come before the pixels.
func pngOf(width, height, pixels int, chunks ...string) string {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(name, data string) {
		text := name + data
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data))) // to memory
		b.WriteString(text)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE([]byte(text)))
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	chunk("IHDR", string(size)+"\x08\x00\x00\x00\x00")
	for _, text := range chunks {
		chunk(text[:4], text[4:])
	}
	chunk("IDAT", deflated(pixels))
	chunk("IEND", "")
	return b.String()
}

// deflated returns so many zeros, compressed.
func deflated(n int) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(make([]byte, n)) // to memory
	_ = z.Close()
	return b.String()
}

// uploads are pictures that cost more than they show, and multipart bodies that do.
func uploads() (out []hostile) {
	const operations = `{"query":"mutation($input:SetAvatarInput!){setAvatar(input:$input){id}}","variables":{"input":{"image":null}}}`
	field := func(name, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n"
	}
	file := func(name, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"../../../etc/passwd\"\r\n\r\n" + text + "\r\n"
	}
	request := func(parts ...string) string {
		return sent("POST", "/graphql", strings.Join(parts, "")+"--b--\r\n", "Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1")
	}
	begin := field("operations", operations) + field("map", `{"0":["variables.input.image"]}`)
	picture := func(text string) string { return request(begin, file("0", text)) }
	const small = 9 * 8
	progressive := "\xff\xd8\xff\xc2\x00\x11\x08\x12\xc0\x12\xc0\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00" + strings.Repeat("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00\x00", 90_000)
	for name, text := range map[string]string{
		"50,000 by 50,000 pixels":  picture(pngOf(50_000, 50_000, small)),
		"a very wide picture":      picture(pngOf(1<<31-1, 1, small)),
		"40 megapixels of zeros":   picture(pngOf(8_000, 5_000, 8_001*5_000)),
		"40 missing megapixels":    picture(pngOf(8_000, 5_000, small)),
		"more pixels than said":    picture(pngOf(8, 8, 50<<20)),
		"a compressed text":        picture(pngOf(8, 8, small, "zTXta\x00\x00"+deflated(100<<20), "iCCPa\x00\x00"+deflated(100<<20))),
		"10,000 frames":            picture(pngOf(8, 8, small, "acTL\x00\x00\x27\x10\x00\x00\x00\x00")),
		"many chunks":              picture(pngOf(8, 8, small, strings.Split(strings.Repeat("tEXt,", 500_000)+"tEXt", ",")...)),
		"a progressive picture":    picture(progressive),
		"a WebP of 268 megapixels": picture("RIFF\x16\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f\xff\xff\xff\x0f\x00"),
		"a page":                   picture(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"an archive":               picture("PK\x03\x04" + strings.Repeat("\x00", 5<<20)),
		"a picture and an archive": picture(pngOf(8, 8, small) + "PK\x03\x04" + strings.Repeat("a", 5<<20)),
		"a name with NUL":          strings.Replace(picture(pngOf(8, 8, small)), "passwd", "\x00", 1),
		"11 MiB":                   picture(strings.Repeat("a", 11<<20)),
		"ten files":                request(append([]string{begin}, numberedFiles(file)...)...),
		"deep operations":          request(field("operations", strings.Repeat("[", 200_000)), field("map", "{}")),
		"a deep map":               request(field("operations", operations), field("map", strings.Repeat(`{"0":`, 50_000))),
		"a map of many places":     request(field("operations", operations), field("map", `{"0":["variables.input.image`+strings.Repeat(`","variables.input.image`, 8_000)+`"]}`)),
		"a map of a deep place":    request(field("operations", operations), field("map", `{"0":["variables`+strings.Repeat(".input", 30_000)+`"]}`), file("0", "a")),
		"a map of prototypes":      request(field("operations", operations), field("map", `{"0":["variables.__proto__.image"]}`), file("0", "a")),
		"a batch":                  request(field("operations", "["+operations+"]"), field("map", `{"0":["0.variables.input.image"]}`), file("0", "a")),
		"a file without an end":    strings.TrimSuffix(picture(strings.Repeat("a", 1<<20)), "\r\n--b--\r\n"),
	} {
		out = append(out, twice("upload: "+name, text)...)
	}
	return out
}

// numberedFiles returns ten files of 1 MiB that no place needs.
func numberedFiles(file func(name, text string) string) (list []string) {
	for i := range 10 {
		list = append(list, file(fmt.Sprint(i), strings.Repeat("a", 1<<20)))
	}
	return list
}
