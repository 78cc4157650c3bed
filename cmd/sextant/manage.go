package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/manage"
	"sextant/internal/typeset"
)

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", GroupID: "index", Short: "List the tracked codebases", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := a.open(c.Context()); err != nil {
				return err
			}
			answer, err := a.service.ListCodebases(c.Context(), contract.ListRequest{})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(answer, contract.StatusOK)
			}
			return a.printList(answer)
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

// printList prints a line per codebase, with its state and the command that
// helps if it is not ready.
func (c *console) printList(l contract.ListAnswer) error {
	if l.Total() == 0 {
		c.aside("Nothing is indexed yet; sextant index indexes the codebase around the current folder.")
		return nil
	}
	sheet := c.sheet()
	column := sheet.column(l.Paths())
	var lines []typeset.Line
	row := func(path string, role typeset.Role, state, rest string) {
		lines = append(lines, append(column(path, ""), typeset.Part{Role: role, Text: state},
			typeset.Part{Text: "  " + rest}))
	}
	for _, r := range l.Ready {
		text := fmt.Sprintf("%7d files %8d symbols  checked %s", r.Files, r.Symbols, ago(r.LastSync))
		deployed := 0
		for _, s := range r.Services {
			if isDeployed(s.Kind) {
				deployed++
			}
		}
		if deployed > 0 {
			text += ", " + count(deployed, "service")
		}
		row(r.Path, typeset.Good, "ready   ", text)
	}
	for _, r := range l.Indexing {
		row(r.Path, typeset.Caution, "indexing",
			fmt.Sprintf("%.0f%% done; sextant index %s indexes the rest", r.Percent, quote(r.Path)))
	}
	for _, r := range l.RequiresReindex {
		why := "no index is there any more"
		if r.Reason == manage.FingerprintMismatch {
			why = "indexed by another version of sextant"
		}
		row(r.Path, typeset.Caution, "outdated",
			fmt.Sprintf("%s; sextant index %s makes it anew, and so does the next question", why, quote(r.Path)))
	}
	for _, r := range l.Failed {
		if _, err := os.Stat(r.Path); errors.Is(err, fs.ErrNotExist) {
			row(r.Path, typeset.Bad, "gone    ", "sextant clear "+quote(r.Path)+" removes its index")
			continue
		}
		row(r.Path, typeset.Bad, "failed  ", fmt.Sprintf("%s; sextant index --repair %s", r.Reason, quote(r.Path)))
	}
	return sheet.say(lines...)
}

// isDeployed reports whether a service of this kind is deployed, rather than a
// library or a set of tests.
func isDeployed(kind string) bool { return kind != "library" && kind != "test" }

// ago returns the time that has passed since an RFC 3339 time stamp, such as "5 min ago"; "never"
// if stamp is no time stamp.
func ago(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "never"
	}
	switch d := time.Since(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	default:
		return fmt.Sprintf("%d days ago", d/(24*time.Hour))
	}
}

func (a *app) statusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "status [FOLDER]", GroupID: "index", Short: "Show the state of an index: coverage, size, services",
		Args: a.atMostPath,
		RunE: func(c *cobra.Command, _ []string) error {
			path, err := a.where(c.Context())
			if err != nil {
				return err
			}
			answer, err := a.manage(c.Context(),
				contract.ManageRequest{Action: contract.ManageStatus, Path: path, Detail: contract.DetailFull})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(answer, answer.Status)
			}
			return a.printStatus(answer)
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

// manage validates req and calls the tool manage_index.
func (a *app) manage(ctx context.Context, req contract.ManageRequest) (*contract.ManageAnswer, error) {
	if err := req.Normalize(); err != nil {
		return nil, err
	}
	return a.service.Manage(ctx, req)
}

// printStatus prints the state of one index: its numbers of chunks, vectors and
// symbols, its size, coverage and services.
func (c *console) printStatus(s *contract.ManageAnswer) error {
	if s.Status != contract.StatusOK {
		return failed(s.Outcome, s.Path)
	}
	text := s.Message
	if p := s.Progress; p != nil && p.FilesDone < p.FilesTotal {
		text += fmt.Sprintf(" %d of %s done.", p.FilesDone, count(p.FilesTotal, "file"))
	}
	lines := []typeset.Line{typeset.Text(text)}
	row := func(name, format string, args ...any) {
		lines = append(lines, typeset.Line{{Role: typeset.Dim, Text: fmt.Sprintf("  %-9s", name)},
			{Text: " " + fmt.Sprintf(format, args...)}})
	}
	if t := s.Tiers; t != nil {
		row("words", "%d files, %d chunks", t.L1.Files, t.L1.Chunks)
		row("meaning", "%d vectors (%s)", t.L1.Vectors, t.L1.Embedder)
		row("symbols", "%d symbols, %d call sites", t.L2.Symbols, t.L2.Calls)
	}
	if s.Disk != nil {
		row("disk", "%s", size(s.Disk.Bytes))
	}
	if covered := s.Coverage; covered != nil {
		row("coverage", "%d parsed (%d of them with errors), %d as text only", covered.Parsed,
			covered.ParseErrors, covered.TextOnly)
		for _, reason := range slices.Sorted(maps.Keys(covered.Skipped)) {
			row("skipped", "%d %s", covered.Skipped[reason], reason)
		}
	}
	var services []contract.ServiceState
	for _, sv := range s.Services {
		if isDeployed(sv.Kind) {
			services = append(services, sv)
		}
	}
	if len(services) > 0 {
		row("services", "%d", len(services))
	}
	name := 0
	var paths []string
	for _, sv := range services {
		name, paths = max(name, typeset.Width(sv.Name)), append(paths, sv.Path)
	}
	sheet := c.sheet()
	column := sheet.column(paths)
	for _, sv := range services {
		line := typeset.Line{{Role: typeset.Name, Text: "    " + typeset.Pad(sv.Name, name) + "  "}}
		lines = append(lines, append(append(line, column(sv.Path, "")...),
			typeset.Part{Role: typeset.Dim, Text: sv.Language}))
	}
	err := sheet.say(lines...)
	c.printWarnings(s.Warnings)
	return err
}

func (a *app) clearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear [FOLDER]", GroupID: "index", Short: "Remove the index of a codebase (its source is untouched)",
		Args: a.atMostPath,
		RunE: func(c *cobra.Command, _ []string) error { return a.clear(c.Context()) },
	}
}

// clear removes the index of the path that the command works on, even if the
// folder itself was removed.
func (a *app) clear(ctx context.Context) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	path, err := filepath.Abs(a.path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err == nil || a.path == "" {
		if path, err = a.where(ctx); err != nil {
			return err
		}
	} else if root, ok := a.tracked(ctx, path); !ok || root != path {
		return a.exists(ctx, path)
	}
	answer, err := a.manage(ctx, contract.ManageRequest{Action: contract.ManageClear, Path: path})
	switch {
	case err != nil:
		return err
	case answer.Reason == contract.ReasonNotIndexed:
		return fmt.Errorf("%s is not indexed: there is nothing to clear; sextant list shows what is", path)
	case answer.Reason == contract.ReasonTrackedAncestor:
		return ownedBy(answer.Preflight.Owner, path,
			"sextant clear "+quote(answer.Preflight.Owner)+" removes all of that")
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, path)
	}
	a.tell("%s", answer.Message)
	return nil
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "sextant %s\n", programVersion())
			return err
		},
	}
}
