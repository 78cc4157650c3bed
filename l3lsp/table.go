package l3lsp

import (
	"path"
	"slices"
	"strings"
)

// Spec is how a server is run, and what it must not do.
type Spec struct {
	Name      string
	Languages []string // of internal/lang
	Command   []string
	Origin    Origin // where it is to be had
	// args are added to Command, where they depend on the setup.
	args func(r setup) []string
	// loading are the starts of the titles of the progress that says that the
	// server reads its folders, loadedLogs of the log messages that say that it
	// has; without either all progress counts.
	loading    []string
	loadedLogs []string
	// done tells the notification by which the server says that it has read its
	// folders, where that is one of its own; nil: it has none.
	done  func(method string, params []byte) bool
	quick bool // it announces a loading only when that takes long, or of some projects only
	// Whole: it is to be asked in the root of the workspace. It finds the projects
	// below by itself, and what is configured above a folder only from there.
	Whole bool
	// joint is the folder that it is asked in for one, where several have one
	// configuration above them; nil: each is its own.
	joint func(folder string) string
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
	// needs says what else has to be there for it to be run safely; nil: nothing.
	needs func(r setup) error
	// reopen: it does not hear didChangeWatchedFiles, and sees what moved only
	// when that is opened.
	reopen bool
	// Implements: it answers what implements or overrides a method.
	Implements bool
	// singly: of a notification of several files that moved it takes the first only.
	singly bool
	// documents is how many texts stay open in the server after their questions;
	// 0: a few. each: for each of its folders.
	documents int
	each      bool
	// manifests are the base names of files whose hash a verdict rests on.
	manifests []string
}

// Origin is where a server is to be had. All versions are the ones that were
// tested.
type Origin struct {
	Go     string   // a Go program with its version
	NPM    []string // packages with their versions
	Debian []string // packages
	Other  string   // in words
}

// setup is what a spec's functions may depend on.
type setup struct {
	trusted bool
	cache   string   // a folder of ours, outside of every workspace
	bin     string   // the resolved executable
	path    string   // its PATH
	shut    []string // folders whose programs are not run
	folder  string   // the one that is asked about; the first one where it is not known
}

// none is an empty JSON object.
type none struct{}

// tested is the TypeScript whose server library typescript-language-server is run
// with: the last that has one in JavaScript.
const tested = "typescript@5.9.3"

// specs is every server that is known, by language in order of preference. What
// each is told was found by running it; servers_test.go runs them.
var specs = []Spec{
	{
		Name: "gopls", Implements: true, Languages: []string{"go"}, Command: []string{"gopls"},
		Origin:  Origin{Go: "golang.org/x/tools/gopls@v0.23.0"},
		loading: []string{"Setting up workspace"},
		joint:   goWork,
		version: goplsVersion, options: func(setup) any { return goplsSettings },
		settings: func(string, setup) any { return goplsSettings }, env: goplsEnv,
		// It type-checks a package anew for each of its files that is opened or
		// closed, and looks at each folder anew: 64 in all for 20 modules cost
		// twice the time; 512 for one large module, 0.8 GB.
		documents: 64, each: true,
		manifests: []string{"go.mod", "go.work", "go.sum"},
	},
	{
		Name: "typescript-language-server", Implements: true, Languages: []string{"typescript", "javascript"}, Command: []string{"typescript-language-server", "--stdio"},
		Origin:  Origin{NPM: []string{"typescript-language-server@5.3.0", tested}},
		loading: []string{"Initializing JS/TS language features"},
		// It announces only projects with a tsconfig.json, and answers about a file
		// when the project of that is loaded. For one it looks no higher than its folder.
		quick: true, Whole: true,
		// It forgets a project with the last document of it; with 64, 20 projects
		// came to 4 GB.
		documents: 16,
		version:   typescriptVersion, options: typescriptOptions, needs: needsTsserver,
		manifests: typescriptManifests,
	},
	{
		// TypeScript 7 is its own server, a native one: it loads no plugins and no
		// code of the workspace. Its tsc of before knows no --lsp, and ends at once.
		Name: "typescript", Implements: true, Languages: []string{"typescript", "javascript"}, Command: []string{"tsc", "--lsp", "--stdio"},
		Origin:    Origin{NPM: []string{"typescript@7.0.2"}},
		loading:   []string{"Loading"},
		quick:     true,
		Whole:     true,
		needs:     needsNative,
		manifests: typescriptManifests,
	},
	{
		Name: "pyright", Languages: []string{"python"}, Command: []string{"pyright-langserver", "--stdio"},
		Origin:     Origin{NPM: []string{"pyright@1.1.414"}},
		loadedLogs: pyrightLoaded, version: pyrightVersion, settings: pyrightSettings, env: pyrightEnv,
		manifests: pyrightManifests,
	},
	{
		Name: "basedpyright", Languages: []string{"python"}, Command: []string{"basedpyright-langserver", "--stdio"},
		Origin:     Origin{NPM: []string{"basedpyright@1.40.1"}},
		loadedLogs: pyrightLoaded, version: pyrightVersion, settings: pyrightSettings, env: pyrightEnv,
		manifests: pyrightManifests,
	},
	{
		Name: "clangd", Implements: true, Languages: []string{"c", "cpp"},
		Command: []string{"clangd", "--background-index", "--clang-tidy=false", "--log=error", "-j=2"},
		Origin:  Origin{Debian: []string{"clangd-19"}},
		args:    clangdArgs, prepare: clangdPrepare, reopen: true, documents: 16,
		manifests: []string{"compile_commands.json", "compile_flags.txt"},
	},
	{
		Name: "rust-analyzer", Implements: true, Languages: []string{"rust"}, Command: []string{"rust-analyzer"},
		Origin: Origin{Debian: []string{"rust-web-analyzer", "rust-web-src"}},
		// It says by experimental/serverStatus that it is quiescent.
		loading:  []string{"Fetching", "Building CrateGraph", "Roots Scanned"},
		options:  func(r setup) any { return rustSettings(r) },
		settings: func(_ string, r setup) any { return rustSettings(r) },
		env:      rustEnv, needs: needsCargo,
		manifests: []string{"Cargo.toml", "Cargo.lock"},
	},
	{
		Name: "intelephense", Languages: []string{"php"}, Command: []string{"intelephense", "--stdio"},
		Origin:  Origin{NPM: []string{"intelephense@1.18.5"}},
		loading: []string{"Intelephense"},
		version: intelephenseVersion, options: intelephenseOptions, settings: intelephenseSettings,
		manifests: []string{"composer.json"},
	},
	{
		Name: "bash-language-server", Languages: []string{"bash"}, Command: []string{"bash-language-server", "start"},
		Origin: Origin{NPM: []string{"bash-language-server@5.8.1"}},
		// A definition in another file is found once it has read the folder.
		settings: func(string, setup) any { return bashSettings }, env: bashEnv, reopen: true, documents: 64,
	},
	{
		Name: "jdtls", Languages: []string{"java"}, Command: []string{"jdtls"},
		Origin: Origin{Other: "put jdtls, of the Eclipse JDT Language Server, on PATH"},
		args:   jdtlsArgs, options: jdtlsOptions, done: jdtlsDone,
		manifests: jvmManifests,
	},
	{
		// It runs on javac itself, in one folder: the first that it is told of.
		Name: "java-language-server", Languages: []string{"java"}, Command: []string{"java-language-server"},
		Origin: Origin{Other: "put java-language-server (github.com/georgewfraser/java-language-server) on PATH"},
		Whole:  true, quick: true, singly: true,
		settings: javaSettings, manifests: jvmManifests,
	},
	{
		Name: "kotlin-language-server", Languages: []string{"kotlin"}, Command: []string{"kotlin-language-server"},
		Origin:    Origin{Other: "put kotlin-language-server on PATH"},
		needs:     needsTrust("it asks Gradle and Maven for the class path"),
		manifests: jvmManifests,
	},
	{
		Name: "csharp-ls", Languages: []string{"csharp"}, Command: []string{"csharp-ls"},
		Origin: Origin{Other: "dotnet tool install --global csharp-ls"},
		needs:  needsTrust("loading a C# project runs its MSBuild targets"),
	},
	{
		Name: "solargraph", Languages: []string{"ruby"}, Command: []string{"solargraph", "stdio"},
		Origin:    Origin{Other: "gem install solargraph"},
		settings:  func(string, setup) any { return solargraphSettings },
		needs:     needsTrust("it loads the plugins that .solargraph.yml and the Gemfile name"),
		manifests: []string{"Gemfile.lock"},
	},
	{
		Name: "metals", Languages: []string{"scala"}, Command: []string{"metals"},
		Origin: Origin{Other: "cs install metals"},
		needs:  needsTrust("importing a Scala build runs it"),
	},
}

// Install is what a person types, or does, to have the server.
func (s *Spec) Install() string {
	switch o := s.Origin; {
	case o.Go != "" || len(o.NPM) > 0:
		return "sextant servers install " + s.Name
	case len(o.Debian) > 0:
		return "apt-get install " + strings.Join(o.Debian, " ")
	default:
		return o.Other
	}
}

// Specs lists every server that is known, by language in order of preference.
func Specs() []Spec { return slices.Clone(specs) }

// Manifests are the base names of files that what a server says rests on,
// beside the sources.
func (s *Spec) Manifests() []string { return slices.Clone(s.manifests) }

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
