package l3lsp

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

var errMissing = errors.New("it is not installed; install it with")

// binaries is the folder below Options.Home where Install puts executables.
const binaries = "bin"

// configured is a spec with the command that the configuration gives it.
func (p *Pool) configured(spec *Spec) Spec {
	own := *spec
	if p.opt.Command != nil {
		if c := p.opt.Command(spec.Name); len(c) > 0 {
			own.Command = c
		}
	}
	return own
}

// locate finds the executable of a server, and the search path that it gets.
// Its error wraps errMissing when there is none.
//
// It looks in the folders of ours first, then on PATH, but never in the
// workspace: an agent that was started by npm, or in a virtual environment, has
// folders of the workspace there, and what lies in them is its code.
func (p *Pool) locate(spec *Spec, folder string, trusted bool) (executable, path string, err error) {
	path = p.path(folder, trusted)
	name := spec.Command[0]
	if filepath.IsAbs(name) {
		if !executes(name) {
			return "", "", fmt.Errorf("%s, which the configuration names, cannot be run", name)
		}
		return name, path, nil
	}
	ours := strings.Join(append([]string{filepath.Join(p.home, binaries)}, p.opt.Dirs...), string(os.PathListSeparator))
	for _, name := range append([]string{name}, alsoNamed[name]...) {
		if at := cmp.Or(lookIn(ours, name), lookIn(path, name)); at != "" {
			return at, path, nil
		}
	}
	return "", "", fmt.Errorf("%w: %s", errMissing, spec.Install())
}

// alsoNamed are other names of a command, better ones first. Debian's
// rust-analyzer is no other name: it is told from rustup's stub by its place.
var alsoNamed = map[string][]string{"clangd": {"clangd-19", "clangd-20", "clangd-18", "clangd-17", "clangd-16", "clangd-15", "clangd-14"}}

// choose is the server for a language that is installed, the first of the table
// where several or none are; nil where none is known.
func (p *Pool) choose(language, folder string) *Spec {
	var known []*Spec
	for i := range specs {
		if slices.Contains(specs[i].Languages, language) {
			known = append(known, &specs[i])
		}
	}
	if len(known) == 0 {
		return nil
	}
	for _, s := range known[:len(known)-1] {
		own := p.configured(s)
		if _, err := p.setup(&own, folder, p.opt.Trusted(folder)); err == nil {
			return s
		}
	}
	if last := p.configured(known[len(known)-1]); len(known) > 1 {
		if _, err := p.setup(&last, folder, p.opt.Trusted(folder)); err != nil {
			return known[0]
		}
	}
	return known[len(known)-1]
}

// setup is what a server is started with for a folder.
func (p *Pool) setup(spec *Spec, folder string, trusted bool) (setup, error) {
	executable, path, err := p.locate(spec, folder, trusted)
	if err != nil {
		return setup{}, err
	}
	r := setup{trusted: trusted, cache: filepath.Join(p.home, "cache", spec.Name), bin: executable, path: path, folder: folder}
	if spec.needs != nil && p.opt.launch == nil {
		if err := spec.needs(r); err != nil {
			return setup{}, err
		}
	}
	return r, nil
}

// Identity names what answers about a folder's files of a language rest on,
// without starting it: the server, its executable as it is on disk, and whether
// it is trusted there. It is false where no server is installed.
func (p *Pool) Identity(language, folder string) (id string, ok bool) {
	spec := p.choose(language, folder)
	if spec == nil {
		return "", false
	}
	own := p.configured(spec)
	trusted := p.opt.Trusted(folder)
	executable, _, err := p.locate(&own, folder, trusted)
	if err != nil {
		return "", false
	}
	real := realPath(executable)
	info, err := os.Stat(real)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%s %s %d %d %t", spec.Name, real, info.Size(), info.ModTime().UnixNano(), trusted), true
}

// path is the search path without the folders that lie in the workspace, and
// those that the current folder decides about.
func (p *Pool) path(folder string, trusted bool) string {
	var kept []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if trusted || filepath.IsAbs(dir) && !below(dir, folder) && !slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "node_modules") {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(os.PathListSeparator))
}

// below reports whether dir is folder or lies in it, by any of its names.
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

func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}

// lookIn finds an executable on a search path; "" when there is none. In place
// of a stub of rustup's it gives the program that the stub would run outside of
// any workspace: in one the stub may be told to run the workspace's own.
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

// rustupWhich is the program of the default toolchain, "" when it has none.
func rustupWhich(rustup, name, path string) string {
	cmd := exec.Command(rustup, "which", name)
	cmd.Dir, cmd.Env = string(filepath.Separator), baseEnv(path)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func extensions() []string {
	if runtime.GOOS == "windows" {
		return []string{".exe", ".cmd", ".bat"}
	}
	return []string{""}
}

func executes(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}
