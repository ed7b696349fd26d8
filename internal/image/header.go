package image

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"image/png"
)

// inspectJPEG reads the frame header and the orientation. Decoding a progressive
// picture keeps four bytes for each sample besides the sample.
func inspectJPEG(data []byte) (h header, ok bool) {
	h.orientation = 1
	converted := false // from another color space, into a copy
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
		case marker == 0xc0, marker == 0xc1, marker == 0xc2:
			return frame(h, segment, marker == 0xc2, converted)
		case marker == 0xda, marker == 0xd9: // no frame before the scan
			return h, false
		}
		at += 2 + size
	}
	return h, false
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
	h.memory = samples
	if progressive {
		h.memory += 4 * samples
	}
	if converted || segment[5] == 4 || segment[5] == 3 && string([]byte{segment[6], segment[9], segment[12]}) == "RGB" {
		h.memory += 4 * h.width * h.height
	}
	return h, true
}

// interlace is where a PNG says whether it is interlaced.
const interlace = 28

// maxChunks is how many chunks may come before the pixels of a PNG: each costs time.
const maxChunks = 1000

// inspectPNG reads the header, and looks for an animation or an orientation.
func inspectPNG(data []byte) (h header, ok bool) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return h, false
	}
	h = header{width: config.Width, height: config.Height, orientation: 1}
	h.memory = 4 * h.width * h.height
	if config.ColorModel == color.RGBA64Model || config.ColorModel == color.NRGBA64Model {
		h.memory *= 2
	}
	if data[interlace] == 1 {
		h.memory += h.memory / 2 // the last pass
	}
	for at, n := 8, 0; at+12 <= len(data); n++ {
		if n > maxChunks {
			return h, false
		}
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			break
		}
		switch string(data[at+4 : at+8]) {
		case "acTL":
			h.animated = true
		case "eXIf":
			h.orientation = orientation(data[at+8 : at+8+size])
		case "IDAT", "IEND":
			return h, true
		}
		at += 12 + size
	}
	return h, true
}

// inspectWebP reads the header of the frame, which must be as large as the canvas, and
// looks for an animation or an orientation.
func inspectWebP(data []byte) (h header, ok bool) {
	h.orientation = 1
	canvas := [2]int{}
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
			h.animated = chunk[0]&2 != 0
			canvas = [2]int{1 + uint24(chunk[4:]), 1 + uint24(chunk[7:])}
		case "ANIM", "ANMF":
			h.animated = true
		case "VP8 ":
			if ok || len(chunk) < 10 {
				return h, false
			}
			h.width, h.height = int(binary.LittleEndian.Uint16(chunk[6:])&0x3fff), int(binary.LittleEndian.Uint16(chunk[8:])&0x3fff)
			h.memory, ok = 3*h.width*h.height, true // with the transparency
		case "VP8L":
			if ok || len(chunk) < 5 {
				return h, false
			}
			bits := binary.LittleEndian.Uint32(chunk[1:])
			h.width, h.height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
			h.memory, ok = 8*h.width*h.height, true
		case "EXIF":
			h.orientation = orientation(bytes.TrimPrefix(chunk, []byte("Exif\x00\x00")))
		}
		at += 8 + size + size&1
	}
	if canvas != [2]int{} && canvas != [2]int{h.width, h.height} {
		return h, h.animated
	}
	return h, ok || h.animated
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
