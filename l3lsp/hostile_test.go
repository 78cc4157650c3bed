package l3lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hostile is a workspace that tries to have a server run its code, each attempt
// leaving a file of its name in marks.
type hostile struct {
	workspace
	marks string
}

// script writes a program that leaves a mark, and then does what it was asked.
func (h hostile) script(name, then string) string {
	at := h.write(name, "#!/bin/sh\ntouch "+filepath.Join(h.marks, strings.ReplaceAll(name, "/", "_"))+"\n"+then+"\n")
	if err := os.Chmod(at, 0o755); err != nil {
		h.t.Fatal(err)
	}
	return at
}

// module writes a JavaScript file that leaves a mark.
func (h hostile) module(name, then string) {
	h.write(name, "require('fs').writeFileSync("+quoteJSON(filepath.Join(h.marks, strings.ReplaceAll(name, "/", "_")))+", '');\n"+then)
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // a string has a form
	return string(b)
}

// left is the marks that are there.
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

// hostileCase is a server with the traps that are laid for it. control says that
// with trust one of them must spring, which shows that they work.
type hostileCase struct {
	server, language string
	lay              func(h hostile)
	control          bool
}

var hostileCases = []hostileCase{
	{"gopls", "go", layGo, false},
	{"typescript-language-server", "typescript", layTypeScript, true},
	{"typescript", "typescript", layTypeScript, false},
	{"pyright", "python", layPython, false},
	{"clangd", "cpp", layC, true},
	{"rust-analyzer", "rust", layRust, true},
	{"intelephense", "php", layPHP, false},
	{"bash-language-server", "bash", layBash, false},
}

// No server runs code of a workspace that is not trusted, or writes into it.
func TestHostileWorkspaces(t *testing.T) {
	for _, c := range hostileCases {
		t.Run(c.server, func(t *testing.T) {
			if left, wrote := visit(t, c, false); len(left) > 0 || wrote {
				t.Errorf("without trust it ran %v; wrote into the workspace: %t", left, wrote)
			}
		})
		if c.control {
			t.Run(c.server+", trusted", func(t *testing.T) {
				if left, _ := visit(t, c, true); len(left) == 0 {
					t.Error("with trust nothing ran: the traps do not work")
				}
			})
		}
	}
}

// visit asks a server about everything in a hostile workspace, and gives the
// marks that are left.
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
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		rep, err := p.Ask(ctx, b)
		cancel()
		if err != nil && !trusted {
			t.Fatal(err)
		}
		if !trusted && rep.State != Ready {
			t.Fatalf("it is %s: %s", rep.State, rep.Detail)
		}
	}
	p.Close()
	return h.left(), listing(t, h.dir) != before
}

func layGo(h hostile) {
	h.write("go.mod", "module example.com/app\n\ngo 1.22\n\ntoolchain go1.99.0\n")
	h.write("go.env", "GOFLAGS=-toolexec="+h.script("toolexec", `exec "$@"`)+"\n")
	h.script("gopackagesdriver", "exit 1")
	h.script("go", "exit 1")
	h.script("pkg-config", "exit 1")
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
	h.write("node_modules/typescript/package.json", `{"name": "typescript", "version": "5.9.9", "main": "lib/typescript.js"}`)
	for _, plugin := range []string{"evil", "@types/evil"} {
		h.module("node_modules/"+plugin+"/index.js", "module.exports = () => ({create: i => i.languageService});")
		h.write("node_modules/"+plugin+"/package.json", `{"name": "`+plugin+`", "main": "index.js"}`)
	}
	h.module("evil.js", "module.exports = () => ({});")
	h.write("tsconfig.json", `{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext",
		"plugins": [{"name": "evil"}, {"name": "./evil.js"}, {"name": "../evil"}]}, "include": ["src"]}`)
	h.write(".vscode/settings.json", `{"typescript.tsdk": "node_modules/typescript/lib", "js/ts.tsdk.path": "node_modules/typescript/lib"}`)
	h.module(".pnp.cjs", "")
	for _, command := range []string{"node", "tsc", "npm", "typescript-language-server"} {
		h.script("node_modules/.bin/"+command, "exit 1")
	}
}

func layPython(h hostile) {
	for _, m := range []string{"sitecustomize", "usercustomize", "json", "os", "re", "site", "codecs", "encodings/__init__"} {
		h.write(m+".py", "open('"+filepath.Join(h.marks, strings.ReplaceAll(m, "/", "_"))+"', 'w').close()\n")
	}
	for _, env := range []string{".venv", "venv"} {
		h.script(env+"/bin/python", `exec python3 "$@"`)
		h.script(env+"/bin/python3", `exec python3 "$@"`)
		h.write(env+"/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n")
		h.write(env+"/lib/python3.11/site-packages/evil.pth", "import os; open('"+h.marks+"/pth', 'w')\n")
	}
	h.script("python3", "exit 1")
	h.script("python", "exit 1")
	h.write("pyrightconfig.json", `{"venvPath": ".", "venv": ".venv"}`)
	h.write(".vscode/settings.json", `{"python.pythonPath": "./python3", "python.defaultInterpreterPath": "./python3"}`)
}

func layC(h hostile) {
	driver := h.script("gcc-evil", `exec cc "$@"`)
	var commands []compileCommand
	for _, f := range []string{"main.cpp", "store_crlf.cpp"} {
		commands = append(commands, compileCommand{Directory: h.dir, File: filepath.Join(h.dir, f),
			Arguments: []string{driver, "-fplugin=" + h.dir + "/evil.so", "-Xclang", "-load", "-Xclang", h.dir + "/evil.so", "-c", f}})
	}
	text, err := json.Marshal(commands)
	if err != nil {
		h.t.Fatal(err)
	}
	h.write("compile_commands.json", string(text))
	h.write(".clangd", "CompileFlags:\n  Compiler: "+driver+"\n  BuiltinHeaders: QueryDriver\nIndex:\n  Background: Build\n")
	h.write(".clang-tidy", "Checks: '*'\n")
}

func layRust(h hostile) {
	h.write("build.rs", "fn main() { std::fs::write(\""+h.marks+"/build\", \"\").unwrap(); }\n")
	wrap := h.script("wrapper", `exec "$@"`)
	rustc := h.script("rustc", `exec rustc "$@"`)
	h.script("cargo", "exit 1")
	h.write(".cargo/config.toml", "[build]\nrustc-wrapper = \""+wrap+"\"\nrustc-workspace-wrapper = \""+wrap+"\"\nrustc = \""+rustc+"\"\n[env]\nRUSTC = \""+rustc+"\"\n")
	h.script("toolchain/bin/cargo", `exit 1`)
	h.script("toolchain/bin/rustc", `exit 1`)
	h.write("rust-toolchain.toml", "[toolchain]\npath = \""+h.dir+"/toolchain\"\n")
	h.write("rust-analyzer.toml", "[cargo.buildScripts]\nenable = true\noverrideCommand = [\""+wrap+"\"]\n[check]\noverrideCommand = [\""+wrap+"\"]\n")
}

func layPHP(h hostile) {
	h.write("vendor/autoload.php", "<?php touch('"+h.marks+"/autoload');")
	h.write("composer.json", `{"scripts": {"post-install-cmd": "touch `+h.marks+`/composer"}}`)
	h.script("php", "exit 1")
	h.script("node_modules/.bin/node", "exit 1")
	h.write(".vscode/settings.json", `{"php.validate.executablePath": "./php"}`)
}

func layBash(h hostile) {
	h.script("shellcheck", "exit 0")
	h.script("shfmt", "exit 0")
	h.script("node", "exit 1")
	h.write(".shellcheckrc", "external-sources=true\n")
	h.write(".vscode/settings.json", `{"bashIde.shellcheckPath": "./shellcheck"}`)
}
