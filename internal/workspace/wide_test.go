package workspace

import "testing"

func TestTooWide(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, dir := range []string{"/", "/home/me", "/bin", "/sbin", "/lib", "/lib64", "/usr/bin",
		"/usr/sbin", "/usr/include",
		"/usr/local/bin", "/usr/share", "/etc", "/tmp"} {
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
