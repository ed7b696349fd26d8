package image

import (
	"bytes"
	"encoding/binary"
	"image/png"

	"workforce/internal/errs"
)

// inspectJPEG reads the frame header, the orientation and the color profile. Decoding a
// progressive picture keeps four bytes for each sample besides the sample.
func inspectJPEG(data []byte) (h header, ok bool) {
	h.orientation = 1
	converted := false // from another color space, into a copy
	parts := map[byte][]byte{}
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker := data[at+1]
		if marker == 0xff { // a fill byte
			at++
			continue
		}
		if marker == 0xd8 || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 { // without a length
			at += 2
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 || at+2+size > len(data) {
			return h, false
		}
		segment := data[at+4 : at+2+size]
		switch {
		case marker == 0xe1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")):
			h.orientation = orientation(segment[6:])
		case marker == 0xee && bytes.HasPrefix(segment, []byte("Adobe")):
			converted = len(segment) > 11 && segment[11] == 0
		case marker == 0xe2 && len(segment) > 14 && bytes.HasPrefix(segment, []byte("ICC_PROFILE\x00")):
			parts[segment[12]] = segment[14:]
		case marker == 0xc0, marker == 0xc1, marker == 0xc2:
			h, ok = frame(h, segment, marker == 0xc2, converted)
			if ok && len(parts) > 0 && segment[5] != 4 { // profiles of inks are not read
				h.profile = func() *profile { return icc(joined(parts), segment[5] == 1) }
			}
			return h, ok
		case marker >= 0xc3 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			h.refused = errs.Coding
			return h, true
		case marker == 0xda, marker == 0xd9: // no frame before the scan
			return h, false
		}
		at += 2 + size
	}
	return h, false
}

// joined joins the parts of a profile, which are numbered from 1.
func joined(parts map[byte][]byte) (data []byte) {
	for n := range len(parts) {
		data = append(data, parts[byte(n+1)]...)
	}
	return data
}

// frame reads the segment of a frame header.
func frame(h header, segment []byte, progressive, converted bool) (header, bool) {
	if len(segment) < 6 || len(segment) < 6+3*int(segment[5]) {
		return h, false
	}
	h.height, h.width = int(binary.BigEndian.Uint16(segment[1:])), int(binary.BigEndian.Uint16(segment[3:]))
	sum, most := 0, 1 // samples of a unit, and pixels
	for i := range int(segment[5]) {
		factors := segment[7+3*i]
		n := int(factors>>4) * int(factors&15)
		sum, most = sum+n, max(most, n)
	}
	samples := h.width * h.height * sum / most
	h.decoding, h.decoded = samples, samples
	if progressive {
		h.decoding += 4 * samples
	}
	if converted || segment[5] == 4 || segment[5] == 3 && string([]byte{segment[6], segment[9], segment[12]}) == "RGB" {
		h.decoded = 4 * h.width * h.height
		h.decoding += h.decoded
	}
	return h, true
}

// Where a PNG says how many bits a sample has, which samples, and whether it is interlaced.
const (
	depthAt     = 24
	colorTypeAt = 25
	interlaceAt = 28
)

// maxChunks is how many chunks may come before the pixels of a PNG: each costs time.
const maxChunks = 1000

// inspectPNG reads the header and the chunks before the pixels: colors, transparency, an
// animation, the orientation.
func inspectPNG(data []byte) (h header, ok bool) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return h, false
	}
	h = header{width: config.Width, height: config.Height, orientation: 1}
	chunks := map[string][]byte{}
	for at, n := 8, 0; at+12 <= len(data); n++ {
		if n > maxChunks {
			return h, false
		}
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			break
		}
		name := string(data[at+4 : at+8])
		if name == "IDAT" || name == "IEND" {
			break
		}
		switch name {
		case "acTL", "cHRM", "cICP", "eXIf", "gAMA", "iCCP", "sRGB", "tRNS":
			chunks[name] = data[at+8 : at+8+size]
		}
		at += 12 + size
	}
	if _, ok := chunks["acTL"]; ok {
		h.refused = errs.Moving
	}
	h.orientation = orientation(chunks["eXIf"])
	h.profile = func() *profile { return pngProfile(chunks, data[colorTypeAt]&2 == 0) }
	_, transparent := chunks["tRNS"]
	h.decoded = pixelBytes(data[depthAt], data[colorTypeAt], transparent) * h.width * h.height
	h.decoding = h.decoded
	if data[interlaceAt] == 1 {
		h.decoding *= 2 // each pass is a picture of its own
	}
	return h, true
}

// pixelBytes returns how many bytes a pixel of a PNG takes, decoded.
func pixelBytes(depth, colorType byte, transparent bool) int {
	n := 4
	switch {
	case colorType == 3: // of a palette
		return 1
	case colorType == 0 && !transparent:
		n = 1
	}
	if depth == 16 {
		n *= 2
	}
	return n
}

// pngProfile returns the profile of a PNG by the first of its chunks that says one.
func pngProfile(chunks map[string][]byte, gray bool) *profile {
	if code, ok := chunks["cICP"]; ok {
		return coded(code)
	}
	if compressed, ok := chunks["iCCP"]; ok {
		return icc(inflated(compressed), gray)
	}
	if _, ok := chunks["sRGB"]; ok || len(chunks["gAMA"]) != 4 {
		return nil
	}
	return gammaProfile(binary.BigEndian.Uint32(chunks["gAMA"]), chunks["cHRM"])
}

// inspectWebP reads the header of the frame, which must be as large as the canvas, and
// looks for an animation, the orientation and the color profile.
func inspectWebP(data []byte) (h header, ok bool) {
	h.orientation = 1
	canvas, alpha := [2]int{}, 0
	for at := 12; at+8 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		if size > len(data)-at-8 {
			return h, false
		}
		chunk := data[at+8 : at+8+size]
		switch string(data[at : at+4]) {
		case "VP8X":
			if len(chunk) < 10 {
				return h, false
			}
			if chunk[0]&2 != 0 {
				h.refused = errs.Moving
			}
			canvas = [2]int{1 + uint24(chunk[4:]), 1 + uint24(chunk[7:])}
		case "ANIM", "ANMF":
			h.refused = errs.Moving
		case "VP8 ":
			if ok || len(chunk) < 10 {
				return h, false
			}
			h.width = int(binary.LittleEndian.Uint16(chunk[6:]) & 0x3fff)
			h.height = int(binary.LittleEndian.Uint16(chunk[8:]) & 0x3fff)
			h.decoding, ok = (2+alpha)*h.width*h.height, true
			h.decoded = h.decoding
		case "VP8L":
			if ok || len(chunk) < 5 {
				return h, false
			}
			bits := binary.LittleEndian.Uint32(chunk[1:])
			h.width, h.height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
			h.decoding, h.decoded, ok = 8*h.width*h.height, 4*h.width*h.height, true
		case "ALPH":
			alpha = 9 // decoded as a picture of colors, and again as the transparency
		case "ICCP":
			h.profile = func() *profile { return icc(chunk, false) }
		case "EXIF":
			h.orientation = orientation(bytes.TrimPrefix(chunk, []byte("Exif\x00\x00")))
		}
		at += 8 + size + size&1
	}
	if canvas != [2]int{} && canvas != [2]int{h.width, h.height} {
		return h, h.refused != ""
	}
	return h, ok || h.refused != ""
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// orientation returns the orientation of Exif data, 1 where it says none.
func orientation(exif []byte) int {
	const tag, short = 0x0112, 3
	var order binary.ByteOrder = binary.BigEndian
	if bytes.HasPrefix(exif, []byte("II")) {
		order = binary.LittleEndian
	} else if !bytes.HasPrefix(exif, []byte("MM")) {
		return 1
	}
	if len(exif) < 8 {
		return 1
	}
	at := uint64(order.Uint32(exif[4:]))
	if at+2 > uint64(len(exif)) {
		return 1
	}
	entries := exif[at+2:]
	for range order.Uint16(exif[at:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if n := int(order.Uint16(entries[8:])); n >= 1 && n <= 8 {
				return n
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
