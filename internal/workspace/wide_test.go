package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTooWide(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, dir := range []string{"/", "/home/me", "/bin", "/sbin", "/lib", "/lib64", "/usr/bin",
		"/usr/sbin", "/usr/include",
		"/usr/local/bin", "/usr/share", "/etc", "/tmp", "/proc/1", "/sys/kernel"} {
		if !TooWide(dir) {
			t.Errorf("%s is indexed for a single request", dir)
		}
	}
	for _, dir := range []string{"/home/me/project", "/usr/local/go", "/usr/src/linux", "/opt/app", "/tmp/work"} {
		if TooWide(dir) {
			t.Errorf("%s is refused", dir)
		}
	}
}

// TestLinkIsAsWideAsItsTarget checks that a link in a project does not make a request index what it leads to.
func TestLinkIsAsWideAsItsTarget(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", filepath.Join(dir, "me"))
	for _, l := range [][2]string{{"me", home}, {"mine", home}, {"disk", "/"}, {"etc", "/etc"}} {
		link := filepath.Join(dir, l[0])
		if err := os.Symlink(l[1], link); err != nil {
			t.Fatal(err)
		}
		if !TooWide(link) {
			t.Errorf("a link to %s is indexed for a single request", l[1])
		}
	}
	if !TooWide(home) {
		t.Error("the home behind a link is indexed for a single request")
	}
}
