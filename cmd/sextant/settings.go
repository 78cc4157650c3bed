package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l3lsp"
)

// settings reads the user's settings: environment variables, the sextant.toml of the data folder,
// and the flags that override them.
type settings struct {
	env func(string) string
	// whether the process answers once and watches no files, which is the case for every command
	// except serve
	once       bool
	noWatch    bool
	toolFormat string // --format of serve and tool call
}

// home returns the data folder, which holds the catalog of codebases and their
// databases: SEXTANT_HOME, or else the platform's folder for application data.
func (s settings) home() (string, error) {
	if h := s.env("SEXTANT_HOME"); h != "" {
		abs, err := filepath.Abs(h)
		if err != nil {
			return "", fmt.Errorf("SEXTANT_HOME=%s: %w", h, err)
		}
		return abs, nil
	}
	if runtime.GOOS == "darwin" {
		return s.underHome("Library", "Application Support", "sextant")
	}
	if d := s.env("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "sextant"), nil
	}
	return s.underHome(".local", "share", "sextant")
}

// underHome joins steps to the user's home folder.
func (s settings) underHome(steps ...string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w; set SEXTANT_HOME", err)
	}
	return filepath.Join(append([]string{home}, steps...)...), nil
}

// serversHome returns the folder in which language servers are installed and
// keep their data.
func (s settings) serversHome() (string, error) {
	home, err := s.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "servers"), nil
}

// trust opens the list of trusted workspaces.
func (s settings) trust() (l3lsp.Trust, error) {
	home, err := s.home()
	if err != nil {
		return l3lsp.Trust{}, err
	}
	return l3lsp.NewTrust(home), nil
}

// watchMode returns whether to watch the files, according to SEXTANT_WATCH. A
// command that answers once never watches them: a single sweep of the tree
// costs less.
func (s settings) watchMode() (jit.WatchMode, error) {
	switch text := s.env("SEXTANT_WATCH"); {
	case text != "" && text != "auto" && text != "off":
		return jit.WatchOff, fmt.Errorf("SEXTANT_WATCH=%q: expected auto or off", text)
	case text == "off" || s.noWatch || s.once:
		return jit.WatchOff, nil
	}
	return jit.WatchAuto, nil
}

// checkFormat returns an error if --format or SEXTANT_FORMAT is an unknown
// format. The command then fails at its start rather than on every tool call.
func (s settings) checkFormat() error {
	switch f := s.format(); f {
	case "", contract.FormatText, contract.FormatJSON, contract.FormatPack2:
		return nil
	default:
		if s.toolFormat != "" {
			return &usageError{fmt.Errorf("--format: expected one of %s, %s, got %q", contract.FormatText,
				contract.FormatJSON, f)}
		}
		return fmt.Errorf("SEXTANT_FORMAT=%q: expected %s or %s", f, contract.FormatText, contract.FormatJSON)
	}
}

// format returns the format of the tools' answers, "" for the default.
func (s settings) format() contract.Format {
	return contract.Format(cmp.Or(s.toolFormat, s.env("SEXTANT_FORMAT")))
}

// readLines returns SEXTANT_READ_FILE_MAX_LINES, 0 if the variable is not set.
func (s settings) readLines() (int, error) {
	text := s.env("SEXTANT_READ_FILE_MAX_LINES")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("SEXTANT_READ_FILE_MAX_LINES=%q: expected a number above 0, for example 1000", text)
	}
	return n, nil
}
