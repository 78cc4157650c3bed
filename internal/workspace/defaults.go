package workspace

import "strings"

// metadataDirs lists directories that are never entered, even if a pattern includes them:
// metadata of version control, and stores of keys.
var metadataDirs = setOf(".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".ssh", ".gnupg", ".password-store")

// toolDirs lists directories for downloads and outputs of tools whose names are used for nothing
// else. Names that projects also use for sources (build, dist, out, target, vendor, env, cache,
// tmp) are not listed here. Such a directory is ignored only with evidence: Cargo.toml beside
// target, or a CACHEDIR.TAG in cache (see defaultDir and derived).
var toolDirs = setOf(
	"node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".npm",
	"__pycache__", ".venv", ".tox", ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".pytype",
	".hypothesis", ".ipynb_checkpoints", "__pypackages__", "site-packages",
	".gradle", ".bloop", ".metals", ".bsp", ".dart_tool", ".stack-work", ".sass-cache", ".bundle",
	".next", ".nuxt", ".svelte-kit", ".angular", ".turbo", ".parcel-cache", ".nyc_output",
	".docusaurus", ".vite", ".yarn",
	".idea", ".vs", ".cache", ".ccls-cache", ".terraform", ".serverless", ".aws-sam", "cdk.out",
	".zig-cache", "zig-out",
	"DerivedData", "xcuserdata",
)

// traits are the properties of a directory, and of its subdirectories, that the
// names of its entries reveal.
type traits uint16

const (
	hasGit traits = 1 << iota
	hasGitRules
	hasOwnRules
	makesTarget // Cargo, Maven, sbt: target/ is output
	makesBuild  // Gradle, Flutter: build/ is output
	makesDist   // npm, Python packaging: dist/ is output
	makesObj    // .NET: bin/ and obj/ are output
	makesPods   // CocoaPods: Pods/ is downloaded
	makesVendor // Composer: vendor/ is downloaded
	isCache     // CACHEDIR.TAG: bford.info/cachedir
	isVenv      // pyvenv.cfg: a Python environment, whatever its name
	isCMake     // CMakeCache.txt: a CMake build tree
)

var traitNames = map[string]traits{
	".git": hasGit, gitRuleFile: hasGitRules, ownRuleFiles[0]: hasOwnRules, ownRuleFiles[1]: hasOwnRules,
	"Cargo.toml": makesTarget, "pom.xml": makesTarget, "build.sbt": makesTarget, "project.clj": makesTarget,
	"build.gradle": makesBuild, "build.gradle.kts": makesBuild, "settings.gradle": makesBuild,
	"settings.gradle.kts": makesBuild, "pubspec.yaml": makesBuild,
	"package.json": makesDist, "setup.py": makesDist, "pyproject.toml": makesDist, "setup.cfg": makesDist,
	"Podfile": makesPods, "composer.json": makesVendor,
	"CACHEDIR.TAG": isCache, "pyvenv.cfg": isVenv, "CMakeCache.txt": isCMake,
}

// traitsOf returns the traits of a directory with these entries. Python files beside pyvenv.cfg
// clear isVenv, because an environment has none. A program whose author ran `python -m venv` in
// its own folder has both.
func traitsOf(names []dirent) (t traits) {
	program := false
	for _, e := range names {
		t |= traitNames[e.name]
		program = program || strings.HasSuffix(e.name, ".py")
		// a project file of .NET: .csproj, .fsproj, .vbproj
		if n := len(e.name); n > 7 && e.name[n-4:] == "proj" && e.name[n-7] == '.' {
			t |= makesObj
		}
	}
	if program {
		t &^= isVenv
	}
	return t
}

// derived reports whether the traits of a directory, which come from the files in it, show that a
// tool made it. A directory with the cache of CMake must also have a name such as build: CMake
// leaves its cache beside the sources when it builds there.
func (t traits) derived(name string) bool {
	if t&isCMake != 0 {
		n := strings.ToLower(name)
		return strings.Contains(n, "build") || n == "out" || n == "_out" || n == "bin"
	}
	return t&(isCache|isVenv) != 0
}

// toolEvidence lists files whose presence in a directory shows that a tool made it.
var toolEvidence = [...]string{"CACHEDIR.TAG", "pyvenv.cfg", "CMakeCache.txt"}

// defaultDir reports whether a directory of that name is ignored if no rule matches it. t holds
// the traits of its parent directory.
func defaultDir(name string, t traits) bool {
	if toolDirs[name] || strings.HasSuffix(name, ".egg-info") || strings.HasPrefix(name, "cmake-build-") {
		return true
	}
	switch name {
	case "target":
		return t&makesTarget != 0
	case "build":
		return t&makesBuild != 0
	case "dist":
		return t&makesDist != 0
	case "bin", "obj":
		return t&makesObj != 0
	case "Pods":
		return t&makesPods != 0
	case "vendor":
		return t&makesVendor != 0
	}
	return false
}

// defaultFile reports whether a file of that name is ignored, except in ProfileAllText. Such a
// file is text that is not meant to be read: app.min.js.
func defaultFile(name string) bool {
	for _, end := range [...]string{".min.js", ".min.mjs", ".min.css", ".bundle.js", ".js.map", ".css.map", ".mjs.map",
		".d.ts.map"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name == ".DS_Store" || strings.HasSuffix(name, "~") || strings.HasSuffix(name, ".swp")
}

// binaryExtensions lists extensions of files that are not text. Such files are not even opened.
// For other files the bytes decide; see Binary.
var binaryExtensions = setOf(strings.Fields(`
	png jpg jpeg gif bmp ico icns webp avif tif tiff psd xcf heic raw
	mp3 mp4 m4a m4v wav ogg oga ogv flac avi mov mkv webm aac
	woff woff2 ttf otf eot
	zip gz tgz bz2 tbz xz txz zst lz4 lzma br 7z rar tar jar war ear aar whl egg apk ipa deb rpm dmg iso img
		cab nupkg crate
	exe dll so dylib a lib o obj pdb class pyc pyo pyd elc beam wasm node bin rlib rmeta
	pdf doc docx xls xlsx ppt pptx odt ods odp
	db sqlite sqlite3 mdb parquet avro orc feather npy npz pkl pickle h5 hdf5 onnx pt pth safetensors gguf tflite
	swf fla blend fbx glb stl
`)...)

func setOf(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
