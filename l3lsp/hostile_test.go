package l3lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile is a workspace with traps: programs and settings that try to make a server run them. A trap that is
// run leaves a file with its name, a mark, in the folder marks.
type hostile struct {
	workspace
	marks string
}

// script writes a program that leaves a mark and then runs the shell command
// then.
func (h hostile) script(name, then string) string {
	at := h.write(name, "#!/bin/sh\ntouch "+filepath.Join(h.marks, strings.ReplaceAll(name, "/", "_"))+"\n"+then+"\n")
	if err := os.Chmod(at, 0o755); err != nil {
		h.t.Fatal(err)
	}
	return at
}

// shadow writes a program that leaves a mark and then runs the real program of
// its name.
func (h hostile) shadow(name string) string {
	then := "exit 1"
	if real := lookIn(os.Getenv("PATH"),
		filepath.Base(name)); real != "" { // not rustup's stub, which would run this one again
		then = "exec " + real + ` "$@"`
	}
	return h.script(name, then)
}

// module writes a JavaScript file that leaves a mark.
func (h hostile) module(name, then string) {
	h.write(name, "require('fs').writeFileSync("+quoteJSON(filepath.Join(h.marks,
		strings.ReplaceAll(name, "/", "_")))+", '');\n"+then)
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // marshalling a string cannot fail
	return string(b)
}

// left returns the names of the marks left so far.
func (h hostile) left() (names []string) {
	entries, err := os.ReadDir(h.marks)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// hostileCase is a server and the function that writes the traps for it, lay.
type hostileCase struct {
	server, language string
	lay              func(h hostile)
	// springs are the marks that a trusted workspace must get, which shows that the traps work. drop removes
	// settings from the server that would otherwise prevent that; nil if there are none.
	springs []string
	drop    func(s *Spec)
}

var hostileCases = []hostileCase{
	{"gopls", "go", layGo, []string{"go", "gopackagesdriver"}, nil},
	{"typescript-language-server", "typescript", layTypeScript, []string{"node_modules_typescript_lib_tsserver.js"},
		nil},
	// TypeScript 7 and intelephense are not known to run a program or to load
	// code. But PATH determines the interpreter of their own scripts.
	{"typescript", "typescript", layTypeScript, []string{"node_modules_.bin_node"}, nil},
	{"intelephense", "php", layPHP, []string{"node_modules_.bin_node"}, nil},
	{"pyright", "python", layPython, []string{"python3"}, nil},
	{"clangd", "cpp", layC, []string{"gcc-evil"}, nil},
	{"rust-analyzer", "rust", layRust, []string{"build"}, nil},
	{"bash-language-server", "bash", layBash, []string{"node", "shellcheck"},
		func(s *Spec) { s.settings, s.env = nil, nil }},
	{"java-language-server", "java", layJava, []string{"mvn"}, nil},
}

// TestHostileWorkspaces checks that no server runs code of an untrusted
// workspace, or writes into it.
func TestHostileWorkspaces(t *testing.T) {
	for _, c := range hostileCases {
		t.Run(c.server, func(t *testing.T) {
			if left, wrote := visit(t, c, false); len(left) > 0 || wrote {
				t.Errorf("without trust it ran %v; wrote into the workspace: %t", left, wrote)
			}
		})
		t.Run(c.server+", trusted", func(t *testing.T) {
			if c.drop != nil {
				spec := specOf(t, c.server)
				kept := *spec
				t.Cleanup(func() { *spec = kept })
				c.drop(spec)
			}
			left, _ := visit(t, c, true)
			if !holds(left, c.springs) {
				t.Errorf("with trust %v ran, want %v among them: else the traps do not work", left, c.springs)
			}
		})
	}
}

// TestGoplsIsToldWhatNotToRun checks for some environment variables of gopls that gopls runs a program of the
// workspace without the variable, and does not with it.
func TestGoplsIsToldWhatNotToRun(t *testing.T) {
	for _, c := range []struct{ told, otherwise, springs string }{
		{"GOPACKAGESDRIVER=off", "GOPACKAGESDRIVER=", "gopackagesdriver"},
		{"GOTOOLCHAIN=local", "GOTOOLCHAIN=path", "go1.99.0"},
		// auto, the default, uses one on PATH too, before it downloads one
		{"CGO_ENABLED=0", "CGO_ENABLED=1", "pkg-config"},
	} {
		t.Run(c.told, func(t *testing.T) {
			spec := specOf(t, "gopls")
			kept := *spec
			t.Cleanup(func() { *spec = kept })
			trap := hostileCases[0]
			for _, told := range []string{c.told, c.otherwise} {
				spec.env = func(setup) []string {
					return strings.Split(strings.Replace(strings.Join(goplsEnv(setup{}), "\n"), c.told, told, 1), "\n")
				}
				trap.springs = nil
				if told == c.otherwise {
					trap.springs = []string{c.springs}
				}
				left, _ := visit(t, trap, true)
				if slices.Contains(left, c.springs) != (told == c.otherwise) {
					t.Errorf("with %s it ran %v", told, left)
				}
			}
		})
	}
}

// visit queries a server about everything in a hostile workspace. It returns
// the marks left, and whether the workspace was written to.
func visit(t *testing.T, c hostileCase, trusted bool) (left []string, wrote bool) {
	text, err := os.ReadFile(filepath.Join("testdata", "servers", c.language+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	h := hostile{newWorkspace(t, text), t.TempDir()}
	c.lay(h)
	t.Setenv("PATH", filepath.Join(h.dir, "node_modules", ".bin")+":"+h.dir+":.:"+os.Getenv("PATH"))
	p := realPool(t, Options{Command: only(c.server), Trusted: func(string) bool { return trusted }})
	requireServer(t, p, c.server, h.dir)
	before := listing(t, h.dir)
	questions := parseQuestions(text)
	for _, q := range questions {
		if q.kind != "definition" && q.kind != "references" {
			continue
		}
		b := h.batch(c.language, questions.canary(), q.place)
		if !trusted {
			if rep, err := askUntilReady(t, p, b); err != nil || rep.State != Ready {
				t.Fatalf("it is %s: %s; %v", rep.State, rep.Detail, err)
			}
			continue
		}
		// A trap run in place of a program may keep the server from answering.
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_, _ = p.Ask(ctx, b)
		cancel()
		if len(c.springs) > 0 && holds(h.left(), c.springs) {
			break
		}
	}
	// Some programs run shortly after the query.
	for deadline := time.Now().Add(patience); trusted && !holds(h.left(), c.springs) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	p.Close()
	return h.left(), listing(t, h.dir) != before
}

// holds reports whether names has all elements of some.
func holds(names, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(names, s) })
}

func layGo(h hostile) {
	h.write("go.mod", "module example.com/app\n\ngo 1.22\n\ntoolchain go1.99.0\n")
	h.write("go.env", "GOFLAGS=-toolexec="+h.script("toolexec", `exec "$@"`)+"\n")
	h.script("gopackagesdriver", "exit 1")
	h.script("go1.99.0", "exit 1")
	h.script("pkg-config", "exit 1")
	h.shadow("go")
	h.write("cgo.go", "package main\n\n// #cgo pkg-config: evil\n// #cgo CFLAGS: -fplugin=./evil.so\nimport \"C\"\n")
	h.write(".git/HEAD", "ref: refs/heads/main\n")
	h.write(".git/objects/x", "")
	h.write(".git/refs/x", "")
	h.write(".git/config", "[core]\n\tfsmonitor = "+h.script("fsmonitor", "")+"\n")
	h.write(".envrc", "touch "+h.marks+"/envrc\n")
}

func layTypeScript(h hostile) {
	for _, lib := range []string{"tsserver", "_tsserver", "typescript", "tsserverlibrary", "typingsInstaller"} {
		h.module("node_modules/typescript/lib/"+lib+".js", "")
	}
	h.write("node_modules/typescript/package.json",
		`{"name": "typescript", "version": "5.9.9", "main": "lib/typescript.js"}`)
	for _, plugin := range []string{"evil", "@types/evil"} {
		h.module("node_modules/"+plugin+"/index.js", "module.exports = () => ({create: i => i.languageService});")
		h.write("node_modules/"+plugin+"/package.json", `{"name": "`+plugin+`", "main": "index.js"}`)
	}
	h.module("evil.js", "module.exports = () => ({});")
	h.write("tsconfig.json", `{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext",
		"plugins": [{"name": "evil"}, {"name": "./evil.js"}, {"name": "../evil"}]}, "include": ["src"]}`)
	h.write(".vscode/settings.json",
		`{"typescript.tsdk": "node_modules/typescript/lib", "js/ts.tsdk.path": "node_modules/typescript/lib"}`)
	h.module(".pnp.cjs", "")
	for _, command := range []string{"node", "tsc", "npm", "typescript-language-server"} {
		h.shadow("node_modules/.bin/" + command)
	}
}

func layPython(h hostile) {
	for _, m := range []string{"sitecustomize", "usercustomize", "json", "os", "re", "site", "codecs",
		"encodings/__init__"} {
		h.write(m+".py", "open('"+filepath.Join(h.marks, strings.ReplaceAll(m, "/", "_"))+"', 'w').close()\n")
	}
	for _, env := range []string{".venv", "venv"} {
		h.shadow(env + "/bin/python")
		h.shadow(env + "/bin/python3")
		h.write(env+"/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n")
		h.write(env+"/lib/python3.11/site-packages/evil.pth", "import os; open('"+h.marks+"/pth', 'w')\n")
	}
	h.shadow("python3")
	h.shadow("python")
	h.write("pyrightconfig.json", `{"venvPath": ".", "venv": ".venv"}`)
	h.write(".vscode/settings.json", `{"python.pythonPath": "./python3", "python.defaultInterpreterPath": "./python3"}`)
}

func layC(h hostile) {
	driver := h.script("gcc-evil", `exec /usr/bin/cc "$@"`)
	var commands []compileCommand
	for _, f := range []string{"main.cpp", "store_crlf.cpp"} {
		commands = append(commands, compileCommand{Directory: h.dir, File: filepath.Join(h.dir, f),
			Arguments: []string{driver, "-fplugin=" + h.dir + "/evil.so", "-Xclang", "-load", "-Xclang",
				h.dir + "/evil.so", "-c", f}})
	}
	text, err := json.Marshal(commands)
	if err != nil {
		h.t.Fatal(err)
	}
	h.write("compile_commands.json", string(text))
	h.write(".clangd", "CompileFlags:\n  Compiler: "+driver+
		"\n  BuiltinHeaders: QueryDriver\nIndex:\n  Background: Build\n")
	h.write(".clang-tidy", "Checks: '*'\n")
}

func layRust(h hostile) {
	h.write("build.rs", "fn main() { std::fs::write(\""+h.marks+"/build\", \"\").unwrap(); }\n")
	wrap := h.script("wrapper", `exec "$@"`)
	rustc := h.shadow("rustc")
	h.shadow("cargo")
	h.write(".cargo/config.toml", "[build]\nrustc-wrapper = \""+wrap+"\"\nrustc-workspace-wrapper = \""+wrap+
		"\"\nrustc = \""+rustc+"\"\n[env]\nRUSTC = \""+rustc+"\"\n")
	h.shadow("toolchain/bin/cargo")
	h.shadow("toolchain/bin/rustc")
	h.write("rust-toolchain.toml", "[toolchain]\npath = \""+h.dir+"/toolchain\"\n")
	h.write("rust-analyzer.toml", "[cargo.buildScripts]\nenable = true\noverrideCommand = [\""+wrap+
		"\"]\n[check]\noverrideCommand = [\""+wrap+"\"]\n")
}

func layPHP(h hostile) {
	h.write("vendor/autoload.php", "<?php touch('"+h.marks+"/autoload');")
	h.write("composer.json", `{"scripts": {"post-install-cmd": "touch `+h.marks+`/composer"}}`)
	h.script("php", "exit 1")
	h.shadow("node_modules/.bin/node")
	h.write(".vscode/settings.json", `{"php.validate.executablePath": "./php"}`)
}

func layBash(h hostile) {
	h.script("shellcheck", "exit 0")
	h.script("shfmt", "exit 0")
	h.shadow("node")
	h.write(".shellcheckrc", "external-sources=true\n")
	h.write(".vscode/settings.json", `{"bashIde.shellcheckPath": "./shellcheck"}`)
}

func layJava(h hostile) {
	h.write("pom.xml",
		"<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version></project>")
	h.write("WORKSPACE", "")
	h.write("BUILD", "")
	h.write(".mvn/jvm.config", "-javaagent:evil.jar")
	for _, command := range []string{"mvn", "bazel", "gradle"} {
		h.script(command, "exit 1")
	}
	h.shadow("java")
}
