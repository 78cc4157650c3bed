package deployable

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// bareNames maps lower-case names of files that indicate a Python program without a package
// manifest: pip's list of libraries, Django's script, and modules that often start a program. The
// value true means that the file counts only if its text matches startsServer.
var bareNames = map[string]bool{"requirements.txt": false, "pipfile": false, "manage.py": false,
	"main.py": true, "app.py": true, "server.py": true, "run.py": true, "wsgi.py": true, "asgi.py": true}

// startsServer matches the source of a Python module that creates an application of a web
// framework or starts a server.
var startsServer = regexp.MustCompile(
	`\b(?:FastAPI|Flask|Starlette|Quart|Sanic|Bottle|Litestar|FastStream|web\.Application|uvicorn\.run)\(`)

// bareFolders are folders inside a program that may hold its starting module.
var bareFolders = []string{"app", "src", "api"}

// isBare reports whether a file may indicate a program that has no manifest.
func isBare(p string) bool {
	_, ok := bareNames[strings.ToLower(path.Base(p))]
	return ok
}

// bares creates a module for each directory that has the files of a bare program, which is a
// program without a manifest. It skips a directory inside another module or program, unless that
// is the root directory, is not deployed and is no Python package.
func (f *finder) bares() {
	found := f.bareFolders()
	for _, dir := range sortedKeys(found) {
		outer := code.Dir(dir)
		if outer != "" && slices.Contains(bareFolders, path.Base(dir)) && len(othersBelow(found, outer)) == 0 {
			found[outer] |= found[dir] // the program of services/users/app belongs to services/users
		}
	}
	for _, dir := range sortedKeys(found) {
		if owner := f.owner(dir); owner != nil && (owner.Root != "" || dir == "" || owner.deployed ||
			owner.Language == "python") {
			continue
		}
		u := f.at(dir)
		u.Language = "python"
		u.traits |= isModule | found[dir]
	}
}

// bareFolders returns the directories with files of bare programs. isRunnable is set for those
// whose files start a program.
func (f *finder) bareFolders() map[string]trait {
	found := map[string]trait{}
	for _, p := range f.src.Files {
		base := strings.ToLower(path.Base(p))
		if !isBare(p) || fixture.MatchString(p) || f.sources[code.Dir(p)] == 0 {
			continue
		}
		if bareNames[base] && !startsServer.Match(f.src.Read(p)) {
			continue
		}
		found[code.Dir(p)] |= 0
		if extension(base) == "py" {
			found[code.Dir(p)] |= isRunnable
		}
	}
	for _, dir := range sortedKeys(found) {
		if found[dir] == 0 && len(othersBelow(found, dir)) > 0 {
			delete(found, dir) // its requirements.txt lists libraries for the programs below it
		}
	}
	return found
}

// othersBelow returns the directories below dir that start programs, except a folder such as app
// that holds the program of dir itself.
func othersBelow(found map[string]trait, dir string) (out []string) {
	for _, o := range sortedKeys(found) {
		own := code.Dir(o) == dir && slices.Contains(bareFolders, path.Base(o))
		if found[o]&isRunnable != 0 && within(o, dir) && !own {
			out = append(out, o)
		}
	}
	return out
}

// debugPort matches the port in the arguments of a program that an editor starts: "runserver", "8081" or
// "--port", "8000".
var debugPort = regexp.MustCompile(`^(?:[\w.]*:)?(\d+)$`)

// launchers lists the command-line arguments after which a port follows.
var launchers = []string{"runserver", "--port", "-p"}

// launch reads the ports of the programs that .vscode/launch.json starts, from their arguments and
// environments.
func (f *finder) launch(d document) {
	u := f.owner(code.Dir(code.Dir(d.path)))
	n := configtree.JSON(d.text)
	if u == nil || u.Root == "" || n == nil || path.Base(code.Dir(d.path)) != ".vscode" {
		return
	}
	for _, c := range n.At("configurations").Kids {
		args := c.Texts("args")
		for i := range args {
			if m := debugPort.FindStringSubmatch(args[i]); m != nil && i > 0 && slices.Contains(launchers, args[i-1]) &&
				isPort(m[1]) {
				u.alias("localhost:" + m[1])
			}
		}
		for _, key := range []string{"PORT", "FLASK_RUN_PORT", "UVICORN_PORT"} {
			if port := c.Text("env", key); isPort(port) {
				u.alias("localhost:" + port)
			}
		}
	}
}
