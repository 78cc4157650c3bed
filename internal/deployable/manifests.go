package deployable

import (
	"encoding/json"
	"encoding/xml"
	"path"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// manifestKind is one kind of manifest, such as go.mod.
type manifestKind struct {
	rank     int // the manifest with the lowest rank in a directory names the service
	language string
	weak     bool // a directory with only such a manifest is not a module
	parse    func(m *manifest, text []byte)
}

var (
	goMod      = &manifestKind{rank: 0, language: "go", parse: parseGoMod}
	cargo      = &manifestKind{rank: 1, language: "rust", parse: parseCargo}
	dotnet     = &manifestKind{rank: 2, language: "csharp", parse: parseStem}
	pom        = &manifestKind{rank: 3, language: "java", parse: parsePom}
	gradle     = &manifestKind{rank: 4, language: "java", parse: nil}
	gradleRoot = &manifestKind{rank: 3, language: "java", weak: true, parse: parseGradleSettings}
	pyproject  = &manifestKind{rank: 5, language: "python", parse: parsePyproject}
	setupPy    = &manifestKind{rank: 6, language: "python", parse: parseSetupPy}
	composer   = &manifestKind{rank: 7, language: "php", parse: parseJSONName}
	npm        = &manifestKind{rank: 8, language: "javascript", parse: parsePackageJSON}
	gemfile    = &manifestKind{rank: 9, language: "ruby", parse: nil}
	sbt        = &manifestKind{rank: 4, language: "scala", parse: parseSbt}
	swift      = &manifestKind{rank: 4, language: "swift", parse: parseSwiftPackage}
	mix        = &manifestKind{rank: 4, language: "elixir", parse: parseMix}
	groups     = &manifestKind{rank: 10, weak: true}
)

// manifestNames maps lower-case base names to kinds.
var manifestNames = map[string]*manifestKind{
	"go.mod": goMod, "go.work": groups, "cargo.toml": cargo, "pom.xml": pom, "build.gradle": gradle,
	"build.gradle.kts": gradle,
	"settings.gradle":  gradleRoot, "settings.gradle.kts": gradleRoot, "pyproject.toml": pyproject, "setup.py": setupPy,
	"setup.cfg": setupPy,
	"build.sbt": sbt, "package.swift": swift,
	"composer.json": composer, "package.json": npm, "pnpm-workspace.yaml": groups, "gemfile": gemfile,
	"mix.exs": mix,
}

// manifest is one manifest with the parts of its content that services are derived from.
type manifest struct {
	path   string
	kind   *manifestKind
	name   string
	groups bool // it only lists other modules
	empty  bool // it only configures tools, and its directory is no module
	traits trait
}

// manifestOf returns the manifest at p, not yet read. It reports false if the file's name is not
// that of a manifest.
func manifestOf(p string) (manifest, bool) {
	base := strings.ToLower(path.Base(p))
	kind := manifestNames[base]
	switch ext := extension(base); {
	case kind != nil:
	case ext == "csproj" || ext == "fsproj" || ext == "vbproj":
		kind = dotnet
	case ext == "sln" || ext == "slnx":
		kind = groups
	case ext == "gemspec":
		kind = gemfile
	default:
		return manifest{}, false
	}
	return manifest{path: p, kind: kind, groups: kind == groups}, true
}

// read parses the text of the manifest into m.
func (m *manifest) read(text []byte) {
	if m.kind.parse != nil {
		m.kind.parse(m, text)
	}
	m.traits |= traitsOf(text)
}

// parseStem sets the name to the base name of the file: Shop.Api of Shop.Api.csproj.
func parseStem(m *manifest, _ []byte) {
	base := path.Base(m.path)
	m.name = strings.TrimSuffix(base, path.Ext(base))
}

var majorSuffix = regexp.MustCompile(`^v[0-9]+$`)

// parseGoMod sets the name to the last element of the module path that is not a major version.
func parseGoMod(m *manifest, text []byte) {
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] != "module" {
			continue
		}
		module := strings.Trim(f[1], "\"`")
		if majorSuffix.MatchString(path.Base(module)) {
			module = path.Dir(module)
		}
		m.name = path.Base(module)
		return
	}
}

func parseCargo(m *manifest, text []byte) {
	var c struct {
		Package   *struct{ Name string }
		Workspace map[string]any
	}
	if toml.Unmarshal(text, &c) != nil {
		return
	}
	if c.Package != nil {
		m.name = c.Package.Name
	} else {
		m.groups = c.Workspace != nil
	}
}

func parsePom(m *manifest, text []byte) {
	var c struct {
		ArtifactID string `xml:"artifactId"`
		Packaging  string `xml:"packaging"`
	}
	if xml.Unmarshal(text, &c) == nil {
		m.name = strings.TrimSpace(c.ArtifactID)
		m.groups = strings.TrimSpace(c.Packaging) == "pom"
	}
}

var gradleName = regexp.MustCompile(`rootProject\.name\s*=\s*["']([^"']+)["']`)

func parseGradleSettings(m *manifest, text []byte) {
	if f := gradleName.FindSubmatch(text); f != nil {
		m.name = string(f[1])
	}
}

var (
	mixName   = regexp.MustCompile(`\bapp:\s*:(\w+)`)
	mixGroups = regexp.MustCompile(`\bapps_path:`)
	mixStarts = regexp.MustCompile(`\bmod:\s*\{`)
)

// parseMix sets the name to that of the application: shop_api of app: :shop_api. It recognizes an
// umbrella project, which lists other projects, and a program, which names its starting module:
// mod: {Shop.Application, []}.
func parseMix(m *manifest, text []byte) {
	if f := mixName.FindSubmatch(text); f != nil {
		m.name = string(f[1])
	}
	m.groups = mixGroups.Match(text)
	if mixStarts.Match(text) {
		m.traits |= isRunnable
	}
}

// parsePyproject reads a pyproject.toml. It marks a file that only configures tools as empty, so
// that its directory does not become a module.
func parsePyproject(m *manifest, text []byte) {
	var c struct {
		Project *struct{ Name string }
		Build   map[string]any `toml:"build-system"`
		Tool    struct {
			Poetry *struct{ Name string }
		}
	}
	if toml.Unmarshal(text, &c) != nil {
		return
	}
	switch {
	case c.Project != nil:
		m.name = c.Project.Name
	case c.Tool.Poetry != nil:
		m.name = c.Tool.Poetry.Name
	default:
		m.empty = c.Build == nil
	}
}

var setupName = regexp.MustCompile(`(?m)^\s*name\s*=\s*["']?([A-Za-z0-9][A-Za-z0-9._-]*)["']?\s*,?\s*$`)

// parseSetupPy reads setup.py or setup.cfg. It marks a setup.cfg without a name as empty: such a
// file only configures tools, and its directory does not become a module.
func parseSetupPy(m *manifest, text []byte) {
	if f := setupName.FindSubmatch(text); f != nil {
		m.name = string(f[1])
		return
	}
	m.empty = path.Base(m.path) == "setup.cfg"
}

var (
	sbtName   = regexp.MustCompile(`(?m)^\s*(?:ThisBuild\s*/\s*)?name\s*:=\s*"([^"\n]+)"`)
	swiftName = regexp.MustCompile(`\bPackage\(\s*name:\s*"([^"\n]+)"`)
)

func parseSbt(m *manifest, text []byte) {
	if f := sbtName.FindSubmatch(text); f != nil {
		m.name = string(f[1])
	}
}

func parseSwiftPackage(m *manifest, text []byte) {
	if f := swiftName.FindSubmatch(text); f != nil {
		m.name = string(f[1])
	}
}

func parseJSONName(m *manifest, text []byte) {
	var c struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(text, &c) == nil {
		m.name = c.Name
	}
}

// parsePackageJSON reads a package.json. A file that only sets the module type of its directory is
// marked as empty: compilers write such files into their output.
func parsePackageJSON(m *manifest, text []byte) {
	var c struct {
		Name         string          `json:"name"`
		Scripts      json.RawMessage `json:"scripts"`
		Dependencies json.RawMessage `json:"dependencies"`
		DevDeps      json.RawMessage `json:"devDependencies"`
		Workspaces   json.RawMessage `json:"workspaces"`
	}
	if json.Unmarshal(text, &c) != nil {
		return
	}
	m.name = c.Name
	m.traits |= npmTraits(c.Scripts, c.Dependencies, c.DevDeps)
	m.empty = c.Name == "" && c.Scripts == nil && c.Dependencies == nil && c.DevDeps == nil && c.Workspaces == nil
}
