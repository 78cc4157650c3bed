package l3lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Trust is the list of folders whose code language servers may run. It is
// stored in a file with one absolute path per line. Folders below a trusted
// folder are trusted too.
type Trust struct{ file string }

// NewTrust returns the list stored in the folder home.
func NewTrust(home string) Trust { return Trust{filepath.Join(home, "trusted")} }

// List returns the trusted folders, sorted by path. It returns none if there is no list yet.
func (t Trust) List() ([]string, error) {
	text, err := os.ReadFile(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the trusted folders: %w", err)
	}
	var folders []string
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if line := lines.Text(); filepath.IsAbs(line) {
			folders = append(folders, line)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders), nil
}

// Trusted reports whether servers may run code of a folder. It resolves symbolic links, so a link
// in a trusted folder to an untrusted one is not trusted. It returns false if the list or the
// folder cannot be read.
func (t Trust) Trusted(folder string) bool {
	folders, err := t.List()
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(folders, func(f string) bool {
		rel, err := filepath.Rel(f, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// Add trusts an existing folder and returns its real path.
func (t Trust) Add(folder string) (string, error) {
	real, err := filepath.Abs(folder)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist; expected the folder of a workspace", folder)
	}
	if err != nil {
		return "", fmt.Errorf("trust %s: %w", folder, err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder; expected the folder of a workspace", folder)
	}
	if real == filepath.Dir(real) || strings.ContainsAny(real, "\r\n") {
		return "", fmt.Errorf("%s cannot be trusted as a whole; name the workspace", real)
	}
	folders, err := t.List()
	if err != nil {
		return "", err
	}
	return real, t.write(append(folders, real))
}

// Remove removes exactly this folder from the list. It returns false if the list does not have
// it.
func (t Trust) Remove(folder string) (bool, error) {
	folders, err := t.List()
	if err != nil {
		return false, err
	}
	names := []string{filepath.Clean(folder), realPath(folder)} // the folder may no longer exist
	left := slices.DeleteFunc(slices.Clone(folders), func(f string) bool { return slices.Contains(names, f) })
	if len(left) == len(folders) {
		return false, nil
	}
	return true, t.write(left)
}

// write replaces the list atomically.
func (t Trust) write(folders []string) error {
	slices.Sort(folders)
	text := strings.Join(slices.Compact(folders), "\n") + "\n"
	if err := os.MkdirAll(filepath.Dir(t.file), 0o700); err != nil {
		return fmt.Errorf("write the trusted folders: %w", err)
	}
	tmp := t.file + ".new"
	if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the trusted folders: %w", err)
	}
	return os.Rename(tmp, t.file)
}
