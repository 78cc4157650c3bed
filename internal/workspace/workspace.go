// Package workspace answers which files a root holds, and how each of them
// may be seen: to be indexed, skipped for a stated reason, or ignored.
//
// It walks directories, reads single files, judges paths by the ignore rules,
// tells classes and services by names and manifests, and reads a git index.
// It never parses a language, never writes, never follows a symbolic link
// out of the root, and never runs a program: a .git/config is data, and only
// the user's own is read.
//
// # Ignore rules
//
// The first group that says anything of a path decides, and in a group the
// last matching pattern of the deepest file does:
//
//  1. Policy.IgnorePatterns
//  2. sextant.toml (else satori.toml) [index] ignore
//  3. .sextantignore and .satoriignore, in every directory
//  4. .gitignore, in every directory up to the repository's top
//  5. info/exclude of the repository
//  6. the user's global excludes
//  7. the built-in defaults: caches, dependencies, build outputs
//
// Groups 4 to 6 have no effect on what git tracks: the index of a repository
// says so of its own files. A directory that they keep out is entered as far
// as it holds such files, and nothing else in it counts. Below a directory
// that another group ignores everything is; the root itself never is.
// Patterns mean exactly what git makes of them.
// A .gitignore counts without a repository too. Metadata of version control and the secrets of secret.go
// stay out whatever a pattern says.
//
// # Checkouts within the root
//
// A submodule belongs to the checkout around it, and is a scope of its own:
// groups 4 and 5 of the outer one end at its top. Another checkout within a
// checkout (a worktree, a clone that its index does not track) is no part of
// the root. A root that is in no checkout and holds some is one tree with
// them: they are directories like any other, and the .gitignore files above
// them hold within.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"sextant/internal/code"
)

// The profiles: how much of a root is indexed.
const (
	ProfileDefault = "default"  // text, without minified bundles and source maps
	ProfileMinimal = "minimal"  // the languages that have symbols, and the custom extensions
	ProfileAllText = "all-text" // all text
)

// DefaultMaxFileBytes holds the largest files that people write and ask
// about (the TypeScript checker has 3 MB), and keeps data dumps out.
const DefaultMaxFileBytes = 4 << 20

// Policy is what the user asked for on top of the files' own rules. The zero
// Policy is the defaults.
type Policy struct {
	Profile          string   // one of the Profile constants; "" takes sextant.toml's, else the default
	CustomExtensions []string // eligible in every profile; with or without the dot
	IgnorePatterns   []string // gitignore patterns relative to the root
	MaxFileBytes     int64    // larger text files are skipped; 0 is DefaultMaxFileBytes

	// Home is where .gitconfig lies, ConfigHome where git/ignore and
	// git/config do. "" are os.UserHomeDir and .config below it.
	Home, ConfigHome string
	// HasSymbols says whether a file's language has symbols, by its path;
	// profile minimal asks it. nil says yes to every path.
	HasSymbols func(path string) bool
}

// SkipReason is why a file that no rule ignores is not indexed.
type SkipReason string

// The reasons for which a walk skips a file. "" is: to be indexed, if its
// bytes turn out to be text (see Binary).
const (
	SkipSecret      SkipReason = "secret"
	SkipTooLarge    SkipReason = "too_large"
	SkipNotRegular  SkipReason = "not_regular" // FIFO, socket, device
	SkipSymlink     SkipReason = "symlink"
	SkipUnreadable  SkipReason = "unreadable"
	SkipUnsupported SkipReason = "unsupported" // not text by its name, not in the profile, or a name that is not UTF-8
)

// Errors that callers branch on. ErrSymlink also is fs.ErrNotExist: no walk
// comes to a path through a link, so that nothing can be indexed there. ErrApart
// also is ErrIgnored.
var (
	ErrIgnored    = errors.New("ignored by the rules")
	ErrApart      = fmt.Errorf("in a checkout of its own: %w", ErrIgnored)
	ErrSecret     = errors.New("kept out as a secret")
	ErrOutside    = errors.New("not a path below the root")
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("larger than the limit")
	ErrChanging   = errors.New("changed while it was read")
	ErrSymlink    = fmt.Errorf("leads through a symbolic link: %w", fs.ErrNotExist)
)

// Entry is one file that no rule ignores.
type Entry struct {
	Path string // relative to the root, '/'-separated
	Key  code.StatKey
	Skip SkipReason
}

// Tree is one root. Its methods may be called concurrently. It holds no file
// open.
type Tree struct {
	root   string
	policy Policy

	mu    sync.RWMutex
	base  *base            // guarded by mu; immutable itself
	nodes map[string]*node // guarded by mu; what was learnt of directories, by path
	epoch uint64           // guarded by mu; number of scans and reloads begun
	rules *inForce         // guarded by mu; of base and the scopes of nodes, nil when one of them came or went

	remarked int // guarded by mu; number of directories that became a checkout, or ceased to be one, unseen by a scan
}

// Open reads the rules that hold for all of root. A root that is not
// absolute, not a directory or not readable, and a policy that cannot be
// meant, are errors; a rule file that cannot be used is not (see
// Rules.Problems).
func Open(root string, p Policy) (*Tree, error) {
	if !filepath.IsAbs(root) {
		return nil, fmt.Errorf("open workspace %s: the path is not absolute", root)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, fmt.Errorf("open workspace %s: %w", root, err)
	}
	d, err := openDir(real, "")
	if err != nil {
		return nil, fmt.Errorf("open workspace %s: %w", root, err)
	}
	d.close()
	if !knownProfile(p.Profile) {
		return nil, fmt.Errorf("open workspace %s: unknown profile %q; use default, minimal or all-text", root, p.Profile)
	}
	if p.Home == "" {
		// A user without a home has no global excludes; that is no error.
		p.Home, _ = os.UserHomeDir()
	}
	if p.ConfigHome == "" && p.Home != "" {
		p.ConfigHome = filepath.Join(p.Home, ".config")
	}
	if p.MaxFileBytes <= 0 {
		p.MaxFileBytes = DefaultMaxFileBytes
	}
	t := &Tree{root: real, policy: p, nodes: map[string]*node{}}
	t.base = loadBase(real, p, nil)
	return t, nil
}

// Root is the absolute path of the root, its symbolic links resolved.
func (t *Tree) Root() string { return t.root }

func knownProfile(p string) bool {
	return p == "" || p == ProfileDefault || p == ProfileMinimal || p == ProfileAllText
}

// relative checks that p is a path below the root, in its one spelling.
func relative(p string) error {
	if p == "" || p == "." || p[0] == '/' || strings.IndexByte(p, 0) >= 0 || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") {
		return fmt.Errorf("%q: %w", p, ErrOutside)
	}
	return nil
}

// Relative is the root-relative path of the absolute path abs, whose links
// are followed as long as they stay below the root. A path outside of it, or
// one that a link leads out of it, is ErrOutside; a missing one fs.ErrNotExist.
func (t *Tree) Relative(abs string) (string, error) {
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", abs, err)
	}
	rel, err := filepath.Rel(t.root, real)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("resolve %s: %w", abs, ErrOutside)
	}
	if rel == "." {
		return "", nil
	}
	return filepath.ToSlash(rel), nil
}

// skip judges a file by its name, type and size. Ignore rules come before it.
func (b *base) skip(p string, kind fileKind, size int64) SkipReason {
	name := p[strings.LastIndexByte(p, '/')+1:]
	switch {
	case kind == kindLink:
		return SkipSymlink
	case kind != kindFile:
		return SkipNotRegular
	case Secret(p):
		return SkipSecret
	case !utf8.ValidString(p):
		return SkipUnsupported
	}
	ext := extension(name)
	if !b.custom[ext] {
		if binaryExtensions[ext] {
			return SkipUnsupported
		}
		if b.profile == ProfileMinimal && b.hasSymbols != nil && !b.hasSymbols(p) {
			return SkipUnsupported
		}
	}
	if size > b.maxBytes {
		return SkipTooLarge
	}
	return ""
}

// extension is the lower-case part behind the last dot, "" without one. A
// name's leading dot opens no extension.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}
