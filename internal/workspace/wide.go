package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sharedFolders lists system folders whose contents have nothing in common.
var sharedFolders = []string{"/tmp", "/private/tmp", "/var", "/var/tmp", "/etc", "/opt", "/home", "/snap",
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32",
	"/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/include", "/usr/share", "/usr/src", "/usr/games", "/usr/local",
	"/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/include", "/usr/local/share", "/usr/local/src",
	"/mnt", "/media", "/boot", "/dev", "/proc", "/run", "/srv", "/sys", "/Users", "/Volumes",
	"/Applications", "/Library",
	"/System"}

// kernelFolders lists the folders that the kernel fills with its own state, such as the environment of each process.
var kernelFolders = []string{"/dev", "/proc", "/sys"}

// TooWide reports whether the absolute folder dir is too wide to index on
// demand, for a single request: the root of a disk, the user's home, a system
// folder, or anything in a folder that the kernel fills. A symbolic link is as
// wide as the folder that it leads to.
func TooWide(dir string) bool {
	home, _ := os.UserHomeDir()
	real, realHome := linked(dir), linked(home)
	wide := func(d string) bool {
		return d == filepath.Dir(d) || d == home || d == realHome || slices.Contains(sharedFolders, d)
	}
	kernel := func(top string) bool { return strings.HasPrefix(real, top+"/") }
	return wide(dir) || wide(real) || slices.ContainsFunc(kernelFolders, kernel)
}

// linked returns the folder that a path leads to, or path itself if there is
// none.
func linked(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}
