// Package workspace lists the files of a root and decides about each of them:
// index it, skip it for a stated reason, or ignore it.
//
// It walks directories, reads single files, applies the ignore rules, derives
// classes and services from names and manifests, and reads git indexes. It
// never parses a language, never writes, never follows a symbolic link out of
// the root, and never runs a program: a .git/config is mere data, of which only
// the format of object ids is read.
//
// # Ignore rules
//
// The groups below are tried in order, and the first one with a matching
// pattern decides. Within a group, the deepest file wins, and within a file its
// last matching pattern.
//
//  1. Policy.IgnorePatterns
//  2. [index] ignore in sextant.toml, else in satori.toml
//  3. .sextantignore and .satoriignore, in every directory
//  4. .gitignore, in every directory up to the repository's top
//  5. info/exclude of the repository
//  6. the user's global excludes
//  7. the built-in defaults: caches, dependencies, build outputs
//
// Groups 4 to 6 do not apply to files that git tracks according to the index of
// their repository. A directory that these groups ignore is entered only to
// reach its tracked files. If another group ignores a directory, everything
// below it is ignored too. The root itself is never ignored. Patterns have
// exactly the meaning that git gives them.
//
// A .gitignore also applies outside any repository. Metadata of version control
// and the secrets of secret.go stay out even if a pattern includes them.
//
// # Checkouts within the root
//
// A submodule belongs to the checkout around it, but has rules of its own:
// groups 4 and 5 of the outer checkout end at its top. Any other checkout
// within a checkout (a worktree, or a clone that the outer index does not
// track) is not part of the root. If the root is in no checkout, the checkouts
// below it are plain directories, and .gitignore files above them apply to
// them.
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

// The profiles select how much of a root is indexed.
const (
	ProfileDefault = "default"  // text, except for minified bundles and source maps
	ProfileMinimal = "minimal"  // languages that have symbols, and the custom extensions
	ProfileAllText = "all-text" // all text
)

// DefaultMaxFileBytes admits the largest files that people write (the TypeScript checker has 3
// MB) and excludes dumps of data.
const DefaultMaxFileBytes = 4 << 20

// Policy holds the user's settings, in addition to the rule files of the root. The zero Policy
// means the defaults.
type Policy struct {
	Profile          string   // one of the Profile constants; "" means the profile in sextant.toml, or else the default
	CustomExtensions []string // extensions that are indexed in every profile, with or without the dot
	IgnorePatterns   []string // gitignore patterns relative to the root
	MaxFileBytes     int64    // larger text files are skipped; 0 means DefaultMaxFileBytes

	// Home is the folder of .gitconfig, by default os.UserHomeDir. ConfigHome
	// is the folder of git/ignore and git/config, by default .config below
	// Home.
	Home, ConfigHome string
	// HasSymbols reports whether the language of the file at path has symbols.
	// It matters in ProfileMinimal. If nil, all languages have symbols.
	HasSymbols func(path string) bool
}

// SkipReason says why a file is not indexed although no rule ignores it.
type SkipReason string

// The reasons to skip a file. The empty reason means that the file is indexed,
// provided that SkipText has no reason either.
const (
	SkipSecret     SkipReason = "secret"
	SkipTooLarge   SkipReason = "too_large"
	SkipNotRegular SkipReason = "not_regular" // FIFO, socket, device
	SkipSymlink    SkipReason = "symlink"
	SkipUnreadable SkipReason = "unreadable"
	// SkipUnsupported: the file is binary by its name, is not in the profile, or its name is not
	// UTF-8.
	SkipUnsupported SkipReason = "unsupported"

	// These depend on the bytes of the file; see SkipText.
	SkipBinary     SkipReason = "binary"
	SkipLFSPointer SkipReason = "lfs_pointer" // git-lfs has not fetched the content
)

// These are errors on which callers branch. ErrSymlink wraps fs.ErrNotExist: a scan never reaches
// a path through a link, so nothing is indexed there. ErrApart wraps ErrIgnored.
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

// Tree is one root. Its methods may be called concurrently. It keeps no file
// open.
type Tree struct {
	root   string
	policy Policy

	mu    sync.RWMutex
	base  *base               // guarded by mu; never modified, only replaced
	nodes map[string]*node    // guarded by mu; the directories seen so far, by path
	kids  map[string][]string // guarded by mu; by directory, those in it that are in nodes or above one of them
	epoch uint64              // guarded by mu; number of scans and reloads begun
	rules *inForce            // derived from base and nodes, nil if it must be derived again; guarded by mu

	remarked int // guarded by mu; number of directories that became a checkout, or stopped being one, between scans
}

// Open reads the rules that apply to the whole root. It returns an error for a
// root that is not absolute, not a directory or not readable, and for an
// invalid policy. An unusable rule file is not an error; see Rules.Problems.
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
		return nil, fmt.Errorf("open workspace %s: unknown profile %q; use default, minimal or all-text", root,
			p.Profile)
	}
	if p.Home == "" {
		// A user without a home folder has no global excludes.
		p.Home, _ = os.UserHomeDir()
	}
	if p.ConfigHome == "" && p.Home != "" {
		p.ConfigHome = filepath.Join(p.Home, ".config")
	}
	if p.MaxFileBytes <= 0 {
		p.MaxFileBytes = DefaultMaxFileBytes
	}
	t := &Tree{root: real, policy: p, nodes: map[string]*node{}, kids: map[string][]string{}}
	t.base = loadBase(real, p, nil)
	return t, nil
}

// Root returns the absolute path of the root, with symbolic links resolved.
func (t *Tree) Root() string { return t.root }

func knownProfile(p string) bool {
	return p == "" || p == ProfileDefault || p == ProfileMinimal || p == ProfileAllText
}

// relative returns ErrOutside unless p is a clean path below the root.
func relative(p string) error {
	if p == "" || p == "." || p[0] == '/' || strings.IndexByte(p, 0) >= 0 || path.Clean(p) != p || p == ".." ||
		strings.HasPrefix(p, "../") {
		return fmt.Errorf("%q: %w", p, ErrOutside)
	}
	return nil
}

// Relative returns the root-relative path of the absolute path abs, with links
// resolved; "" for the root. The error is ErrOutside if the result is not below
// the root, and fs.ErrNotExist if the file is missing.
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

// skip returns the reason not to index a file that no rule ignores, by its name, type and size, or
// "" if there is none.
func (b *base) skip(p string, kind fileKind, size int64) SkipReason {
	name := code.Base(p)
	switch {
	case kind == kindLink:
		return SkipSymlink
	case kind != kindFile:
		return SkipNotRegular
	case secretIn(b.folder, p):
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

// extension returns the text after the last dot in lower case; "" if there is none. ".bashrc" has
// no extension.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}
