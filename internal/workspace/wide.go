package workspace

import (
	"os"
	"path/filepath"
	"slices"
)

// sharedFolders are system folders whose contents have nothing in common.
var sharedFolders = []string{"/tmp", "/private/tmp", "/var", "/var/tmp", "/etc", "/opt", "/home", "/snap",
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32",
	"/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/include", "/usr/share", "/usr/src", "/usr/games", "/usr/local",
	"/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/include", "/usr/local/share", "/usr/local/src",
	"/mnt", "/media", "/boot", "/dev", "/proc", "/run", "/srv", "/sys", "/Users", "/Volumes",
	"/Applications", "/Library",
	"/System"}

// TooWide reports whether the absolute folder dir is too wide to index on
// demand, for a single request: the root of a disk, the user's home, or a
// system folder.
func TooWide(dir string) bool {
	home, _ := os.UserHomeDir()
	return dir == filepath.Dir(dir) || dir == home || slices.Contains(sharedFolders, dir)
}
