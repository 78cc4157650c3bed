package workspace

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// gitDir says where a repository stores its data: dir contains HEAD and the index of this work
// tree, and common the data that all its work trees share.
type gitDir struct{ dir, common string }

// infoExclude returns the path of the repository's info/exclude.
func (g gitDir) infoExclude() string { return filepath.Join(g.common, "info", "exclude") }

// maxPointerBytes bounds a .git file, commondir and HEAD, which hold one path
// each.
const maxPointerBytes = 8192

// gitDirOf returns the repository whose work tree has its top at abs. It
// reports false if there is no .git, or if it leads to no repository.
func gitDirOf(abs string) (gitDir, bool) {
	dir, ok := gitDataOf(abs)
	if !ok {
		return gitDir{}, false
	}
	g := gitDir{dir: dir}
	if st, err := os.Lstat(filepath.Join(g.dir, "HEAD")); err != nil || st.IsDir() {
		return gitDir{}, false
	}
	g.common = g.dir
	if text, err := readSmall(filepath.Join(g.dir, "commondir")); err == nil {
		to := string(bytes.TrimRight(text, "\r\n"))
		if !filepath.IsAbs(to) {
			to = filepath.Join(g.dir, to)
		}
		g.common = to
	}
	return g, true
}

// gitDataOf returns the path of the repository data, which need not exist: the
// .git directory in abs, or the target of the .git file. It reports false if
// there is neither.
func gitDataOf(abs string) (dir string, ok bool) {
	dot := filepath.Join(abs, ".git")
	st, err := os.Lstat(dot)
	if err != nil || st.IsDir() {
		return dot, err == nil
	}
	text, err := readSmall(dot)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(string(bytes.TrimRight(text, "\r\n")), "gitdir: ")
	if ok && !filepath.IsAbs(to) {
		to = filepath.Join(abs, to)
	}
	return to, ok
}

// readSmall reads a small regular file of git.
func readSmall(abs string) ([]byte, error) {
	f, err := openOutside(abs)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	key, err := fileKey(f)
	if err != nil {
		return nil, err
	}
	if !regular(key) {
		return nil, ErrNotRegular
	}
	return io.ReadAll(io.LimitReader(f, maxPointerBytes))
}

// globalExcludes returns the path of the user's excludes file:
// core.excludesFile of the user's configuration, else git/ignore, or "" without
// a configHome. It does not read a repository's configuration, which is not
// under the user's control.
func globalExcludes(home, configHome string) string {
	file := ""
	for _, abs := range []string{filepath.Join(configHome, "git", "config"), filepath.Join(home, ".gitconfig")} {
		if !filepath.IsAbs(abs) {
			continue
		}
		if v := excludesFile(abs, home, 0); v != "" {
			file = v
		}
	}
	if file == "" && configHome != "" {
		return filepath.Join(configHome, "git", "ignore")
	}
	return file
}

// maxIncludes bounds how deep configuration files may include others by include.path. Git has the
// same bound.
const maxIncludes = 10

// excludesFile returns core.excludesFile of one configuration file, "" if not
// set. The last value wins. It follows [include], but not the conditional
// [includeIf].
func excludesFile(abs, home string, depth int) (value string) {
	f, err := openOutside(abs)
	if err != nil {
		return ""
	}
	defer f.Close()
	if key, err := fileKey(f); err != nil || !regular(key) {
		return ""
	}
	section := ""
	lines := bufio.NewScanner(io.LimitReader(f, maxRuleBytes))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			name, rest, _ := strings.Cut(line[1:], "]")
			section, line = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(rest)
		}
		key, val, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		switch section + "." + strings.ToLower(strings.TrimSpace(key)) {
		case "core.excludesfile":
			value = expandHome(configValue(val), home, filepath.Dir(abs))
		case "include.path":
			if depth < maxIncludes {
				if v := excludesFile(expandHome(configValue(val), home, filepath.Dir(abs)), home, depth+1); v != "" {
					value = v
				}
			}
		}
	}
	return value
}

// configValue strips quotes, escapes and a comment from a value.
func configValue(s string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			i++
			out.WriteByte(s[i])
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(out.String())
		default:
			out.WriteByte(c)
		}
	}
	return strings.TrimSpace(out.String())
}

// expandHome returns p as an absolute path: "~/" is below home, and other
// relative paths are below relativeTo.
func expandHome(p, home, relativeTo string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		return filepath.Join(home, rest)
	}
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(relativeTo, p)
}
