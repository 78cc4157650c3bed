package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// openat2 and its replacement refuse the same links.
func TestOpenWithoutOpenat2(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "a/b/c/x"), "x")
	for link, to := range map[string]string{"l": "a", "a/up": "../..", "a/b/c/l": "."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_NOFOLLOW
	fd, err := unix.Open(root, flags, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for rel, want := range map[string]error{"a": nil, "a/b/c": nil, "l": ErrSymlink, "l/b": ErrSymlink,
		"a/up/a": ErrSymlink, "a/b/c/l": ErrSymlink, "a/b/c/x": fs.ErrNotExist, "no/b": fs.ErrNotExist} {
		for name, open := range map[string]func(int, string, int) (int, error){"openat2": openBeneath,
			"openat": openSteps} {
			sub, err := open(fd, rel, flags)
			if err == nil {
				unix.Close(sub)
			} else {
				err = linkError(err)
			}
			if !errors.Is(err, want) || errors.Is(err, ErrSymlink) != (want == ErrSymlink) {
				t.Errorf("%s %s: %v, want %v", name, rel, err, want)
			}
		}
	}
}
