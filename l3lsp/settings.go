package l3lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file holds the settings of each server, with reasons. Settings that are
// not set here keep the server's defaults, which were found to run no code of a
// workspace.

// goplsSettings disables everything that a query about a name does not need,
// which is most of gopls's work on an open document.
var goplsSettings = map[string]any{
	"analyses": none{}, "staticcheck": false, "codelenses": none{}, "semanticTokens": false, "vulncheck": "Off",
	// Without this, gopls would check all folders again for each opened or closed text.
	"diagnosticsTrigger": "Save", "diagnosticsDelay": "1h",
}

// goplsEnv returns environment variables that keep gopls from running other
// programs, unless the folder is trusted.
func goplsEnv(r setup) []string {
	// Without this, gopls starts a second gopls that collects telemetry and watches for crashes.
	// The second one sets the variable to 2 itself, so that its children start no further one.
	env := []string{"GO_TELEMETRY_CHILD=2"}
	if r.trusted {
		return env
	}
	return append(env,
		"GOTOOLCHAIN=local",    // a toolchain line in go.mod would download and run another go
		"GOPROXY=off",          // other downloads are off too
		"GOVCS=*:off",          // no hg, bzr or svn on a repository that a go.mod names
		"CGO_ENABLED=0",        // cgo would run the C compiler and pkg-config with flags from the source
		"GOPACKAGESDRIVER=off", // otherwise a program of that name on PATH would load the packages
		// GOFLAGS must be set in any case, to hide a value from elsewhere, such as one with
		// -toolexec. Do not set it to -mod=readonly: that is the default without a vendor folder,
		// and wrong with one. -buildvcs=false keeps go from running git, which would run the
		// fsmonitor program that the workspace's git configuration names.
		"GOFLAGS=-buildvcs=false",
	)
}

// goplsVersion returns the version that gopls reports as a part of JSON build information.
func goplsVersion(method string, params []byte) string {
	text := serverInfo(method, params)
	var build struct{ Version string }
	if json.Unmarshal([]byte(text), &build) == nil && build.Version != "" {
		return build.Version
	}
	return text
}

// serverInfo returns the version in the result of "initialize", "" for any
// other message.
func serverInfo(method string, params []byte) string {
	var result struct{ ServerInfo struct{ Version string } }
	if method != "initialize" || json.Unmarshal(params, &result) != nil {
		return ""
	}
	return result.ServerInfo.Version
}

// logged returns the word after prefix in the message of a window/logMessage notification. It
// returns "" for any other message.
func logged(method string, params []byte, prefix string) string {
	var p struct{ Message string }
	if method != "window/logMessage" || json.Unmarshal(params, &p) != nil {
		return ""
	}
	rest, ok := strings.CutPrefix(p.Message, prefix)
	if !ok {
		return ""
	}
	version, _, _ := strings.Cut(rest, " ")
	return version
}

var typescriptManifests = []string{"tsconfig.json", "jsconfig.json", "package.json"}

// typescriptOptions makes the server use Sextant's own copy of the TypeScript
// server library. By default it would use that in the workspace's node_modules,
// which is the workspace's code.
func typescriptOptions(r setup) any {
	which := "path"
	if r.trusted {
		which = "fallbackPath"
	}
	return map[string]any{
		"disableAutomaticTypingAcquisition": true, // acquisition runs npm
		"plugins":                           []any{},
		"tsserver": map[string]any{
			which:             tsserver(r),
			"useSyntaxServer": "never", // this would be a second process, for requests that are never sent
			// Sextant reports changed files. The server's own watches would come later
			// than the query, and take the user's inotify watches.
			"useClientFileWatcher": true,
		},
	}
}

// typescriptVersion returns the version in a $/typescriptVersion notification, "" for any other message.
func typescriptVersion(method string, params []byte) string {
	var p struct{ Version string }
	if method != "$/typescriptVersion" || json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Version
}

// needsTsserver returns an error if the TypeScript server library is missing.
func needsTsserver(r setup) error {
	if tsserver(r) == "" {
		return fmt.Errorf("%w completely: it needs TypeScript's server library; "+
			"npm install -g %s (the workspace's own is not run)", errMissing, tested)
	}
	return nil
}

// tsserver returns the path of the TypeScript server library, tsserver.js, beside the executable or
// beside the tsc on its PATH. It returns "" if there is none, as with TypeScript 7.
func tsserver(r setup) string {
	starts := []string{r.bin}
	if tsc := lookIn(r.path, "tsc"); tsc != "" {
		starts = append(starts, tsc)
	}
	for _, bin := range starts {
		real, err := filepath.EvalSymlinks(bin)
		if err != nil {
			real = bin
		}
		for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
			for _, p := range []string{"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js",
				"lib/tsserver.js"} {
				if at := filepath.Join(dir, filepath.FromSlash(p)); regular(at) {
					return at
				}
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return ""
}

// needsNative returns an error if tsc is older than TypeScript 7, since an
// older tsc is no language server.
func needsNative(r setup) error {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(realPath(r.bin))), "package.json"))
	var pkg struct{ Version string }
	if err != nil || json.Unmarshal(text, &pkg) != nil {
		return nil // the layout of the installation is unknown: trust the configuration
	}
	major, _, _ := strings.Cut(pkg.Version, ".")
	if n, err := strconv.Atoi(major); err == nil && n < 7 {
		return fmt.Errorf("%w: %s is of TypeScript %s, which has no server; npm install -g typescript@7",
			errMissing, r.bin, pkg.Version)
	}
	return nil
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

var (
	pyrightLoaded    = []string{"Found ", "No source files found"}
	pyrightManifests = []string{"pyproject.toml", "pyrightconfig.json", "setup.cfg"}
)

func pyrightVersion(method string, params []byte) string {
	if v := logged(method, params, "Pyright language server "); v != "" {
		return v
	}
	if v := logged(method, params, "basedpyright language server "); v != "" {
		return v
	}
	return serverInfo(method, params)
}

// pyrightSettings returns the settings of pyright. Unless the folder is trusted, they name the
// interpreter that pyright runs to find its search paths. That interpreter is never in the
// workspace. Packages in a virtual environment of the workspace are still read, as text.
func pyrightSettings(section string, r setup) any {
	analysis := map[string]any{
		"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", // fewer checks with the same inference
		"autoSearchPaths": true, "useLibraryCodeForTypes": true,
		"extraPaths": sitePackages(r.folder),
	}
	python := map[string]any{"analysis": analysis}
	if !r.trusted {
		python["pythonPath"] = interpreter(r.path)
	}
	switch section {
	case "python":
		return python
	case "python.analysis", "basedpyright.analysis":
		return analysis
	case "basedpyright":
		return map[string]any{"analysis": analysis}
	}
	return map[string]any{"python": python}
}

// interpreter returns the Python interpreter on a search path, from which the workspace's folders
// were removed. If there is none, it returns a path that does not exist: with an empty setting
// pyright would run the first interpreter that it finds.
func interpreter(path string) string {
	for _, name := range []string{"python3", "python"} {
		if at := lookIn(path, name); at != "" {
			return at
		}
	}
	return "/nonexistent/python3"
}

// sitePackages returns the site-packages folders in the virtual environments of a folder.
func sitePackages(folder string) []string {
	dirs := []string{}
	for _, env := range []string{".venv", "venv", "env"} {
		for _, lib := range []string{"lib/python*/site-packages", "Lib/site-packages"} {
			dirs = append(dirs, globIn(folder, env+"/"+lib)...)
		}
	}
	return dirs
}

// globIn returns the paths of the files in a folder that match a pattern with slashes. In the name of the folder, as
// in "app[1]", no character is a pattern.
func globIn(folder, pattern string) (paths []string) {
	found, _ := fs.Glob(os.DirFS(folder), pattern) // an error is impossible, because the patterns are valid constants
	for _, name := range found {
		paths = append(paths, filepath.Join(folder, filepath.FromSlash(name)))
	}
	return paths
}

func pyrightEnv(setup) []string {
	// Python must not import modules from its working directory.
	return []string{"PYTHONSAFEPATH=1", "PYTHONDONTWRITEBYTECODE=1"}
}

// rustSettings enables build scripts and procedural macros only if the folder is trusted. Otherwise
// calls in the code that they would generate stay unresolved.
func rustSettings(r setup) map[string]any {
	return map[string]any{
		"cargo": map[string]any{
			"buildScripts": map[string]any{"enable": r.trusted},
			"noDeps":       !r.trusted, // cargo would fetch and unpack dependencies
			"sysroot":      rustSysroot(r),
		},
		"procMacro":    map[string]any{"enable": r.trusted},
		"checkOnSave":  false,
		"cachePriming": map[string]any{"enable": false}, // only some files are queried
		"files":        map[string]any{"watcher": "client"},
	}
}

// rustEnv sets the paths of cargo and rustc, unless the folder is trusted. Without them, a
// rust-toolchain.toml could name a toolchain in the workspace, which rustup's stubs would run, and
// a .cargo/config could name a rustc and wrappers. The environment overrides both files.
func rustEnv(r setup) []string {
	env := []string{"CARGO_NET_OFFLINE=true"}
	if r.trusted {
		return env
	}
	cargo, rustc := lookIn(r.path, "cargo"), lookIn(r.path, "rustc")
	return append(env, "CARGO="+cargo, "RUSTC="+rustc, "RUSTC_WRAPPER=", "RUSTC_WORKSPACE_WRAPPER=",
		"CARGO_BUILD_RUSTC_WRAPPER=", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER=", "RUSTUP_TOOLCHAIN="+toolchain(cargo))
}

// rustSysroot returns the setting for the standard library. If the toolchain lacks the library's
// source, it disables the library, unless the folder is trusted: rust-analyzer would run rustup to
// download the source. Calls into the library then stay unresolved.
func rustSysroot(r setup) any {
	rustc := lookIn(r.path, "rustc")
	source := filepath.Join(filepath.Dir(filepath.Dir(rustc)), "lib", "rustlib", "src", "rust", "library", "Cargo.toml")
	if r.trusted || regular(source) {
		return "discover"
	}
	return nil
}

// rustOldest is the first version of rust-analyzer that is known not to modify Cargo.lock:
// version 1.85 makes cargo rewrite it, regardless of the settings.
var rustOldest = [2]int{1, 96}

var rustVersion = regexp.MustCompile(`(\d+)\.(\d+)\.\d+`)

// needsCargo returns an error if the folder is not trusted and rust-analyzer is
// older than rustOldest, or cargo or rustc are missing.
func needsCargo(run setup) error {
	if run.trusted {
		return nil
	}
	out, err := outputOf(outputTime, run.baseEnv(), run.bin, "--version")
	m := rustVersion.FindStringSubmatch(out)
	if err != nil {
		return fmt.Errorf("%s does not say its version: %w", run.bin, err)
	}
	if m == nil {
		return fmt.Errorf("%s --version says no version of Rust: %q", run.bin, out)
	}
	major, _ := strconv.Atoi(m[1]) // an error is impossible, because the pattern matches digits only
	minor, _ := strconv.Atoi(m[2])
	if have := [2]int{major, minor}; slices.Compare(have[:], rustOldest[:]) < 0 {
		return fmt.Errorf("%w in a safe version: %s rewrites Cargo.lock; install 1.96 or later", errMissing, m[0])
	}
	for _, name := range []string{"cargo", "rustc"} {
		if lookIn(run.path, name) == "" {
			return fmt.Errorf("%w completely: it needs %s on PATH (rustup, or apt-get install cargo)", errMissing, name)
		}
	}
	return nil
}

// toolchain returns rustup's name of the toolchain that a program belongs to, such as
// stable-x86_64-unknown-linux-gnu of …/stable-x86_64-unknown-linux-gnu/bin/cargo.
func toolchain(cargo string) string { return filepath.Base(filepath.Dir(filepath.Dir(cargo))) }

// intelephenseOptions places the server's index in Sextant's cache.
func intelephenseOptions(r setup) any {
	return map[string]any{"storagePath": filepath.Join(r.cache, "workspaces"),
		"globalStoragePath": filepath.Join(r.cache, "global")}
}

func intelephenseVersion(method string, params []byte) string {
	return logged(method, params, "Initialising intelephense ")
}

func intelephenseSettings(section string, _ setup) any {
	settings := map[string]any{"telemetry": map[string]any{"enabled": false},
		"diagnostics": map[string]any{"enable": false}}
	if section == "intelephense" {
		return settings
	}
	return map[string]any{"intelephense": settings}
}

// bashSettings disables other programs: by default the server runs shellcheck
// and shfmt from PATH on opened files.
var bashSettings = map[string]any{
	"shellcheckPath": "", "shfmt": map[string]any{"path": ""}, "explainshellEndpoint": "",
	"enableSourceErrorDiagnostics": false,
}

func bashEnv(setup) []string {
	return []string{"SHELLCHECK_PATH=", "SHFMT_PATH=", "EXPLAINSHELL_ENDPOINT="}
}

// The servers below were not available for a test when their settings were written. The settings
// follow the servers' documentation. They turn off everything that could run a build, or the server
// is not started in an untrusted folder.

var jvmManifests = []string{"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}

// jdtlsArgs places Eclipse's workspace and metadata in Sextant's cache. By
// default it would write .project, .classpath and .settings beside the sources.
func jdtlsArgs(r setup) []string {
	return []string{"-data", filepath.Join(r.cache, "workspace"),
		"--jvm-arg=-Djava.import.generatesMetadataFilesAtProjectRoot=false"}
}

func jdtlsOptions(r setup) any {
	enabled := map[string]any{"enabled": r.trusted}
	return map[string]any{"settings": map[string]any{"java": map[string]any{
		// both imports run the workspace's build
		"import":        map[string]any{"gradle": enabled, "maven": enabled},
		"configuration": map[string]any{"updateBuildConfiguration": "disabled"},
		"autobuild":     map[string]any{"enabled": false},
		"jdt":           map[string]any{"ls": map[string]any{"lombokSupport": enabled, "protobufSupport": enabled}},
	}}}
}

// jdtlsDone reports whether jdtls has loaded all projects; before that it knows
// only some of them.
func jdtlsDone(method string, params []byte) bool {
	var p struct{ Type string }
	return method == "language/status" && json.Unmarshal(params, &p) == nil && p.Type == "ServiceReady"
}

// javaSettings sets the class path to a folder without classes, unless the folder of the query is
// trusted. Without a class path the server would run Maven or Bazel, which run the workspace's
// build.
func javaSettings(section string, r setup) any {
	java := map[string]any{}
	if !r.trusted {
		java["classPath"] = []string{filepath.Join(r.cache, "none")}
	}
	if section == "java" {
		return java
	}
	return map[string]any{"java": java}
}

var solargraphSettings = map[string]any{"diagnostics": false, "checkGemVersion": false, "useBundler": false}

var errUntrusted = errors.New("it would run code of the workspace")

// needsTrust returns a function that returns an error unless the folder is trusted. It is the
// Spec.needs of a server without safe settings.
func needsTrust(why string) func(setup) error {
	return func(r setup) error {
		if r.trusted {
			return nil
		}
		return fmt.Errorf("%w: %s; allow it with: sextant trust %s", errUntrusted, why, r.folder)
	}
}
