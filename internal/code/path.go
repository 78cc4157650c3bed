package code

import "strings"

// Paths of files and directories are relative to their root and '/'-separated; ""
// is the root itself.

// Dir returns the directory that contains path, "" for the root's own entries
// and for the root.
func Dir(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// Base returns the last step of path.
func Base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// Join returns the path of name in dir. Unlike path.Join it cleans nothing.
func Join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// Within reports whether path is dir or below it.
func Within(path, dir string) bool {
	return dir == "" || strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}
