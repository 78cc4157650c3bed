package l3lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// By default clangd keeps its index beside the compilation database (compile_commands.json), which
// would be in the workspace; without an index it finds no definitions in other files. So clangd
// gets a database in Sextant's cache, composed of the workspace's own databases and, for folders
// without one, of guessed commands for the source files.

func clangdArgs(r setup) []string {
	args := []string{"--compile-commands-dir=" + clangdDatabase(r)}
	if r.trusted {
		return append(args, "--query-driver=**")
	}
	// Without --query-driver, clangd runs no compiler named in the database. A .clangd file could
	// make clangd send its index to a server, so such files are ignored.
	return append(args, "--enable-config=false")
}

// clangdDatabase returns the folder of the compilation database. Each process has its own, since
// different processes have different workspace folders.
func clangdDatabase(r setup) string {
	name := strconv.Itoa(os.Getpid())
	if r.trusted {
		name += "-trusted"
	}
	return filepath.Join(r.cache, "database", name)
}

// clangdPrepare writes the compilation database for all folders of clangd. All processes share one
// index folder, to which a link beside the database leads. That is safe: clangd names the files in
// it by path and checks them by content.
func clangdPrepare(r setup, folders []string) error {
	dir, index := clangdDatabase(r), filepath.Join(r.cache, "index")
	for _, d := range []string{dir, index} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("make a compilation database: %w", err)
		}
	}
	forgetOld(filepath.Dir(dir))
	if err := os.Symlink(index, filepath.Join(dir, ".cache")); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a compilation database: %w", err)
	}
	var all []compileCommand
	for _, f := range folders {
		all = append(all, commandsOf(f)...)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("make a compilation database: %w", err)
	}
	tmp := filepath.Join(dir, "new.json")
	if err := os.WriteFile(tmp, text, 0o600); err != nil {
		return fmt.Errorf("make a compilation database: %w", err)
	}
	return os.Rename(tmp, filepath.Join(dir, "compile_commands.json"))
}

// databaseAge is the age at which a database is assumed to belong to a process that has ended,
// and is removed.
const databaseAge = 14 * 24 * time.Hour

// forgetOld removes the databases in dir that are older than databaseAge.
func forgetOld(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > databaseAge {
			_ = os.RemoveAll(filepath.Join(dir, e.Name())) // a database that cannot be removed only occupies space
		}
	}
}

// compileCommand is an entry of a compilation database, as clang defines it.
type compileCommand struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Output    string   `json:"output,omitempty"`
}

const (
	maxSources  = 20_000   // largest number of source files of a folder for which commands are guessed
	maxDatabase = 64 << 20 // largest size of a database in bytes; larger ones are ignored
)

// commandsOf returns the compile commands of a folder. It reads them from the folder's own
// database, at the folder's top or one level below, where CMake and other tools put it. If there
// is none, it returns guessed commands.
func commandsOf(folder string) []compileCommand {
	for _, at := range append([]string{filepath.Join(folder, "compile_commands.json")},
		globIn(folder, "*/compile_commands.json")...) {
		var own []compileCommand
		info, err := os.Stat(at)
		if err != nil || info.Size() > maxDatabase {
			continue
		}
		text, err := os.ReadFile(at)
		if err != nil || json.Unmarshal(text, &own) != nil || len(own) == 0 {
			continue
		}
		for i := range own { // relative directories are relative to the folder of the database
			if !filepath.IsAbs(own[i].Directory) {
				own[i].Directory = filepath.Join(filepath.Dir(at), own[i].Directory)
			}
		}
		return own
	}
	return guessed(folder)
}

// guessed returns a compile command for each source file of a folder. Its
// include paths are the folder and those below it that are named include, inc,
// src or lib.
func guessed(folder string) (out []compileCommand) {
	var sources, includes []string
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil: // skip unreadable entries
			return nil
		case e.IsDir() && path != folder && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case e.IsDir() && (path == folder || slices.Contains([]string{"include", "inc", "src", "lib"}, e.Name())):
			includes = append(includes, "-I"+path)
		case e.Type().IsRegular() && slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".c++"},
			strings.ToLower(filepath.Ext(path))):
			sources = append(sources, path)
		}
		if len(sources) >= maxSources {
			return fs.SkipAll
		}
		return nil
	})
	flags := append(ownFlags(folder), includes[:min(len(includes), maxIncludes)]...)
	for _, s := range sources {
		out = append(out, compileCommand{Directory: folder, File: s,
			Arguments: slices.Concat([]string{"clang"}, flags, []string{"-c", s})})
	}
	return out
}

// maxIncludes is the largest number of include paths of guessed commands.
const maxIncludes = 64

// ownFlags returns the flags in the folder's compile_flags.txt, which has one
// per line; nil if there is no such file.
func ownFlags(folder string) (flags []string) {
	text, err := os.ReadFile(filepath.Join(folder, "compile_flags.txt"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			flags = append(flags, line)
		}
	}
	return flags
}
