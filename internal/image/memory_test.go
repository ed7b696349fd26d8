package image

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// plainPNG returns a PNG of zeros, which all are transparent or black.
func plainPNG(w, h int, depth, colorType byte, interlaced bool) []byte {
	bits := int(depth) * map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colorType]
	ihdr := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	ihdr = append(ihdr, depth, colorType, 0, 0, 0)
	passes := [][4]int{{0, 0, 1, 1}}
	if interlaced {
		ihdr[12] = 1
		passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	for _, p := range passes {
		row := make([]byte, 1+(bits*((w-p[0]+p[2]-1)/p[2])+7)/8)
		for range (h - p[1] + p[3] - 1) / p[3] {
			_, _ = z.Write(row) // to memory
		}
	}
	_ = z.Close()
	out := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", ihdr)...)
	if colorType == 3 {
		out = append(out, chunk("PLTE", []byte{1, 2, 3})...)
	}
	return append(append(out, chunk("IDAT", pixels.Bytes())...), chunk("IEND", nil)...)
}

// plainJPEG returns a JPEG whose blocks have no difference from the one before: of one or more
// components, the first of which has the factors luma.
func plainJPEG(w, h int, frame, luma byte, components int, adobe bool) []byte {
	b := []byte{0xff, 0xd8}
	if adobe {
		b = append(b, "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"...)
	}
	b = append(append(b, 0xff, 0xdb, 0, 67, 0), bytes.Repeat([]byte{1}, 64)...)
	for _, table := range []byte{0x00, 0x10} { // one code: no bits follow, or the end of the block
		b = append(append(append(b, 0xff, 0xc4, 0, 20, table, 1), make([]byte, 15)...), 0)
	}
	b = append(b, 0xff, frame, 0, byte(8+3*components), 8)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, uint16(h)), uint16(w))
	b = append(b, byte(components))
	scan := []byte{0xff, 0xda, 0, byte(6 + 2*components), byte(components)}
	blocks := 0
	for i := range components {
		factors := byte(0x11)
		if i == 0 || i == 3 {
			factors = luma
		}
		blocks += int(factors>>4) * int(factors&15)
		b = append(b, byte(i+1), factors, 0)
		scan = append(scan, byte(i+1), 0)
	}
	bits := 2
	end := byte(63)
	if frame == 0xc2 {
		bits, end = 1, 0
	}
	b = append(append(b, scan...), 0, end, 0)
	across, down := 8*int(luma>>4), 8*int(luma&15)
	units := (w + across - 1) / across * ((h + down - 1) / down)
	return append(append(b, make([]byte, (units*blocks*bits+7)/8)...), 0xff, 0xd9)
}

// plainWebP returns a WebP without loss, of one color.
func plainWebP(w, h int) []byte {
	data := []byte("\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")
	binary.LittleEndian.PutUint32(data[1:], uint32(w-1)|uint32(h-1)<<14|1<<28)
	return riff("VP8L\x0e\x00\x00\x00" + string(data))
}

// TestMain reads a picture in the place of the tests where the environment says so: in a process of
// its own, whose memory is measured.
func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv("WORKFORCE_PICTURE"); ok {
		if err := measure(name); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// measure reads a file, renders it twice, and prints how much memory the process had at most.
func measure(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	p, err := decode(context.Background(), "image", data)
	if err != nil {
		return err
	}
	for _, longest := range []int{Largest, Thumbnail} {
		if _, err := p.Render(longest); err != nil {
			return err
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Print(line)
		}
	}
	return err
}

// peak returns the memory of a process that reads a picture, in bytes.
func peak(t *testing.T, data []byte) int {
	t.Helper()
	file := t.TempDir() + "/picture"
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WORKFORCE_PICTURE="+file, "GOGC=200")
	out, err := cmd.CombinedOutput()
	var kilobytes int
	if _, scan := fmt.Sscanf(string(out), "VmHWM: %d kB", &kilobytes); err != nil || scan != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return kilobytes << 10
}

// TestMemory refuses by the header what would take more memory than a picture may, and takes what
// phones make.
func TestMemory(t *testing.T) {
	const none = 1 << 10 // bytes of a header, without pixels
	for _, tt := range []struct {
		name string
		data []byte
		want bool
	}{
		{"12 megapixels, progressive 4:4:4", plainJPEG(4032, 3024, 0xc2, 0x11, 3, false)[:none], true},
		{"17 megapixels, progressive 4:4:4", plainJPEG(4761, 3571, 0xc2, 0x11, 3, false)[:none], false},
		{"24 megapixels, progressive 4:2:0", plainJPEG(5712, 4284, 0xc2, 0x22, 3, false)[:none], true},
		{"40 megapixels, progressive 4:2:0", plainJPEG(7302, 5477, 0xc2, 0x22, 3, false)[:none], false},
		{"40 megapixels, baseline 4:2:0", plainJPEG(7302, 5477, 0xc0, 0x22, 3, false)[:none], true},
		{"40 megapixels, baseline 4:4:4", plainJPEG(7302, 5477, 0xc0, 0x11, 3, false)[:none], true},
		{"26 megapixels of ink", plainJPEG(6250, 4160, 0xc0, 0x11, 4, true)[:none], false},
		{"24 megapixels of ink", plainJPEG(6000, 4000, 0xc0, 0x11, 4, true)[:none], true},
		{"40 megapixels, RGBA", sized(plainPNG(1, 1, 8, 6, false), 8000, 5000, 8, 6), true},
		{"40 megapixels, RGBA interlaced", sized(plainPNG(1, 1, 8, 6, true), 8000, 5000, 8, 6), false},
		{"24 megapixels, RGBA interlaced", sized(plainPNG(1, 1, 8, 6, true), 6000, 4000, 8, 6), true},
		{"40 megapixels, gray interlaced", sized(plainPNG(1, 1, 8, 0, true), 8000, 5000, 8, 0), true},
		{"24 megapixels of 16 bits", sized(plainPNG(1, 1, 16, 6, false), 6000, 4000, 16, 6), false},
		{"40 megapixels, WebP without loss", plainWebP(8000, 5000), false},
		{"24 megapixels, WebP without loss", plainWebP(6000, 4000), true},
		{"40 megapixels, WebP with loss", lossyWebP(8000, 5000, ""), true},
		{"40 megapixels, WebP with transparency", lossyWebP(8000, 5000, "ALPH\x02\x00\x00\x00\x01\x00"), false},
	} {
		h, ok := formatOf(tt.data).inspect(tt.data)
		if fits := h.memory(len(tt.data)) <= MaxMemory; !ok || fits != tt.want {
			t.Errorf("%s: %v, %d MiB, want fits %v", tt.name, ok, h.memory(len(tt.data))>>20, tt.want)
		}
	}
}

// lossyWebP returns the chunks of a WebP with loss up to its frame's header.
func lossyWebP(w, h int, before string) []byte {
	frame := binary.LittleEndian.AppendUint16([]byte("\x30\x01\x00\x9d\x01\x2a"), uint16(w))
	frame = binary.LittleEndian.AppendUint16(frame, uint16(h))
	return riff(extended(0x10, w, h), before, "VP8 \x0a\x00\x00\x00"+string(frame))
}

// TestPeak measures the memory of a process that reads pictures near the limit.
func TestPeak(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"progressive": plainJPEG(4032, 3024, 0xc2, 0x11, 3, false),
		"interlaced":  plainPNG(6000, 4000, 8, 6, true),
	} {
		if got := peak(t, data); got > 240e6 {
			t.Errorf("%s: %d MB", name, got/1e6)
		}
	}
}
