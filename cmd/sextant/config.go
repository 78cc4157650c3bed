package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// config is the contents of sextant.toml in the data folder. These settings
// decide where source code is sent and which programs run, so the sextant.toml
// of a workspace cannot set them.
type config struct {
	Embedder embedderConfig `toml:"embedder"`
	Servers  serversConfig  `toml:"servers"`
}

const configFile = "sextant.toml"

// readConfig parses the configuration file in the folder home. It returns the
// zero config if there is no file. For an unknown key, the error names the
// line.
func readConfig(home string) (c config, err error) {
	path := filepath.Join(home, configFile)
	text, err := os.ReadFile(path)
	// ENOTDIR means that home is a file. Opening the index reports that with a better message.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&c)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := &unknown.Errors[0]
		line, _ := first.Position()
		return c, fmt.Errorf("%s:%d: there is no %q to set", path, line, strings.Join(first.Key(), "."))
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	if err := c.Servers.check(); err != nil {
		return c, fmt.Errorf("%s: [servers] %w", path, err)
	}
	return c, nil
}
