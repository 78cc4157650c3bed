package deployable_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/internal/deployable"
)

var update = flag.Bool("update", false, "rewrite what the workspaces expect")

// TestFind compares the services of each workspace in testdata with the last lines of the
// workspace's comment: name, directories, kind, languages, other names, manifests.
func TestFind(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workspaces: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := "\n" + services(a)
		prose, want, _ := strings.Cut(string(a.Comment), "\n\n")
		if *update {
			a.Comment = []byte(prose + "\n" + got + "\n")
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

func services(a *txtar.Archive) string {
	text := map[string][]byte{}
	var paths []string
	for _, f := range a.Files {
		text[f.Name] = append(f.Data, ' ')
		paths = append(paths, f.Name)
	}
	slices.Sort(paths)
	var b strings.Builder
	for _, s := range deployable.Find(deployable.Source{Name: "work", Files: paths,
		Read: func(p string) []byte { return text[p] }}) {
		dirs := append([]string{"/" + s.Root}, s.Also...)
		fmt.Fprintf(&b, "%s at %s: %s in %s; %s; %s\n", s.Name, strings.Join(dirs, " "), s.Kind,
			strings.Join(s.Languages, " "), strings.Join(s.Names[1:], " "), strings.Join(s.Manifests, " "))
	}
	return strings.NewReplacer(" \n", "\n", " ;", ";").Replace(b.String())
}

// TestEveryManifestIsWatched checks that a change of any file that may deploy or name a service
// causes a new search.
func TestEveryManifestIsWatched(t *testing.T) {
	for _, p := range []string{"a/docker-compose.prod.yml", "Dockerfile-web", "x/web.Dockerfile", "k8s/web.yaml",
		"src/main/resources/bootstrap.properties", "nest-cli.json", "Properties/launchSettings.json",
		"AppHost/Program.cs", "go.mod", "a/b.csproj", "shop/manage.py", "shop/requirements.txt", ".vscode/launch.json",
		"main.py", "src/main/resources/application.conf", "build.sbt",
		"Package.swift", "apps/shop/mix.exs"} {
		if !deployable.IsManifest(p) {
			t.Errorf("a change of %s is not noticed", p)
		}
	}
	for _, p := range []string{"main.go", "a.json", "src/Users.cs", "a.html"} {
		if deployable.IsManifest(p) {
			t.Errorf("%s is no manifest", p)
		}
	}
}
