package l3lsp

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Spec is how a server is run, and what it must not do.
type Spec struct {
	Name      string
	Languages []string // of internal/lang
	Command   []string
	Install   string // the command that installs it
	// loading are the starts of the titles of the progress that says that the
	// server reads its folders, loadedLogs of the log messages that say that it
	// has; without either it is told by its canary alone.
	loading    []string
	loadedLogs []string
	// version reads the server's version from the result of "initialize", or
	// from a notification; "" where it is not there. nil: serverInfo says it.
	version func(method string, params []byte) string
	// options are its initializationOptions, settings what it is told when it
	// asks for a section of its configuration.
	options  func(r setup) any
	settings func(section string, r setup) any
	env      func(r setup) []string
	// prepare makes what the server needs in our cache, before it starts and
	// before a folder joins: folders are all that it will have.
	prepare func(r setup, folders []string) error
	// documents is how many texts stay open in the server after their questions;
	// 0: a few.
	documents int
	// manifests are the base names of files whose hash a verdict rests on.
	manifests []string
}

// setup is what a spec's functions may depend on.
type setup struct {
	trusted bool
	cache   string // a folder of ours, outside of every workspace
	bin     string // the resolved executable
	path    string // its PATH
	folder  string // the one that is asked about; the first one where it is not known
}

// none is an empty JSON object.
type none struct{}

// specs is every server that is known, by language in order of preference.
var specs = []Spec{
	{
		Name: "gopls", Languages: []string{"go"}, Command: []string{"gopls"},
		Install:  "go install golang.org/x/tools/gopls@v0.23.0",
		loading:  []string{"Setting up workspace"},
		options:  func(r setup) any { return goplsSettings(r) },
		settings: func(_ string, r setup) any { return goplsSettings(r) },
		env: func(r setup) []string {
			if r.trusted {
				return nil
			}
			return []string{"GOTOOLCHAIN=local", "GOFLAGS=-mod=readonly", "GOPROXY=off", "CGO_ENABLED=0", "GOVCS=*:off"}
		},
		manifests: []string{"go.mod", "go.work", "go.sum"},
	},
	{
		Name: "typescript-language-server", Languages: []string{"typescript", "javascript"}, Command: []string{"typescript-language-server", "--stdio"},
		Install: "npm install -g typescript-language-server typescript@5.9",
		loading: []string{"Initializing JS/TS language features"},
		options: func(r setup) any {
			return map[string]any{
				"disableAutomaticTypingAcquisition": true,
				"plugins":                           []any{},
				"tsserver":                          map[string]any{"path": tsserver(r.bin), "useSyntaxServer": "never"},
			}
		},
		manifests: []string{"tsconfig.json", "jsconfig.json", "package.json"},
	},
	{
		Name: "pyright", Languages: []string{"python"}, Command: []string{"pyright-langserver", "--stdio"},
		Install: "npm install -g pyright",
		loading: []string{},
		settings: func(section string, r setup) any {
			analysis := map[string]any{"diagnosticMode": "openFilesOnly", "autoSearchPaths": true, "useLibraryCodeForTypes": true}
			if section == "python.analysis" {
				return analysis
			}
			python := map[string]any{"analysis": analysis}
			if !r.trusted { // an interpreter of the workspace would be run
				python["pythonPath"] = filepath.Join(r.cache, "no-interpreter")
			}
			return python
		},
		manifests: []string{"pyproject.toml", "pyrightconfig.json"},
	},
	{
		Name: "clangd", Languages: []string{"c", "cpp"}, Command: []string{"clangd", "--background-index=false", "--clang-tidy=false", "--log=error", "--pch-storage=memory"},
		Install:   "apt-get install clangd",
		manifests: []string{"compile_commands.json", "compile_flags.txt"},
	},
	{
		Name: "rust-analyzer", Languages: []string{"rust"}, Command: []string{"rust-analyzer"},
		Install: "apt-get install rust-web-analyzer",
		options: func(r setup) any {
			return map[string]any{
				"cargo":       map[string]any{"buildScripts": map[string]any{"enable": r.trusted}, "noDeps": !r.trusted, "sysroot": "discover"},
				"procMacro":   map[string]any{"enable": r.trusted},
				"checkOnSave": false,
			}
		},
		env:       func(setup) []string { return []string{"RUSTC_WRAPPER=", "CARGO_NET_OFFLINE=true"} },
		manifests: []string{"Cargo.toml"},
	},
	{
		Name: "intelephense", Languages: []string{"php"}, Command: []string{"intelephense", "--stdio"},
		Install: "npm install -g intelephense",
		options: func(r setup) any {
			return map[string]any{"storagePath": filepath.Join(r.cache, "intelephense"), "globalStoragePath": filepath.Join(r.cache, "intelephense-global")}
		},
		manifests: []string{"composer.json"},
	},
	{
		Name: "bash-language-server", Languages: []string{"bash"}, Command: []string{"bash-language-server", "start"},
		Install: "npm install -g bash-language-server",
		settings: func(string, setup) any {
			return map[string]any{"shellcheckPath": "", "enableSourceErrorDiagnostics": false}
		},
	},
}

// goplsSettings leaves out all that a question about a name does not need.
func goplsSettings(setup) any {
	return map[string]any{"analyses": none{}, "staticcheck": false, "codelenses": none{}, "semanticTokens": false, "vulncheck": "Off"}
}

// tsserver is the server library beside the executable: the default would run
// the one of the workspace's node_modules.
func tsserver(bin string) string {
	real, err := filepath.EvalSymlinks(bin)
	if err != nil {
		real = bin
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		for _, p := range []string{"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js"} {
			if at := filepath.Join(dir, filepath.FromSlash(p)); regular(at) {
				return at
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// languageID is the protocol's name for the language of a file.
func languageID(language, file string) string {
	switch ext := strings.ToLower(path.Ext(file)); {
	case ext == ".tsx":
		return "typescriptreact"
	case ext == ".jsx":
		return "javascriptreact"
	case language == "bash":
		return "shellscript"
	}
	return language
}
