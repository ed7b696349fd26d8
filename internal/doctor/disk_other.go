//go:build !linux && !darwin

package doctor

import "errors"

// Free fails: on this system the space of a file system is not told.
func Free(string) (uint64, error) { return 0, errors.ErrUnsupported }
