package server

import (
	"testing"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]ByteSize{
		"0": 0, "0MiB": 0, "1": 1, "64MiB": 64 << 20, "512KiB": 512 << 10, "1GiB": 1 << 30, "1536MiB": 1536 << 20,
		"1500": 1500, "8589934591GiB": 8589934591 << 30,
	} {
		var got, again ByteSize
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
		written, err := got.MarshalText()
		if err == nil {
			err = again.UnmarshalText(written)
		}
		if err != nil || again != want {
			t.Errorf("%q is written %q, which is %d, %v", text, written, again, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "-1MiB", "64MB", "64 MiB", "64mib", "1.5GiB", "8589934592GiB", "9223372036854775808", "64MiBKiB", "off"} {
		var got ByteSize
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}
