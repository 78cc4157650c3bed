package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// drawn is a sample of the mutations of packages, and the flags with which the go command builds
// them.
type drawn struct {
	sites []site
	flags []string // flags of the go command: the overlay, and all messages about the packages
}

// draw writes mutations into copies of the packages. For each package it takes the first n
// mutations of the package's list in left that compile.
func draw(ctx context.Context, dir string, packages []string, left [][]site, n int) (out drawn, err error) {
	kept := make([][]site, len(left))
	for {
		out.sites = nil
		for p := range left {
			take := min(n-len(kept[p]), len(left[p]))
			kept[p], left[p] = append(kept[p], left[p][:take]...), left[p][take:]
			out.sites = append(out.sites, kept[p]...)
			if len(kept[p]) == 0 {
				return out, fmt.Errorf("%s: nothing to mutate", packages[p])
			}
		}
		overlay, err := schemata(dir, out.sites)
		if err != nil {
			return out, err
		}
		out.flags = []string{"-overlay", overlay, "-ldflags=-s -w"}
		for _, p := range packages {
			out.flags = append(out.flags, "-gcflags="+p+"=-e")
		}
		invalid, err := compile(ctx, packages, out.flags)
		if err != nil || len(invalid) == 0 {
			return out, err
		}
		i := -1
		for p := range kept {
			kept[p] = slices.DeleteFunc(kept[p], func(site) bool { i++; return invalid[i] })
		}
	}
}

var mutantInMessage = regexp.MustCompile(`mutant_(\d+):\d+`)

// compile builds packages that contain their mutations. It returns the numbers of the mutations
// that do not compile. Any other compiler message is an error.
func compile(ctx context.Context, packages, flags []string) (map[int]bool, error) {
	out, err := exec.CommandContext(ctx, "go", slices.Concat([]string{"build"}, flags, packages)...).CombinedOutput()
	if err == nil {
		return nil, nil
	}
	invalid := map[int]bool{}
	for _, m := range mutantInMessage.FindAllSubmatch(out, -1) {
		i, err := strconv.Atoi(string(m[1]))
		if err != nil {
			return nil, err
		}
		invalid[i] = true
	}
	if len(invalid) == 0 {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return invalid, nil
}

// unit is one test in a test binary, or the tests that a pattern selects.
type unit struct {
	binary, dir, pattern string
}

// binaries builds the instrumented test binaries of packages, each given as
// "PACKAGE" or "PACKAGE=PATTERN", and returns their units: one unit for a
// pattern, or one per test for a package without a pattern.
func binaries(ctx context.Context, dir string, packages, flags []string) (units []unit, err error) {
	built := map[string]unit{}
	for _, p := range packages {
		pkg, pattern, chosen := strings.Cut(p, "=")
		u, ok := built[pkg]
		if !ok {
			u.binary = filepath.Join(dir, strconv.Itoa(len(built))+".test")
			if u.dir, err = folderOf(ctx, pkg); err != nil {
				return nil, err
			}
			args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", u.binary}, flags, []string{pkg})
			if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
				return nil, fmt.Errorf("go test -c %s: %w\n%s", pkg, err, out)
			}
			built[pkg] = u
		}
		patterns := []string{pattern}
		if !chosen {
			if patterns, err = u.tests(ctx); err != nil {
				return nil, err
			}
		}
		for _, u.pattern = range patterns {
			units = append(units, u)
		}
	}
	return units, nil
}

// folderOf returns the folder of a package.
func folderOf(ctx context.Context, pkg string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", pkg).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go list: %w\n%s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// tests returns one pattern for each test of the binary, except soak tests, which take minutes. A
// package without tests has no binary and no patterns.
func (u unit) tests(ctx context.Context) (patterns []string, err error) {
	if _, err := os.Stat(u.binary); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, u.binary, "-test.list", "^Test")
	cmd.Dir = u.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s -test.list: %w", u.dir, err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(name, "Soak") {
			patterns = append(patterns, "^"+name+"$")
		}
	}
	return patterns, nil
}
