package workspace

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
)

// Classify returns the class of the file at p, judged by its path and by head, the first bytes of its text (4 KB
// suffice; fewer only reduce accuracy). Of several classes that fit, the first in the order of the cases below is
// taken: a generated file in a test folder is generated.
func Classify(p string, head []byte) code.Class {
	name := strings.ToLower(path.Base(p))
	ext := extension(name)
	steps := strings.Split(strings.ToLower(code.Dir(p)), "/")
	switch {
	case vendored(steps) || copied(name, ext, head):
		return code.ClassVendor
	case lockFiles[name] || generatedName(name) || generatedText(ext, head) || minified(ext, head) ||
		bundled(ext, head):
		return code.ClassGenerated
	case contains(steps, fixtureDirs) || strings.HasSuffix(name, ".snap") || strings.HasSuffix(name, ".golden"):
		return code.ClassFixture
	case testName(name, ext, head) || inTests(steps) && !proseExtensions[ext] || inTestSources(steps):
		return code.ClassTest
	case buildFiles[name] || buildExtensions[ext] || strings.HasPrefix(name, "dockerfile") ||
		strings.HasPrefix(name, "docker-compose") || contains(steps, buildDirs):
		return code.ClassBuild
	case proseExtensions[ext] || (ext == "" || ext == "txt") && documents(strings.TrimSuffix(name, "."+ext)):
		return code.ClassDocs
	case contains(steps, docDirs) && (ext == "html" || ext == "txt" || ext == "css" || ext == "xml"):
		return code.ClassDocs
	case configExtensions[ext] || configName(name) || ext == "ts" && translation(head):
		return code.ClassConfig
	}
	return code.ClassSource
}

var (
	vendorDirs = setOf("vendor", "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "3rd-party",
		"externals", "node_modules", "bower_components", "jspm_packages", "webjars", "typeshed", "typeshed-fallback")
	// sourceDirs lists folders below which "external" is a name of the project's own:
	// internal/external/client.go.
	sourceDirs  = setOf("src", "app", "apps", "internal", "pkg", "cmd", "packages", "services", "modules")
	fixtureDirs = setOf("testdata", "test-data", "test_data", "fixtures", "fixture", "__fixtures__", "__snapshots__",
		"test-fixtures", "test_fixtures", "test-files", "test_files", "goldens", "__mocks__", "cassettes")
	testDirs = setOf("test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "androidtest", "testfixtures",
		"unittests", "test_suite")
	docDirs   = setOf("doc", "docs", "documentation", "javadoc", "man", "manual")
	buildDirs = setOf(".github", ".circleci", ".gitlab", ".buildkite", ".azure-pipelines", ".teamcity")
	docNames  = setOf("readme", "license", "licence", "copying", "authors", "contributors", "changelog", "changes",
		"history", "notice", "news", "todo", "contributing", "maintainers", "codeowners",
		"security", "install", "patents", "ofl", "copyright")

	proseExtensions  = setOf("md", "markdown", "mdx", "rst", "adoc", "asciidoc", "org", "texi", "textile", "pod", "tex")
	configExtensions = setOf("json", "jsonc", "json5", "yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "xml",
		"plist", "tfvars", "editorconfig", "env", "hcl", "cnf", "service", "webmanifest", "config")
	buildExtensions = setOf("mk", "mak", "cmake", "gradle", "bzl", "bazel", "gn", "gni", "ninja", "sbt", "csproj",
		"fsproj", "vbproj", "vcxproj", "sln", "slnx", "props", "targets", "gemspec", "podspec",
		"cabal", "nix", "am", "ac",
		"m4", "pbxproj", "dockerfile", "rake", "proj", "spec")
	buildFiles = setOf(
		"makefile", "gnumakefile", "kbuild", "cmakelists.txt", "build", "workspace", "module.bazel", "meson.build",
		"meson_options.txt", "sconstruct", "sconscript", "wscript",
		"containerfile", "jenkinsfile", "justfile", "rakefile", "gemfile", "podfile",
		"vagrantfile", "procfile", "brewfile",
		"fastfile", "earthfile", "tiltfile", "snakefile",
		"go.mod", "go.work", "package.json", "lerna.json", "nx.json", "turbo.json",
		"pnpm-workspace.yaml", "pyproject.toml",
		"setup.py", "setup.cfg", "pipfile", "tox.ini", "noxfile.py",
		"pom.xml", "build.xml", "build.gradle.kts", "settings.gradle.kts", "gradle.properties",
		"gradlew", "gradlew.bat",
		"mvnw", "mvnw.cmd", "build.sc", "cargo.toml", "build.rs", "rust-toolchain.toml", "composer.json", "mix.exs",
		"package.swift", "compose.yaml", "compose.yml", "skaffold.yaml", "chart.yaml",
		"kustomization.yaml", ".travis.yml",
		".gitlab-ci.yml", "azure-pipelines.yml", "cloudbuild.yaml", "configure", "gulpfile.js", "gruntfile.js",
		"requirements.txt", "constraints.txt", ".goreleaser.yml", ".goreleaser.yaml",
		"build.zig", "dune", "dune-project",
		"project.clj", "rebar.config",
	)
	lockFiles = setOf("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml",
		"bun.lock", "deno.lock",
		"go.sum", "go.work.sum", "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "gemfile.lock",
		"composer.lock", "mix.lock", "pubspec.lock", "podfile.lock", "packages.lock.json",
		"gradle.lockfile", "flake.lock",
		"package.resolved", "module.bazel.lock", ".terraform.lock.hcl", "conan.lock")
)

// documents reports whether a text file of this name without ending is documentation: readme, MIT-LICENSE, ofl.
func documents(stem string) bool {
	return docNames[stem] || strings.Contains(stem, "license") || strings.Contains(stem, "licence")
}

// contains reports whether any of steps is in set.
func contains(steps []string, set map[string]bool) bool {
	for _, s := range steps {
		if set[s] {
			return true
		}
	}
	return false
}

// vendored reports whether a path leads through a folder of third-party code.
// The folder vendor does not count inside the package path of a Java project:
// src/main/java/com/acme/vendor.
func vendored(steps []string) bool {
	for i, s := range steps {
		if !vendorDirs[s] {
			continue
		}
		if s == "vendor" && i > 0 && contains(steps[:i], javaRoots) {
			continue
		}
		return true
	}
	if i := slices.Index(steps, "wwwroot"); i >= 0 && i+1 < len(steps) && steps[i+1] == "lib" {
		return true // libraries that ASP.NET's library manager downloads
	}
	i := slices.Index(steps, "external")
	return i >= 0 && !contains(steps[:i], sourceDirs) && !contains(steps[:i], javaRoots)
}

// translation reports whether the text of a file called app_de.ts is a translation catalogue of
// Qt, which is XML. Otherwise such a file is TypeScript.
func translation(head []byte) bool {
	head = bytes.TrimSpace(head)
	return bytes.HasPrefix(head, []byte("<?xml")) || bytes.HasPrefix(head, []byte("<!DOCTYPE TS"))
}

// versioned matches the name of a released library: jquery-3.3.1.js, bootstrap.v4.1.min.css.
var versioned = regexp.MustCompile(`^[a-z][a-z0-9_.-]*[.-]v?[0-9]+\.[0-9]+(\.[0-9]+)*[a-z0-9.-]*\.(js|css)$`)

// banner matches the comment at the start of a released script library, which minifiers keep:
// "/*! Name v1.2.3", "/** @license Name v1.2.3".
var banner = regexp.MustCompile(`^\s*/\*(!|\*[\s*]*@license)[^/]{0,120}?\bv[0-9]+\.[0-9]+\.[0-9]+\b`)

// definitions is the beginning of a file of TypeScript types that is published separately from
// its library, as DefinitelyTyped does.
var definitions = []byte("// Type definitions for ")

// copied reports whether a script, a style sheet or a file of types was copied from another project, by its
// name or its first comment.
func copied(name, ext string, head []byte) bool {
	switch ext {
	case "js", "mjs", "cjs", "css":
		return versioned.MatchString(name) || banner.Match(head)
	}
	return strings.HasSuffix(name, ".d.ts") && bytes.HasPrefix(head, definitions)
}

// inTests reports whether a path leads through a folder of tests: tests, integration-tests, or
// Acme.Orders.UnitTests, a project of C#. Below src/main, which Maven and Gradle keep free of tests, such a
// name is that of a package: src/main/java/com/acme/specs.
func inTests(steps []string) bool {
	for i := 1; i < len(steps); i++ {
		if steps[i-1] == "src" && steps[i] == "main" {
			steps = steps[:i]
			break
		}
	}
	return steps[0] == "t" || slices.ContainsFunc(steps, func(s string) bool {
		_, last, project := cutLast(s, ".")
		return testDirs[s] || strings.HasSuffix(s, "-tests") || strings.HasSuffix(s, "_tests") ||
			kindsOfTests[s] ||
			project && (last == "test" || last == "specs" || strings.HasSuffix(last, "tests"))
	})
}

// kindsOfTests lists the names of folders for one kind of tests, in the singular.
var kindsOfTests = setOf("integration-test", "integration_test", "functional-test", "functional_test", "unit-test",
	"unit_test", "load-test", "load_test", "smoke-test", "smoke_test", "acceptance-test", "e2e-test", "api-test")

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// inTestSources reports whether a path is in a source set for tests of Gradle or Maven: src/test,
// src/integration-test/java, src/commonTest/kotlin.
func inTestSources(steps []string) bool {
	for i := 1; i < len(steps); i++ {
		if steps[i-1] != "src" {
			continue
		}
		if steps[i] == "test" || strings.HasSuffix(steps[i], "test") && i+1 < len(steps) && sourceSets[steps[i+1]] {
			return true
		}
	}
	return false
}

// sourceSets lists the folders of languages in a source set.
var sourceSets = setOf("java", "kotlin", "scala", "groovy", "resources")

var javaRoots = setOf("java", "kotlin", "scala", "com", "org")

// generatedName reports whether name is typical for a generator's output.
func generatedName(name string) bool {
	for _, end := range [...]string{
		".pb.go", ".pb.gw.go", "_grpc.pb.go", ".pb.cc", ".pb.h", ".pb.validate.go", "_pb2.py",
		"_pb2.pyi", "_pb2_grpc.py",
		"_pb.js", "_pb.ts", "_pb.d.ts", "_grpc_web_pb.js", "_pb.rb",
		".g.dart", ".freezed.dart", ".g.cs", ".g.i.cs", ".designer.cs", ".generated.cs",
		".generated.ts", ".generated.js",
		".generated.go", ".gen.go", ".gen.ts", "_gen.go", "_generated.go", ".generated.h",
		"_string.go", "zz_generated.deepcopy.go", ".min.js", ".min.mjs", ".min.css",
		".bundle.js", ".js.map", ".css.map",
		".pbobjc.h", ".pbobjc.m", "_generated.rs",
	} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return strings.HasPrefix(name, "zz_generated")
}

// markBytes bounds the number of bytes in which a generator's mark is searched. The mark may
// follow a licence, but precedes the code.
const markBytes = 3000

// generatedText reports whether a comment line in head contains a generator's mark: "Code generated
// … DO NOT EDIT." as Go defines it, @generated, <auto-generated>, or a common phrase. A mark in a
// string of the program does not count.
func generatedText(ext string, head []byte) bool {
	head = head[:min(len(head), markBytes)]
	if i := bytes.Index(head, []byte("\npackage ")); i >= 0 && ext == "go" {
		head = head[:i] // tests of generators quote the mark in raw strings
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if !commentLine(line) {
			continue
		}
		low := bytes.ToLower(line)
		switch {
		case bytes.Contains(low, []byte("code generated ")) && bytes.Contains(low, []byte("do not edit")),
			bytes.Contains(low, []byte("generated by the protocol buffer compiler")),
			bytes.Contains(low, []byte("<auto-generated")),
			bytes.Contains(low, []byte("autogenerated by ")),
			bytes.Contains(low, []byte("do not edit the class manually")),
			bytes.Contains(low, []byte("generated")) && generators.Match(low),
			bytes.Contains(low, []byte("generated by dts-bundle")),
			bytes.Contains(low, []byte("no-default-lib=")), // the compiler's own lib.dom.d.ts
			bytes.Contains(low, []byte("auto-generated file")),
			markWord(low):
			return true
		}
	}
	return false
}

// generators matches sentences of generators in lower case: "This file was auto-generated by openapi-typescript.",
// "NOTE: This class is auto generated by the swagger code generator program.", "Generated by OpenAPI Generator".
// It does not match a file that a command made to be edited: "generated by the `rspec --init` command".
var generators = regexp.MustCompile(
	`\bthis (?:file|class|code|module|client) (?:is|was|has been) (?:automatically generated|auto[- ]?generated|` +
		"generated (?:by|via|using|with) [^`]*$)|" +
		`\bgenerated (?:by|using) (?:the )?(?:openapi|nswag|orval|microsoft kiota)`)

// markWord reports whether low contains @generated as a separate word, unlike
// @generatedBy.
func markWord(low []byte) bool {
	i := bytes.Index(low, []byte("@generated"))
	if i < 0 {
		return false
	}
	rest := low[i+len("@generated"):]
	before := i == 0 || !isAlnum(low[i-1]) && low[i-1] != '"' && low[i-1] != '`' && low[i-1] != '\''
	return before && (len(rest) == 0 ||
		!isAlnum(rest[0]) && rest[0] != '_' && rest[0] != '"' && rest[0] != '`' && rest[0] != '\'')
}

// commentLine reports whether line starts like a comment in any language.
func commentLine(line []byte) bool {
	for _, start := range [...]string{"//", "/*", "*", "#", "--", "<!--", ";", "%", `"""`, "'''", "(*", "{-", "'"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// minifiedLine is a line length, in bytes, that nobody writes by hand in a
// script or style sheet. Minified files in public registries have lines above
// 10,000.
const minifiedLine = 1500

// minified reports whether a script or style sheet is mostly one very long
// line.
func minified(ext string, head []byte) bool {
	if ext != "js" && ext != "mjs" && ext != "cjs" && ext != "css" {
		return false
	}
	longest := 0
	for line := range bytes.Lines(head) {
		longest = max(longest, len(line))
	}
	return longest >= minifiedLine && longest*2 > len(head)
}

// wrappers lists beginnings of the code that bundlers of scripts write around a library.
var wrappers = [][]byte{[]byte("(function (global, factory) {"), []byte("(function webpackUniversalModuleDefinition("),
	[]byte("(() => { // webpackBootstrap"), []byte("/******/ (")}

// bundled reports whether a script begins, after its comments, with code of a bundler.
func bundled(ext string, head []byte) bool {
	if ext != "js" && ext != "mjs" && ext != "cjs" {
		return false
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		for _, w := range wrappers {
			if bytes.HasPrefix(line, w) {
				return true
			}
		}
		if len(line) > 0 && !commentLine(line) {
			break
		}
	}
	return false
}

// testName reports whether name is that of a test, by the conventions of the
// language with extension ext. If the conventions leave it open, head decides.
func testName(name, ext string, head []byte) bool {
	stem := strings.TrimSuffix(name, "."+ext)
	switch ext {
	case "go", "rs", "c", "cc", "cpp", "cxx", "dart", "lua", "ex", "exs", "zig", "swift", "sh":
		return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") ||
			strings.HasSuffix(stem, "_unittest") || ext == "swift" && strings.HasSuffix(stem, "tests")
	case "py", "pyi":
		return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") ||
			stem == "conftest" || stem == "tests"
	case "rb":
		return strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_test") ||
			strings.HasPrefix(stem, "test_") ||
			stem == "spec_helper"
	case "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "svelte", "vue":
		for _, mid := range [...]string{".test", ".spec", ".e2e", ".cy", "-test", "_test",
			".stories", ".e2e-spec", ".test-d"} {
			if strings.HasSuffix(stem, mid) {
				return true
			}
		}
		return strings.HasSuffix(stem, "-spec") && specifies(head)
	case "java", "kt", "kts", "scala", "cs", "groovy", "php":
		// These are names such as FooTest, FooTests, FooIT and FooSpec. The name is in lower case
		// here, so words that merely have such an ending ("latest", "contest") must be excluded.
		for _, end := range [...]string{"test", "tests", "testcase", "suite"} {
			if rest, ok := strings.CutSuffix(stem, end); ok && rest != "" && !strings.HasSuffix(stem, "latest") &&
				!strings.HasSuffix(stem, "contest") && !strings.HasSuffix(stem, "attest") {
				return true
			}
		}
		return (strings.HasSuffix(stem, "spec") || strings.HasSuffix(stem, "specs")) && specifies(head)
	case "bats":
		return true
	}
	return false
}

// specifies reports whether a file called a specification holds tests. Others hold a description of something:
// models/user-spec.ts, TypeSpec.java of a code generator. A file whose text is not known counts as a test.
func specifies(head []byte) bool { return len(head) == 0 || suites.Match(head) }

// suites matches what the tests in specifications begin with: the name of a framework, the call of a
// function that groups tests, or a class that extends a specification.
var suites = regexp.MustCompile(`(?m)\b(?:jasmine|mocha|chai|jest|vitest|protractor|playwright|cypress|node:test|` +
	`[jJ][uU]nit|testng|kotest|spek|spock|scalatest|specs2|munit|zio\.test|[xX]unit|[nN]Unit|MSTest|` +
	`Machine\.Specifications|Shouldly|FluentAssertions|PhpSpec|PHPUnit)\b|` +
	`^\s*(?:describe|it|test|suite|context|before|beforeEach)\b(?:\.\w+)*\s*\(|` +
	`\bextends\s+\w*(?:Spec|Specification|ObjectBehavior)\b`)

// configName reports whether name is a configuration file that the extension
// does not reveal.
func configName(name string) bool {
	if strings.HasPrefix(name, ".") && strings.HasSuffix(name, "rc") || strings.HasPrefix(name, ".git") ||
		strings.HasSuffix(name, "ignore") && strings.HasPrefix(name, ".") {
		return true
	}
	stem, _, ok := strings.Cut(name, ".config.")
	return ok && stem != "" || name == ".editorconfig" || strings.HasPrefix(name, ".eslintrc") ||
		strings.HasPrefix(name, ".prettierrc") || strings.HasPrefix(name, ".env.")
}
