package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

func (a *app) outlineCommand() *cobra.Command {
	var opt outlineOptions
	cmd := &cobra.Command{
		Use: "outline [FILE[:START[-END]]|FOLDER]…", GroupID: "ask", Short: "List the symbols of files, or map folders",
		Long: `List the symbols of files. Of a folder (default: the current one), list its
services, its files with their main symbols, and the folders in it.`,
		Example: "  sextant outline internal/server/server.go\n  sextant outline server.go --exported --docs\n" +
			"  sextant outline internal/server",
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("exported") {
				opt.only = &opt.exported
			}
			if len(args) == 0 {
				args = []string{"."}
			}
			return a.each(args, func(file string) error { return a.outline(c.Context(), file, opt) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opt.skeleton, "skeleton", false, "print the file with the bodies of its functions left out")
	f.BoolVar(&opt.exported, "exported", false, "leave out what only the file or its package can use")
	f.BoolVar(&opt.docs, "docs", false, "add the first sentence of each doc comment")
	f.StringVar(&opt.cursor, "cursor", "", "continue where the previous answer stopped")
	a.jsonFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("skeleton", "exported")
	cmd.MarkFlagsMutuallyExclusive("skeleton", "docs")
	return cmd
}

// outlineOptions holds the flags of the outline command.
type outlineOptions struct {
	skeleton, exported, docs bool
	only                     *bool // points to exported, nil if the flag is not given
	cursor                   string
}

// outline prints the symbols of a file, its skeleton, or the map of a folder.
func (a *app) outline(ctx context.Context, file string, opt outlineOptions) error {
	file, first, last := splitLines(file)
	root, rel, err := a.locateBytes(ctx, file)
	if err != nil {
		return err
	}
	req := contract.OutlineRequest{Path: root, File: rel, StartLine: first, EndLine: last,
		LimitSymbols: contract.MaxSymbolLimit,
		Exported:     opt.only, Cursor: opt.cursor, Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
	if !a.json {
		req.Price = compact.Cost(&req)
	}
	switch {
	case opt.skeleton:
		req.Detail = contract.DetailSkeleton
	case opt.docs:
		req.Detail = contract.DetailFull
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	answer, err := a.service.Outline(ctx, req)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Status != contract.StatusOK && folderOf(filepath.Join(root, rel)) == filepath.Join(root, rel):
		return errors.New(cause(answer.Outcome))
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, file)
	case answer.Folder != nil:
		return a.draw(&req, answer, root, marker{})
	case opt.skeleton:
		return a.printSkeleton(ctx, req, answer)
	case len(answer.Outline.Symbols) == 0 && answer.Unexported == 0:
		a.aside("No symbols are declared in %s.", file)
		return nil
	}
	return a.draw(&req, answer, root, marker{})
}

// printSkeleton prints all pages of a skeleton; answer is the first page.
func (a *app) printSkeleton(ctx context.Context, req contract.OutlineRequest,
	answer *contract.OutlineAnswer) (err error) {
	for {
		if _, err = fmt.Fprintln(a.out, strings.TrimSuffix(answer.Skeleton, "\n")); err != nil || answer.Cursor == "" {
			return err
		}
		req.Cursor = answer.Cursor
		if answer, err = a.service.Outline(ctx, req); err != nil {
			return err
		}
		if answer.Status != contract.StatusOK {
			return failed(answer.Outcome, req.File)
		}
	}
}
