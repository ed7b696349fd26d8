package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A ByteSize is a number of bytes, in settings as 64MiB.
type ByteSize int64

// byteUnits are those of a ByteSize, the largest first.
var byteUnits = []struct {
	name string
	size ByteSize
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

// UnmarshalText reads 64MiB, 512KiB, 1GiB, 1048576 or 0.
func (b *ByteSize) UnmarshalText(text []byte) error {
	for _, unit := range byteUnits {
		digits, ok := strings.CutSuffix(string(text), unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || n > uint64(math.MaxInt64/unit.size) {
			break
		}
		*b = ByteSize(n) * unit.size
		return nil
	}
	return fmt.Errorf("%q must be a whole number of bytes, KiB, MiB or GiB, such as 64MiB or 0", text)
}

// MarshalText writes the size in the largest unit that divides it.
func (b ByteSize) MarshalText() ([]byte, error) {
	for _, unit := range byteUnits {
		if b%unit.size == 0 && b >= unit.size {
			return fmt.Appendf(nil, "%d%s", int64(b/unit.size), unit.name), nil
		}
	}
	return []byte("0"), nil
}
