package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// memory is the largest address space of a test binary, in kB, so that a mutation that allocates
// without end does not use up the machine's memory.
const memory = 12 << 20

// tried is a unit (one or more tests of a binary) with the results of its run without a mutation:
// the time that it took, and the mutations whose statements it ran.
type tried struct {
	unit
	took time.Duration
	hits map[int]bool
}

// rehearse runs a unit without a mutation, and returns its time and the mutations that it reaches.
// It returns an error if the unit does not pass.
func (u unit) rehearse(ctx context.Context, limit time.Duration) (tried, error) {
	t := tried{unit: u, hits: map[int]bool{}}
	hits, err := os.CreateTemp("", "hits-")
	if err != nil {
		return t, err
	}
	defer os.Remove(hits.Name())
	defer hits.Close()
	start := time.Now()
	passed, out, err := u.run(ctx, limit, hitsVariable+"="+hits.Name())
	if err != nil || !passed {
		return t, fmt.Errorf("the tests must pass without a mutation, within %v: %s: %v\n%s",
			limit, u.pattern, err, out)
	}
	t.took = time.Since(start)
	text, err := os.ReadFile(hits.Name())
	if err != nil {
		return t, err
	}
	for line := range strings.FieldsSeq(string(text)) {
		i, err := strconv.Atoi(line)
		if err != nil {
			return t, err
		}
		t.hits[i] = true
	}
	return t, nil
}

// These constants are the verdicts about a mutation.
const (
	dead      = "dead"      // a test fails or hangs
	survived  = "survived"  // all tests pass
	unreached = "unreached" // no test runs its statement
)

// kill runs the tests that reach mutation i, the quick ones first, until one fails.
func kill(ctx context.Context, units []tried, i int) (verdict string, err error) {
	verdict = unreached
	for _, group := range grouped(units, i) {
		verdict = survived
		passed, _, err := group.run(ctx, 10*time.Second+5*group.took, mutantVariable+"="+strconv.Itoa(i))
		if err != nil || !passed {
			return dead, err
		}
	}
	return verdict, nil
}

// grouped joins the units that reach mutation i into groups, each of which is run as one unit.
// units are sorted by time. A group takes about a second, or as long as all groups before it
// together.
func grouped(units []tried, i int) (groups []tried) {
	var before time.Duration
	for _, u := range units {
		if !u.hits[i] {
			continue
		}
		last := len(groups) - 1
		if last < 0 || groups[last].binary != u.binary ||
			groups[last].took > max(time.Second, before-groups[last].took) {
			groups = append(groups, u)
		} else {
			groups[last].pattern += "|" + u.pattern
			groups[last].took += u.took
		}
		before += u.took
	}
	return groups
}

// run runs the tests of a unit with one more environment variable, "NAME=VALUE". It reports whether
// they pass within the limit. It removes the files and processes that the tests leave behind.
func (u unit) run(ctx context.Context, limit time.Duration, variable string) (passed bool, out []byte, err error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return false, nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // tests may run a child as another user
		return false, nil, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, memory),
		u.binary, "-test.failfast", "-test.run", u.pattern)
	cmd.Dir, cmd.Env = u.dir, append(os.Environ(), variable, "TMPDIR="+dir)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // no error matters: most often no process is left
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, nil, ctx.Err()
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return true, output.Bytes(), nil
	case errors.As(err, &exit):
		return false, output.Bytes(), nil
	}
	return false, nil, err
}
