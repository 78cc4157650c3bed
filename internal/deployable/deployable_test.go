package deployable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/deployable"
	"sextant/internal/golden"
)

// TestFind compares the services of each workspace in testdata with the last lines of the
// workspace's comment: name, directories, kind, languages, other names, manifests.
func TestFind(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, a *golden.Archive) { a.Comment(t, services(a)) })
}

func services(a *golden.Archive) string {
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
