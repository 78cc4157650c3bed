package workspace

import (
	"os"
	"path/filepath"
	"slices"
)

// sharedFolders hold what belongs together only because a system keeps it there.
var sharedFolders = []string{"/tmp", "/private/tmp", "/var", "/var/tmp", "/usr", "/usr/local", "/usr/share", "/usr/lib", "/etc", "/opt", "/home",
	"/mnt", "/media", "/boot", "/dev", "/proc", "/run", "/srv", "/sys", "/Users", "/Volumes", "/Applications", "/Library", "/System"}

// TooWide reports whether an absolute folder is hardly meant to be indexed for
// the sake of one question: the root of a disk, the user's home, a folder of the
// system's.
func TooWide(dir string) bool {
	home, _ := os.UserHomeDir()
	return dir == filepath.Dir(dir) || dir == home || slices.Contains(sharedFolders, dir)
}
