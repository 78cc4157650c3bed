package workspace

import (
	"os"
	"path/filepath"
	"slices"
)

// sharedFolders are system folders whose contents have nothing in common.
var sharedFolders = []string{"/tmp", "/private/tmp", "/var", "/var/tmp", "/usr", "/usr/local", "/usr/share",
	"/usr/lib", "/etc", "/opt", "/home",
	"/mnt", "/media", "/boot", "/dev", "/proc", "/run", "/srv", "/sys", "/Users", "/Volumes", "/Applications", "/Library",
	"/System"}

// TooWide reports whether the absolute folder dir is too wide to index on
// demand, for a single request: the root of a disk, the user's home, or a
// system folder.
func TooWide(dir string) bool {
	home, _ := os.UserHomeDir()
	return dir == filepath.Dir(dir) || dir == home || slices.Contains(sharedFolders, dir)
}
