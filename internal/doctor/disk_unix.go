//go:build linux || darwin

package doctor

import "syscall"

// Free returns how many bytes of the file system of a path an account that is not root may use.
func Free(path string) (uint64, error) {
	var of syscall.Statfs_t
	if err := syscall.Statfs(path, &of); err != nil {
		return 0, err
	}
	return of.Bavail * uint64(of.Bsize), nil
}
