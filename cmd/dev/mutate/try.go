package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// result says whether a test detected a mutation.
type result int

const (
	survived result = iota // all tests pass
	dead                   // one fails or hangs
	invalid                // it does not compile
)

// try runs the tests of packages with the mutation m, or unchanged if m is nil.
// out is the output of go test.
func (o *options) try(ctx context.Context, packages []string, m *site) (r result, out []byte, err error) {
	args := []string{"test", "-failfast", "-timeout", o.timeout.String(), "-vet=off"}
	if o.run != "" {
		args = append(args, "-run", o.run)
	}
	if m != nil {
		dir, err := os.MkdirTemp("", "mutate-")
		if err != nil {
			return 0, nil, err
		}
		defer os.RemoveAll(dir)
		overlay, err := m.overlay(dir)
		if err != nil {
			return 0, nil, err
		}
		args = append(args, "-overlay", overlay)
		if r, out, err := build(ctx, overlay, packages[0]); err != nil || r == invalid {
			return r, out, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, 2*o.timeout) // a hanging test binary ends after o.timeout
	defer cancel()
	out, err = exec.CommandContext(limited, "go", append(args, packages...)...).CombinedOutput()
	return judged(ctx, out, err)
}

// build compiles a package with a mutation.
func build(ctx context.Context, overlay, pkg string) (result, []byte, error) {
	out, err := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, pkg).CombinedOutput()
	r, out, err := judged(ctx, out, err)
	if r == dead {
		r = invalid
	}
	return r, out, err
}

// judged converts the error of a command into a result: dead if the program ran
// and failed. It returns an error if the program could not be run.
func judged(ctx context.Context, out []byte, err error) (result, []byte, error) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, out, ctx.Err()
	case err == nil:
		return survived, out, nil
	case errors.As(err, &exit):
		return dead, out, nil
	}
	return 0, out, err
}

// overlay writes the mutated file and overlay.json, which makes the go command
// read it in place of the original, to dir. It returns the path of
// overlay.json.
func (m *site) overlay(dir string) (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(text[m.start:m.end], []byte(m.was)) {
		return "", fmt.Errorf("%s changed meanwhile", m.file)
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	text = append(append(text[:m.start:m.start], m.now...), text[m.end:]...)
	if err := os.WriteFile(changed, text, 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}
