package pdf

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// The embedded fonts, DejaVu Sans, have Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew,
// Arabic, Lao and signs. font/LICENSE has their licence.
var (
	//go:embed font/DejaVuSans.ttf
	regular []byte
	//go:embed font/DejaVuSans-Bold.ttf
	bold []byte
)

// A typeface is a font of a file. Its methods are safe for concurrent use.
type typeface struct {
	*font.Font
	name   string // letters, digits and hyphens
	aspect font.Aspect
}

// Fonts are the typefaces of reports: text is set in the first that has its characters.
// They are safe for concurrent use.
type Fonts struct{ plain, strong []*typeface }

// builtIn reads the embedded fonts when they are first needed.
var builtIn = sync.OnceValues(func() (*Fonts, error) {
	plain, err := parse(regular)
	if err != nil {
		return nil, err
	}
	strong, err := parse(bold)
	if err != nil {
		return nil, err
	}
	return &Fonts{plain: append(plain, strong...), strong: append(strong, plain...)}, nil
})

// Open adds the font files of a folder, TrueType or OpenType and collections of these, to the
// embedded fonts. Folders in it and names that begin with a dot are passed over. The error
// names a file that is no font with outlines.
func Open(folder string) (*Fonts, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	own, err := builtIn()
	if err != nil {
		return nil, err
	}
	var plain, strong, slanted []*typeface
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path) // follows links
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			continue
		}
		faces, err := readFile(path, info)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, f := range faces {
			switch {
			case f.aspect.Style == font.StyleItalic:
				slanted = append(slanted, f)
			case f.aspect.Weight >= font.WeightSemibold:
				strong = append(strong, f)
			default:
				plain = append(plain, f)
			}
		}
	}
	if len(plain)+len(strong)+len(slanted) == 0 {
		return nil, fmt.Errorf("%s has no font file", folder)
	}
	return &Fonts{
		plain:  slices.Concat(own.plain, plain, strong, slanted),
		strong: slices.Concat(own.strong, strong, plain, slanted),
	}, nil
}

func readFile(path string, info os.FileInfo) ([]*typeface, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is no file")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// parse reads the fonts of a file. Of a collection it leaves out those whose characters the
// ones before them have, which no text would be set in.
func parse(data []byte) (faces []*typeface, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser trusts some offsets
			faces, err = nil, fmt.Errorf("this font is damaged: %v", p)
		}
	}()
	loaders, err := opentype.NewLoaders(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("this is no TrueType or OpenType font: %w", err)
	}
	for _, l := range loaders {
		parsed, err := font.NewFont(l)
		if err != nil {
			return nil, fmt.Errorf("this font is damaged: %w", err)
		}
		about, _ := font.Describe(l, nil)
		f := &typeface{Font: parsed, name: plainName(about.Family), aspect: about.Aspect}
		if !f.drawn() {
			return nil, errors.New("this font has no outlines, pictures alone perhaps, and cannot be used")
		}
		if f.adds(faces) {
			faces = append(faces, f)
		}
	}
	return faces, nil
}

// adds reports whether the font has a character that none of some others has.
func (f *typeface) adds(others []*typeface) bool {
	for chars := f.Cmap.Iter(); chars.Next(); {
		c, _ := chars.Char()
		has := func(other *typeface) bool { _, ok := other.NominalGlyph(c); return ok }
		if !slices.ContainsFunc(others, has) {
			return true
		}
	}
	return false
}

// plainName returns a name that needs no quoting in a PDF.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII || c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return c
	}, name)
}

// drawn reports whether any of the font's characters has an outline.
func (f *typeface) drawn() bool {
	face := font.NewFace(f.Font)
	for chars := f.Cmap.Iter(); chars.Next(); {
		if _, glyph := chars.Char(); len(outline(face, glyph)) > 0 {
			return true
		}
	}
	return false
}

// outline returns the outline of a glyph in units of the font; nil for none.
func outline(face *font.Face, glyph font.GID) []opentype.Segment {
	drawing, ok := face.GlyphDataOutline(glyph)
	if !ok {
		return nil
	}
	return drawing.Segments
}

// has reports whether the font draws a character, or leaves it blank as it should be.
func has(face *font.Face, c rune) bool {
	glyph, ok := face.NominalGlyph(c)
	return ok && glyph != 0 && (!unicode.IsGraphic(c) || unicode.IsSpace(c) || len(outline(face, glyph)) > 0)
}
