// Command crossings measures how well the calls between services are found in real
// workspaces. It compares them with a truth that people read from the sources.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "crossings:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var opts runner
	cmd := &cobra.Command{
		Use: "crossings", Short: "Measure calls between services beside a truth read by hand", Args: cobra.NoArgs,
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error { return opts.run(c.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.corpus, "corpus", os.Getenv("SEXTANT_CORPUS"), "directory of clones, each as owner+name")
	f.StringVar(&opts.data, "data", "testdata/crossservice", "directory of truths, one file a workspace")
	f.StringSliceVar(&opts.only, "repo", nil, "only workspaces with one of these texts in their name")
	f.StringVar(&opts.show, "show", "",
		"list edges: any of the letters w (wrong), m (missed), s (missed silently), c (candidates), "+
			"r (right), n (notes)")
	f.BoolVar(&opts.services, "services", false, "list the services that were found beside those of the truth")
	return cmd
}
