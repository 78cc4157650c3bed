package golang

import (
	"go/build/constraint"
	"strings"
	"testing"
)

func TestGoConstraintsInFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"a/file_linux.go": "linux", "a/file_windows_arm64.go": "windows arm64", "a/file_amd64_test.go": "amd64",
		"a/linux.go": "", "a/file_unix.go": "", "a/file.go": "", "a/file_test.go": "",
	} {
		if got := strings.Join(nameTags(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestGoBuildsTellConstraintsApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		meet bool
	}{
		{"linux", "!windows", true}, {"linux", "windows", false}, {"unix", "windows", false}, {"unix && !linux", "darwin", true},
		{"cgo", "!cgo", false}, {"amd64", "!arm64", true}, {"ignore", "linux", true}, {"race && linux", "!race", false},
		{"!linux && !darwin && !windows", "unix", true}, {"android", "linux", true}, {"go1.21", "linux", true},
	} {
		x, y := parseConstraint(t, c.a), parseConstraint(t, c.b)
		met := false
		for b := range builds(x, y) {
			met = met || holds(x, b) && holds(y, b)
		}
		if met != c.meet {
			t.Errorf("%s beside %s: got %v, want %v", c.a, c.b, met, c.meet)
		}
	}
}

func parseConstraint(t *testing.T, text string) constraint.Expr {
	t.Helper()
	x, err := constraint.Parse("//go:build " + text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestGoImportNames(t *testing.T) {
	for path, name := range map[string]string{
		"gopkg.in/yaml.v3": "yaml", "github.com/go-redis/redis/v9": "redis", "github.com/mattn/go-isatty": "isatty",
		"github.com/nats-io/nats.go": "nats", "k8s.io/api/core/v1": "core", "net/http": "http", "github.com/dustin/go-humanize": "humanize",
	} {
		if !importName(path, name) {
			t.Errorf("%s is not taken for package %s", path, name)
		}
	}
	if importName("net/http", "json") {
		t.Error("net/http is taken for package json")
	}
}
