package code

import (
	"strconv"
	"strings"
)

// This file handles paths of files and directories. They are relative to their root and
// '/'-separated; "" is the root itself.

// Dir returns the directory that contains path, "" for the root's own entries
// and for the root.
func Dir(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// Base returns the last element of path.
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

// QuotePath returns path as answers show it. If the path has characters that a reader could take
// for the text around it, such as line breaks, escape sequences and changes of direction, it
// returns a Go string with quotes, "a\nb.go". Otherwise it returns the path as it is.
func QuotePath(path string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if strings.IndexFunc(path, hidden) < 0 && UnquotePath(path) == path {
		return path
	}
	return strconv.Quote(path)
}

// UnquotePath undoes QuotePath: it replaces each quoted path in text by the path on disk. A quoted
// path is the whole text, an element of a longer path (src/"a\nb.go"), or followed by line numbers
// ("a\nb.go":12). Quotes that escape nothing are part of a name.
func UnquotePath(text string) string {
	var out strings.Builder
	for rest := text; rest != ""; {
		quoted, err := strconv.QuotedPrefix(rest)
		behind := rest[len(quoted):]
		if err != nil || rest[0] != '"' || !strings.Contains(quoted, `\`) ||
			behind != "" && behind[0] != '/' && behind[0] != ':' {
			quoted = ""
		}
		name, _ := strconv.Unquote(quoted) // name is "" if the text is no Go string
		out.WriteString(name)
		rest = rest[len(quoted):]
		step := strings.IndexByte(rest, '/') + 1
		if step == 0 {
			step = len(rest)
		}
		out.WriteString(rest[:step])
		rest = rest[step:]
	}
	return out.String()
}
