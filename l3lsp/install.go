package l3lsp

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Installed describes a server of the list specs on this machine.
type Installed struct {
	Name      string   `json:"name"`
	Languages []string `json:"languages"`
	Path      string   `json:"path,omitempty"` // path of the executable; "" if the server is not installed
	Version   string   `json:"version,omitempty"`
	// Missing is the reason why the server would not run in an untrusted workspace; "" if it
	// would.
	Missing string `json:"missing,omitempty"`
	Install string `json:"install"`
}

// Known lists all servers in specs, without starting any.
func (p *Pool) Known(ctx context.Context) (out []Installed) {
	for i := range specs {
		spec := p.configured(&specs[i])
		one := Installed{Name: spec.Name, Languages: spec.Languages, Install: spec.Install()}
		r, err := p.setup(&spec, p.home, false)
		if err != nil {
			one.Missing = err.Error()
		}
		if at, path, err := p.locate(&spec, p.home, false); err == nil {
			r.bin, r.path = at, path
			one.Path, one.Version = at, versionOf(ctx, r)
		}
		out = append(out, one)
	}
	return out
}

// versionTimeout is the longest time that a program may take to print its version.
const versionTimeout = 5 * time.Second

var printedVersion = regexp.MustCompile(`\d+\.\d+\.\d+`)

// versionOf returns the version of a server's program: the one recorded in a Go binary or npm
// package, or else the one that the program prints; "" if there is none.
func versionOf(ctx context.Context, run setup) string {
	real := realPath(run.bin)
	if info, err := buildinfo.ReadFile(real); err == nil {
		return info.Main.Version
	}
	for dir := filepath.Dir(real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		var pkg struct{ Version string }
		if text, err := os.ReadFile(filepath.Join(dir, "package.json")); err == nil &&
			json.Unmarshal(text, &pkg) == nil && pkg.Version != "" {
			return pkg.Version
		}
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, run.bin, "--version")
	cmd.Dir, cmd.Env = string(filepath.Separator), run.baseEnv()
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return printedVersion.FindString(string(out))
}

// Installable returns the names of the servers that Install installs.
func Installable() []string {
	var names []string
	for i := range specs {
		if o := &specs[i].Origin; o.Go != "" || len(o.NPM) > 0 {
			names = append(names, specs[i].Name)
		}
	}
	return names
}

// InstallCommand returns the command that Install runs to install a server below home, and the
// variables that it adds to the environment. For a server that Sextant does not install, the
// error gives instructions for the user.
func InstallCommand(home, name string) (command, env []string, err error) {
	for i := range specs {
		s := &specs[i]
		if s.Name != name {
			continue
		}
		switch o := s.Origin; {
		case o.Go != "":
			return []string{"go", "install", o.Go}, []string{"GOBIN=" + filepath.Join(home, binaries), "GOFLAGS="}, nil
		case len(o.NPM) > 0:
			// Do not run the packages' scripts; none of these packages needs one.
			return append([]string{"npm", "install", "--prefix", filepath.Join(home, "npm", name),
				"--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"}, o.NPM...), nil, nil
		}
		return nil, nil, fmt.Errorf("%s is not installed by Sextant; install it yourself: %s", name, s.Install())
	}
	return nil, nil, fmt.Errorf("no server is called %q; sextant servers lists those that are known", name)
}

// Install installs a server at its tested version below home, where the pool
// searches first. The package manager's output goes to log.
func Install(ctx context.Context, home, name string, log io.Writer) error {
	command, env, err := InstallCommand(home, name)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return fmt.Errorf("install %s: %s is needed for it and is not on PATH", name, command[0])
	}
	dir := filepath.Join(home, "npm", name)
	for _, d := range []string{dir, filepath.Join(home, binaries)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("install %s: %w", name, err)
		}
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("install %s: %s: %w", name, strings.Join(command, " "), err)
	}
	if command[0] == "npm" {
		return link(home, name)
	}
	return nil
}

// link creates a link in home/bin to the program of an npm package.
func link(home, name string) error {
	for i := range specs {
		if specs[i].Name != name {
			continue
		}
		file := specs[i].Command[0]
		if runtime.GOOS == "windows" {
			file += ".cmd"
		}
		from, to := filepath.Join(home, "npm", name, "node_modules", ".bin", file), filepath.Join(home, binaries, file)
		if _, err := os.Stat(from); err != nil {
			return fmt.Errorf("install %s: its package has no program %s", name, file)
		}
		if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("install %s: %w", name, err)
		}
		return os.Symlink(from, to)
	}
	return nil
}
