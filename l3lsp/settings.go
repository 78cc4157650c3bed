package l3lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file is what each server is told, and why. What is not said here is the
// server's default, found to run nothing of a workspace.

// goplsSettings leaves out what a question about a name does not need; on an
// open document that is most of the work.
var goplsSettings = map[string]any{
	"analyses": none{}, "staticcheck": false, "codelenses": none{}, "semanticTokens": false, "vulncheck": "Off",
	// Each text that is opened or closed would have all folders checked anew.
	"diagnosticsTrigger": "Save", "diagnosticsDelay": "1h",
}

func goplsEnv(r setup) []string {
	// Else it has a second gopls, in a session of its own, count and watch it; 2
	// is what that one tells what it runs.
	env := []string{"GO_TELEMETRY_CHILD=2"}
	if r.trusted {
		return env
	}
	return append(env,
		"GOTOOLCHAIN=local",    // a toolchain line of go.mod downloads another go, and runs it
		"GOPROXY=off",          // nor is anything else downloaded
		"GOVCS=*:off",          // no hg, bzr, svn on a repository that a go.mod names
		"CGO_ENABLED=0",        // cgo runs the C compiler and pkg-config with flags of the source
		"GOPACKAGESDRIVER=off", // else a program of that name on PATH loads the packages
		// Not -mod=readonly, which is the default without vendor/ and wrong with it.
		// Set at all, it hides GOFLAGS of elsewhere, such as -toolexec; without
		// version stamps git is not run, which would run the workspace's fsmonitor.
		"GOFLAGS=-buildvcs=false",
	)
}

// goplsVersion reads the build information that gopls sends for a version.
func goplsVersion(method string, params []byte) string {
	text := serverInfo(method, params)
	var build struct{ Version string }
	if json.Unmarshal([]byte(text), &build) == nil && build.Version != "" {
		return build.Version
	}
	return text
}

func serverInfo(method string, params []byte) string {
	var result struct{ ServerInfo struct{ Version string } }
	if method != "initialize" || json.Unmarshal(params, &result) != nil {
		return ""
	}
	return result.ServerInfo.Version
}

// logged is what follows prefix in a log message, up to a space; "" when it is
// none.
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

// typescriptOptions names the server library, ours: the default is the one of
// the workspace's node_modules, which is its code.
func typescriptOptions(r setup) any {
	which := "path"
	if r.trusted {
		which = "fallbackPath"
	}
	return map[string]any{
		"disableAutomaticTypingAcquisition": true, // it runs npm
		"plugins":                           []any{},
		"tsserver": map[string]any{
			which:             tsserver(r),
			"useSyntaxServer": "never", // a second process, for what we do not ask
			// We say what moved. Its own watches would come later than the question,
			// and take the user's inotify watches.
			"useClientFileWatcher": true,
		},
	}
}

func typescriptVersion(method string, params []byte) string {
	var p struct{ Version string }
	if method != "$/typescriptVersion" || json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Version
}

func needsTsserver(r setup) error {
	if tsserver(r) == "" {
		return fmt.Errorf("%w: npm install -g %s, since a workspace's own is not run", errMissing, tested)
	}
	return nil
}

// tsserver is the server library beside the executable, or beside the tsc of
// its PATH; "" when there is none. TypeScript 7 has none.
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
			for _, p := range []string{"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js", "lib/tsserver.js"} {
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

// needsNative: the tsc before TypeScript 7 is no server.
func needsNative(r setup) error {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(realPath(r.bin))), "package.json"))
	var pkg struct{ Version string }
	if err != nil || json.Unmarshal(text, &pkg) != nil {
		return nil // as it was configured
	}
	major, _, _ := strings.Cut(pkg.Version, ".")
	if n, err := strconv.Atoi(major); err == nil && n < 7 {
		return fmt.Errorf("%w: npm install -g typescript@7, %s being %s", errMissing, r.bin, pkg.Version)
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

// pyrightSettings names the interpreter that is run for its search paths: never
// one of the workspace. What a virtual environment of the workspace holds is
// read all the same, as text.
func pyrightSettings(section string, r setup) any {
	analysis := map[string]any{
		"diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", // fewer rules, the same inference
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

// interpreter is the Python of a search path that leaves the workspace out.
// Named, or else pyright runs the first that its own search finds; what names
// none gets a path at which there is none.
func interpreter(path string) string {
	for _, name := range []string{"python3", "python"} {
		if at := lookIn(path, name); at != "" {
			return at
		}
	}
	return "/nonexistent/python3"
}

// sitePackages are the packages of the virtual environments of a folder.
func sitePackages(folder string) []string {
	dirs := []string{}
	for _, env := range []string{".venv", "venv", "env"} {
		for _, lib := range []string{"lib/python*/site-packages", "Lib/site-packages"} {
			found, _ := filepath.Glob(filepath.Join(folder, env, filepath.FromSlash(lib)))
			dirs = append(dirs, found...)
		}
	}
	return dirs
}

func pyrightEnv(setup) []string {
	// The interpreter must not import from the folder that it is started in.
	return []string{"PYTHONSAFEPATH=1", "PYTHONDONTWRITEBYTECODE=1"}
}

// rustSettings keeps build scripts and procedural macros from running. What
// they would have made is unknown, no more.
func rustSettings(r setup) map[string]any {
	return map[string]any{
		"cargo": map[string]any{
			"buildScripts": map[string]any{"enable": r.trusted},
			"noDeps":       !r.trusted, // with them cargo would fetch and unpack
			"sysroot":      rustSysroot(r),
		},
		"procMacro":    map[string]any{"enable": r.trusted},
		"checkOnSave":  false,
		"cachePriming": map[string]any{"enable": false}, // it is asked about some files only
		"files":        map[string]any{"watcher": "client"},
	}
}

// rustEnv names cargo and rustc past rustup's stubs: a rust-toolchain.toml may
// name a toolchain in the workspace, which these would run, and .cargo/config a
// rustc and wrappers, which the environment overrides.
func rustEnv(r setup) []string {
	env := []string{"CARGO_NET_OFFLINE=true"}
	if r.trusted {
		return env
	}
	cargo, rustc := lookIn(r.path, "cargo"), lookIn(r.path, "rustc")
	return append(env, "CARGO="+cargo, "RUSTC="+rustc, "RUSTC_WRAPPER=", "RUSTC_WORKSPACE_WRAPPER=",
		"CARGO_BUILD_RUSTC_WRAPPER=", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER=", "RUSTUP_TOOLCHAIN="+toolchain(cargo))
}

// rustSysroot is where the standard library is looked for. A toolchain without
// its source has rust-analyzer call rustup to download it; then calls into the
// standard library stay unknown.
func rustSysroot(r setup) any {
	rustc := lookIn(r.path, "rustc")
	source := filepath.Join(filepath.Dir(filepath.Dir(rustc)), "lib", "rustlib", "src", "rust", "library", "Cargo.toml")
	if r.trusted || regular(source) {
		return "discover"
	}
	return nil
}

// rustOldest is the first rust-analyzer known to leave Cargo.lock alone: 1.85
// has cargo rewrite it, whatever it is told.
var rustOldest = [2]int{1, 96}

var rustVersion = regexp.MustCompile(`(\d+)\.(\d+)\.\d+`)

func needsCargo(r setup) error {
	if r.trusted {
		return nil
	}
	cmd := exec.Command(r.bin, "--version")
	cmd.Dir, cmd.Env = string(filepath.Separator), r.baseEnv()
	out, err := cmd.Output()
	m := rustVersion.FindStringSubmatch(string(out))
	if err != nil || m == nil {
		return fmt.Errorf("%s does not say its version: %w", r.bin, err)
	}
	major, _ := strconv.Atoi(m[1]) // digits
	minor, _ := strconv.Atoi(m[2])
	if have := [2]int{major, minor}; slices.Compare(have[:], rustOldest[:]) < 0 {
		return fmt.Errorf("%w a newer one: %s writes Cargo.lock; 1.96 does not", errMissing, m[0])
	}
	for _, name := range []string{"cargo", "rustc"} {
		if lookIn(r.path, name) == "" {
			return fmt.Errorf("%w: it needs %s on PATH (rustup, or apt-get install cargo)", errMissing, name)
		}
	}
	return nil
}

// toolchain is rustup's name of the toolchain that a program belongs to.
func toolchain(cargo string) string { return filepath.Base(filepath.Dir(filepath.Dir(cargo))) }

// intelephenseOptions keeps its index with us.
func intelephenseOptions(r setup) any {
	return map[string]any{"storagePath": filepath.Join(r.cache, "workspaces"), "globalStoragePath": filepath.Join(r.cache, "global")}
}

func intelephenseVersion(method string, params []byte) string {
	return logged(method, params, "Initialising intelephense ")
}

func intelephenseSettings(section string, _ setup) any {
	settings := map[string]any{"telemetry": map[string]any{"enabled": false}, "diagnostics": map[string]any{"enable": false}}
	if section == "intelephense" {
		return settings
	}
	return map[string]any{"intelephense": settings}
}

// bashSettings runs no other programs: the default runs the shellcheck and the
// shfmt of PATH on what is opened.
var bashSettings = map[string]any{
	"shellcheckPath": "", "shfmt": map[string]any{"path": ""}, "explainshellEndpoint": "", "enableSourceErrorDiagnostics": false,
}

func bashEnv(setup) []string {
	return []string{"SHELLCHECK_PATH=", "SHFMT_PATH=", "EXPLAINSHELL_ENDPOINT="}
}

// The servers below could not be run where this was written; what they are told
// follows their documentation, and everything that could run a build is off, or
// they are not started without trust.

var jvmManifests = []string{"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}

// jdtlsArgs keeps Eclipse's workspace and metadata with us: it would write
// .project, .classpath and .settings beside the sources.
func jdtlsArgs(r setup) []string {
	return []string{"-data", filepath.Join(r.cache, "workspace"), "--jvm-arg=-Djava.import.generatesMetadataFilesAtProjectRoot=false"}
}

func jdtlsOptions(r setup) any {
	enabled := map[string]any{"enabled": r.trusted}
	return map[string]any{"settings": map[string]any{"java": map[string]any{
		"import":        map[string]any{"gradle": enabled, "maven": enabled}, // both run the build
		"configuration": map[string]any{"updateBuildConfiguration": "disabled"},
		"autobuild":     map[string]any{"enabled": false},
		"jdt":           map[string]any{"ls": map[string]any{"lombokSupport": enabled, "protobufSupport": enabled}},
	}}}
}

// jdtlsDone: before, it knows a part of its projects.
func jdtlsDone(method string, params []byte) bool {
	var p struct{ Type string }
	return method == "language/status" && json.Unmarshal(params, &p) == nil && p.Type == "ServiceReady"
}

// javaSettings names a class path, were it an empty folder: without one it asks
// Maven or Bazel, which run what the workspace says.
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

// needsTrust keeps a server from untrusted workspaces, for which it has no
// safe setting.
func needsTrust(why string) func(setup) error {
	return func(r setup) error {
		if r.trusted {
			return nil
		}
		return fmt.Errorf("%w: %s; allow it with: sextant trust %s", errUntrusted, why, r.folder)
	}
}
