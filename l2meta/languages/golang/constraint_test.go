package golang

import (
	"go/build/constraint"
	"strings"
	"testing"

	"sextant/l2meta/resolve"
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
		{"linux", "!windows", true}, {"linux", "windows", false}, {"unix", "windows", false},
		{"unix && !linux", "darwin", true},
		{"cgo", "!cgo", false}, {"amd64", "!arm64", true}, {"ignore", "linux", true}, {"race && linux", "!race", false},
		{"!linux && !darwin && !windows", "unix", true}, {"android", "linux", true}, {"go1.21", "linux", true},
		{"race && !msan", "!msan", true}, {"race && !msan", "msan", false}, {"!race && msan", "msan", true},
	} {
		x, y := parseConstraint(t, c.a), parseConstraint(t, c.b)
		if met := x.meets(y); met != c.meet {
			t.Errorf("%s beside %s: got %v, want %v", c.a, c.b, met, c.meet)
		}
	}
}

func parseConstraint(t *testing.T, text string) parsedCondition {
	t.Helper()
	x, err := constraint.Parse("//go:build " + text)
	if err != nil {
		t.Fatal(err)
	}
	return parsedCondition{x, x.String()}
}

// TestMayMeetKeepsConditionsApart compares one file with several others, by their names and by
// their constraints. A cached result for one must not be returned for another.
func TestMayMeetKeepsConditionsApart(t *testing.T) {
	linux := &resolve.File{Path: "a_linux.go"}
	for range 2 {
		for name, meet := range map[string]bool{"b.go": true, "b_linux.go": true, "b_windows.go": false,
			"b_amd64.go": true} {
			if b := (&resolve.File{Path: name}); mayMeet(linux, b) != meet || mayMeet(b, linux) != meet {
				t.Errorf("%s beside %s: got %v, want %v", linux.Path, name, !meet, meet)
			}
		}
	}
}

// BenchmarkMayMeet compares two files of different operating systems, as resolving a name that both
// declare does.
func BenchmarkMayMeet(b *testing.B) {
	linux, windows := &resolve.File{Path: "a_linux.go"}, &resolve.File{Path: "a_windows_arm64.go"}
	for b.Loop() {
		if mayMeet(linux, windows) {
			b.Fatal("Linux is Windows")
		}
	}
}

func TestGoImportNames(t *testing.T) {
	for path, name := range map[string]string{
		"gopkg.in/yaml.v3": "yaml", "github.com/go-redis/redis/v9": "redis", "github.com/mattn/go-isatty": "isatty",
		"github.com/nats-io/nats.go": "nats", "k8s.io/api/core/v1": "core", "net/http": "http",
		"github.com/dustin/go-humanize": "humanize",
		"example.com/some_thing":        "something", "example.com/SomeThing": "something",
	} {
		if !importName(path, name) {
			t.Errorf("%s is not taken for package %s", path, name)
		}
	}
	for path, name := range map[string]string{
		"net/http": "json", "example.com/a.vx": "a", "example.com/a/vx": "a", "v2": "", "example.com/a/v2": "v2",
	} {
		if importName(path, name) {
			t.Errorf("%s is taken for package %s", path, name)
		}
	}
}
