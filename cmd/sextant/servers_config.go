package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sextant/internal/navigate/servers"
	"sextant/l3lsp"
)

// serversConfig is the [servers] table of sextant.toml.
type serversConfig struct {
	Max      *int                `toml:"max"`       // servers that run at once; 0 starts none, nil means defaultServers
	Idle     duration            `toml:"idle"`      // a server is stopped after this time without requests
	MemoryMB int64               `toml:"memory_mb"` // a server that uses more is restarted; 0 means 4096
	Off      []string            `toml:"off"`       // servers that never run
	Command  map[string][]string `toml:"command"`   // server name → program and its arguments
}

// duration is a time.Duration that is written as "5m" in TOML.
type duration struct{ time.Duration }

// UnmarshalText parses a positive duration.
func (d *duration) UnmarshalText(text []byte) (err error) {
	if d.Duration, err = time.ParseDuration(string(text)); err != nil || d.Duration <= 0 {
		return fmt.Errorf("%q: expected a time, for example \"5m\"", text)
	}
	return nil
}

// These constants are the defaults of max and idle.
const (
	defaultServers    = 3
	defaultServerIdle = 5 * time.Minute
)

// check returns an error for a negative limit, an unknown server or a command that cannot work.
func (c *serversConfig) check() error {
	if c.Max != nil && *c.Max < 0 {
		return fmt.Errorf("max = %d: expected 0 or more", *c.Max)
	}
	if c.MemoryMB < 0 {
		return fmt.Errorf("memory_mb = %d: expected a number above 0, for example 4096", c.MemoryMB)
	}
	var known []string
	for _, s := range l3lsp.Specs() {
		known = append(known, s.Name)
	}
	for _, name := range slices.Sorted(slices.Values(slices.Concat(c.Off, slices.Collect(maps.Keys(c.Command))))) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no server is called %q; known are %s", name, strings.Join(known, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Command)) {
		command := c.Command[name]
		if len(command) == 0 || command[0] == "" {
			return fmt.Errorf("command %s: expected a program and its arguments; off = [%q] turns the server off", name,
				name)
		}
		// A relative path would depend on the folder that sextant is started in.
		if !filepath.IsAbs(command[0]) && filepath.Base(command[0]) != command[0] {
			return fmt.Errorf("command %s: %s: expected the absolute path of a program, or its name alone", name,
				command[0])
		}
	}
	return nil
}

// serversConfig returns the [servers] settings of home's sextant.toml,
// overridden by SEXTANT_MAX_SERVERS and SEXTANT_SERVER_IDLE. Max and Idle are
// always set.
func (s settings) serversConfig(home string) (c serversConfig, err error) {
	file, err := readConfig(home)
	if err != nil {
		return c, err
	}
	c = file.Servers
	if c.Max == nil {
		n := defaultServers
		c.Max = &n
	}
	if c.Idle.Duration == 0 {
		c.Idle.Duration = defaultServerIdle
	}
	if text := s.env("SEXTANT_MAX_SERVERS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return c, fmt.Errorf("SEXTANT_MAX_SERVERS=%q: expected a number, for example 3; 0 starts none", text)
		}
		c.Max = &n
	}
	if text := s.env("SEXTANT_SERVER_IDLE"); text != "" {
		if err := c.Idle.UnmarshalText([]byte(text)); err != nil {
			return c, fmt.Errorf("SEXTANT_SERVER_IDLE=%w", err)
		}
	}
	return c, nil
}

// options returns the options of the server pool whose data folder is home. shut
// returns the folders whose programs servers may not run for a query in a folder;
// nil means none besides that folder.
func (c *serversConfig) options(home string, shut func(string) []string) l3lsp.Options {
	return l3lsp.Options{Home: filepath.Join(home, "servers"), Max: *c.Max, Idle: c.Idle.Duration,
		MaxRSS: c.MemoryMB << 20, Off: c.Off, Trusted: l3lsp.NewTrust(home).Trusted, Shut: shut,
		Command: func(server string) []string { return c.Command[server] }}
}

// shut returns the folders whose programs language servers may not run for a query
// in folder, unless the user trusts it.
func (a *app) shut(folder string) []string {
	home, _ := os.UserHomeDir()
	return servers.Shut(a.roots, home, folder)
}
