package l3lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

var (
	errMissing = errors.New("it is not installed")
	errOff     = errors.New("the configuration turns it off")
)

// binaries is the folder below Options.Home where Install puts executables.
const binaries = "bin"

// configured returns a copy of spec. If the configuration sets another command for the server, the
// copy has that command.
func (p *Pool) configured(spec *Spec) Spec {
	own := *spec
	if p.opt.Command != nil {
		if c := p.opt.Command(spec.Name); len(c) > 0 {
			own.Command = c
		}
	}
	return own
}

// locate returns the executable of a server and the search path to run it with. The error wraps
// errMissing if there is no executable, and is errOff for a server that is turned off. It is
// another error if the configuration names an absolute command that cannot be run.
//
// It searches Sextant's folders first, then PATH, but no folder of the workspace, and it skips
// links that lead into the workspace. An agent that npm or a virtual environment started has
// folders of the workspace on PATH, and the programs in them are the workspace's code.
func (p *Pool) locate(spec *Spec, folder string, trusted bool) (executable, path string, err error) {
	if slices.Contains(p.opt.Off, spec.Name) {
		return "", "", errOff
	}
	shut := p.shut(folder, trusted)
	path = pathWithout(shut, trusted)
	name := spec.Command[0]
	if filepath.IsAbs(name) {
		if !executes(name) {
			return "", "", fmt.Errorf("%s, which the configuration names, cannot be run", name)
		}
		return name, path, nil
	}
	ours := strings.Join(append([]string{filepath.Join(p.home, binaries)}, p.opt.Dirs...), string(os.PathListSeparator))
	for _, name := range append([]string{name}, alsoNamed[name]...) {
		if at := lookIn(ours, name); at != "" {
			return at, path, nil
		}
		if at := lookIn(path, name); at != "" && !inAny(realPath(at), shut) {
			return at, path, nil
		}
	}
	return "", "", fmt.Errorf("%w; to install it: %s", errMissing, spec.Install())
}

// alsoNamed maps a command to its alternative names, preferred ones first. Debian's rust-analyzer
// needs none: its location distinguishes it from rustup's stub.
var alsoNamed = map[string][]string{"clangd": {"clangd-19", "clangd-20", "clangd-18", "clangd-17", "clangd-16",
	"clangd-15", "clangd-14"}}

// lookedFor is the time for which the result of Find is cached. Each request for a call graph calls
// Find, and a search takes up to a millisecond, or 70 where rustup must be run.
const lookedFor = 10 * time.Second

// findKey identifies a cached result of Find. The search also depends on PATH, but that does not
// change during the process.
type findKey struct {
	language, folder string
	trusted          bool
}

// Found is the server for a language in a folder.
type Found struct {
	Spec *Spec // the first installed server for the language, or else the first in specs; nil if none is known
	// Identity identifies everything that the server's answers depend on: the
	// server, its executable on disk, and whether the folder is trusted. "" if the
	// server is missing.
	Identity string
	Err      error // why the server is missing, as a text for users
	// folder with which the server is queried: the given folder, or one above it whose
	// configuration includes it
	Folder string
}

// find is a cached result of Find.
type find struct {
	Found
	until time.Time
}

// Find returns the server for a language without starting it. The result may be
// as old as lookedFor.
func (p *Pool) Find(language, folder string) Found {
	asked := findKey{language, folder, p.opt.Trusted(folder)}
	key, now := asked, time.Now()
	p.mu.Lock()
	found, ok := p.finds[asked]
	p.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.Found
	}
	found = find{until: now.Add(lookedFor)}
	found.Folder = folder
	if found.Spec = p.choose(key); found.Spec != nil {
		if found.Spec.joint != nil {
			found.Folder = found.Spec.joint(folder)
			key.trusted = p.opt.Trusted(found.Folder)
		}
		found.Identity, found.Err = p.identity(found.Spec, key)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.finds) >= maxFinds {
		clear(p.finds)
	}
	p.finds[asked] = found
	return found.Found
}

// maxFinds is the largest number of cached results of Find; a workspace has some services in some
// languages.
const maxFinds = 1000

// choose returns the first installed server for key's language, or the first
// one in specs if none is installed; nil if none is known.
func (p *Pool) choose(key findKey) *Spec {
	var first *Spec
	for i := range specs {
		s := &specs[i]
		if !slices.Contains(s.Languages, key.language) {
			continue
		}
		own := p.configured(s)
		if _, err := p.setup(&own, key.folder, key.trusted); err == nil {
			return s
		}
		first = cmp.Or(first, s)
	}
	return first
}

// setup returns the parameters for running a server in a folder. It returns an
// error if the server is missing or must not run there.
func (p *Pool) setup(spec *Spec, folder string, trusted bool) (setup, error) {
	executable, path, err := p.locate(spec, folder, trusted)
	if err != nil {
		return setup{}, err
	}
	r := setup{trusted: trusted, cache: filepath.Join(p.home, "cache", spec.Name), bin: executable, path: path,
		shut: p.shut(folder, trusted), folder: folder}
	if spec.needs != nil && p.opt.launch == nil {
		if err := spec.needs(r); err != nil {
			return setup{}, err
		}
	}
	return r, nil
}

// identity returns the Identity of the program that would run for spec; see
// Found.
func (p *Pool) identity(spec *Spec, key findKey) (string, error) {
	own := p.configured(spec)
	executable, _, err := p.locate(&own, key.folder, key.trusted)
	if err != nil {
		return "", err
	}
	real := realPath(executable)
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %q %d %d %t", spec.Name, real, own.Command[1:], info.Size(),
		info.ModTime().UnixNano(), key.trusted), nil
}

// shut returns the folders whose programs must not run for a query in the given folder. There are
// none if that folder is trusted.
func (p *Pool) shut(folder string, trusted bool) []string {
	if trusted {
		return nil
	}
	return append(p.opt.Shut(folder), folder)
}

// pathWithout returns PATH without entries in the shut folders, entries in
// node_modules, and relative entries, which depend on the current folder. If
// trusted, it returns all of PATH.
func pathWithout(shut []string, trusted bool) string {
	var kept []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if trusted || filepath.IsAbs(dir) && !inAny(dir, shut) &&
			!slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "node_modules") {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(os.PathListSeparator))
}

// inAny reports whether dir is one of the folders or below one.
func inAny(dir string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return below(dir, f) })
}

// below reports whether dir is folder or below it, with or without resolving
// symbolic links.
func below(dir, folder string) bool {
	for _, d := range []string{dir, realPath(dir)} {
		for _, f := range []string{folder, realPath(folder)} {
			if rel, err := filepath.Rel(f, d); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

// realPath returns path with its symbolic links resolved, or path itself if that fails.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// lookIn returns the path of an executable on a search path, "" if there is none. A program such as
// cargo may be a stub of rustup's, which runs the cargo of some toolchain. In a workspace, the
// workspace's files may choose that toolchain. So lookIn returns the program that the stub would
// run outside any workspace.
func lookIn(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		for _, ext := range extensions() {
			at := filepath.Join(dir, name+ext)
			if !filepath.IsAbs(at) || !executes(at) {
				continue
			}
			if rustup := filepath.Join(dir, "rustup"+ext); name != "rustup" && sameFile(at, rustup) {
				at = rustupWhich(rustup, name, path)
			}
			if at != "" {
				return at
			}
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// rustupWhich returns the path of the named program in rustup's default toolchain, "" if the
// toolchain lacks it.
func rustupWhich(rustup, name, path string) string {
	out, err := outputOf(outputTime, (&setup{path: path}).baseEnv(), rustup, "which", name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// outputTime is the time limit for a program that only prints information about an installation.
// An answer may wait for it.
const outputTime = 5 * time.Second

// outputOf runs a program outside of any workspace, and returns its standard output. After the
// time limit, it ends the program and returns an error, even if a child of the program still
// runs.
func outputOf(limit time.Duration, env []string, bin string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = string(filepath.Separator), env, limit/10
	out, err := cmd.Output()
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer within %s", limit)
	}
	return string(out), err
}

func extensions() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".cmd", ".bat"}
	}
	return []string{""}
}

// executes reports whether path is a regular file that can be executed.
func executes(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}
