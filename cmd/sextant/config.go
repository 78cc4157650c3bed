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

// config is the sextant.toml of the data folder. A workspace has no say in it:
// its files would decide where code is sent, and what is run.
type config struct {
	Embedder embedderConfig `toml:"embedder"`
	Servers  serversConfig  `toml:"servers"`
}

// configFile is the name of the file.
const configFile = "sextant.toml"

// readConfig is what the file says, nothing where it is not there.
func readConfig(home string) (c config, err error) {
	path := filepath.Join(home, configFile)
	text, err := os.ReadFile(path)
	// A data folder that is none is told by who opens the index in it.
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
