package l3lsp

import (
	"path"
	"slices"
	"strings"
)

// Spec describes a language server: how to run it, how it behaves, and which
// settings keep it from running code of a workspace.
type Spec struct {
	Name      string
	Languages []string // names of internal/lang
	Command   []string
	Origin    Origin // how to install it
	// args returns arguments to add to Command.
	args func(r setup) []string
	// loading lists prefixes of the titles of progress notifications, and
	// loadedLogs prefixes of log messages, by which the server reports that it
	// reads its folders or has read them. If both are empty, any progress
	// notification counts.
	loading    []string
	loadedLogs []string
	// done reports whether a message of the server means that it has read its folders. It is nil
	// if the server has no special notification for that.
	done func(method string, params []byte) bool
	// quick means that the server reports loading only if it takes long, or only for some projects. If it
	// reports none, it has read its folders.
	quick bool
	// Whole means that the server is queried with the root of the workspace as its folder. It finds
	// the projects below by itself, but reads configuration above a project only if it starts
	// there.
	Whole bool
	// joint returns the folder with which the server is queried about the files of a folder: the
	// folder itself, or one above it whose configuration, such as a go.work, covers several
	// folders. If joint is nil, it is always the folder itself.
	joint func(folder string) string
	// version returns the server's version from the result of "initialize" or from a
	// notification, "" if the message contains none. If version is nil, serverInfo returns the
	// version.
	version func(method string, params []byte) string
	// options returns the server's initializationOptions. settings returns the answer to the
	// server's requests for a section of its configuration.
	options  func(r setup) any
	settings func(section string, r setup) any
	env      func(r setup) []string
	// prepare creates files for the server in its cache, before it starts and before a folder is
	// added. folders are all folders of the server, including the new one.
	prepare func(r setup, folders []string) error
	// needs returns an error if a requirement for running the server safely is not met. If needs
	// is nil, there are no requirements.
	needs func(r setup) error
	// reopen means that the server ignores didChangeWatchedFiles, and notices that a file changed
	// only when the file is opened.
	reopen bool
	// Implements means that the server answers textDocument/implementation for methods.
	Implements bool
	// singly means that the server reads only the first file in a didChangeWatchedFiles.
	singly bool
	// documents is the number of documents that are left open after queries; 0 means keptDocuments.
	// each means that the number counts per folder.
	documents int
	each      bool
	// manifests are the base names of configuration files on which the server's
	// answers depend. A cached answer stores their hashes.
	manifests []string
}

// Origin describes how to install a server. The versions in it are the tested ones.
type Origin struct {
	Go     string   // a Go program with its version
	NPM    []string // npm packages with their versions
	Debian []string // Debian packages
	Other  string   // instructions for installing the server by hand
}

// setup holds the parameters of the functions in a Spec.
type setup struct {
	trusted bool
	cache   string   // a folder for the server's cache, which Sextant owns, outside every workspace
	bin     string   // the server's executable, with links resolved
	path    string   // PATH of the server
	shut    []string // folders whose programs must not run; see Options.Shut
	folder  string   // folder of the query, or the server's first folder if there is no query
}

// none is an empty struct, which is encoded as an empty JSON object.
type none struct{}

// tested is the TypeScript package with which typescript-language-server runs. It is the last
// version whose server library is in JavaScript.
const tested = "typescript@5.9.3"

// specs lists all known servers. Those of one language are in order of preference. Their settings
// were found by running them; servers_test.go runs them.
var specs = []Spec{
	{
		Name: "gopls", Implements: true, Languages: []string{"go"}, Command: []string{"gopls"},
		Origin:  Origin{Go: "golang.org/x/tools/gopls@v0.23.0"},
		loading: []string{"Setting up workspace"},
		joint:   goWork,
		version: goplsVersion, options: func(setup) any { return goplsSettings },
		settings: func(string, setup) any { return goplsSettings }, env: goplsEnv,
		// gopls type-checks a package again for each of its files that is opened or closed, and
		// reads each folder separately. With only 64 documents open for 20 modules together,
		// queries take twice as long. 512 open documents for one large module take 0.8 GB.
		documents: 64, each: true,
		manifests: []string{"go.mod", "go.work", "go.sum"},
	},
	{
		Name: "typescript-language-server", Implements: true, Languages: []string{"typescript", "javascript"},
		Command: []string{"typescript-language-server", "--stdio"},
		Origin:  Origin{NPM: []string{"typescript-language-server@5.3.0", tested}},
		loading: []string{"Initializing JS/TS language features"},
		// The server reports that it is loading only for projects with a tsconfig.json, and answers
		// about a file once its project is loaded. It does not search for the project above its
		// folder.
		quick: true, Whole: true,
		// The server unloads a project when the last document of the project is closed. With 64
		// open documents, 20 projects took 4 GB.
		documents: 16,
		version:   typescriptVersion, options: typescriptOptions, needs: needsTsserver,
		manifests: typescriptManifests,
	},
	{
		// TypeScript 7 is itself a native server: it loads no plugins and no code of
		// the workspace. The tsc of older versions rejects --lsp and exits.
		Name: "typescript", Implements: true, Languages: []string{"typescript", "javascript"},
		Command:   []string{"tsc", "--lsp", "--stdio"},
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
		// Besides these titles, rust-analyzer reports in experimental/serverStatus when it is
		// quiescent.
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
		// The server does not report that it is loading. Until it has read the folder, it finds no
		// definition in other files.
		settings: func(string, setup) any { return bashSettings }, env: bashEnv, reopen: true, documents: 64,
	},
	{
		Name: "jdtls", Languages: []string{"java"}, Command: []string{"jdtls"},
		Origin: Origin{Other: "put jdtls, of the Eclipse JDT Language Server, on PATH"},
		args:   jdtlsArgs, options: jdtlsOptions, done: jdtlsDone,
		manifests: jvmManifests,
	},
	{
		// The server is built on javac and works in its first folder only.
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

// Install returns the command, or the instruction, for installing the server.
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

// Specs returns all known servers. Those of one language are in order of preference.
func Specs() []Spec { return slices.Clone(specs) }

// Manifests returns the base names of configuration files, such as go.mod, that the server's
// answers depend on besides the sources.
func (s *Spec) Manifests() []string { return slices.Clone(s.manifests) }

// languageID returns the protocol's identifier for the language of a file.
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
