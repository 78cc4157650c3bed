package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
	"sextant/internal/usage"
)

const statsHelp = `Show what the answers of "sextant serve" cost an agent, in estimated tokens, by
day and tool, and what it would have cost to read the files that they showed.

Files are counted whole, once for each answer that shows a place in them, as if
an agent had opened them instead. One that searches well reads less, so the
difference is a bound and not what was saved. A loss is an answer that cost
more than the files it showed; answers that show none, such as lists and
refusals, are losses.

The numbers stay in the data folder of this machine, for 100 days with answers.
No question, path or answer is kept. SEXTANT_STATS=off keeps nothing.`

// maxDays is the largest value of --days: ten years.
const maxDays = 3650

func (a *app) statsCommand() *cobra.Command {
	days := 7
	cmd := &cobra.Command{
		Use: "stats", GroupID: "serve", Short: "Show what answers to agents cost, beside reading the files they showed",
		Long: statsHelp, Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			home, err := a.settings.home()
			if err != nil {
				return err
			}
			list, err := usage.Read(home)
			if err != nil {
				return fmt.Errorf("read what answers cost: %w", err)
			}
			list = since(list, time.Now().AddDate(0, 0, 1-days))
			if a.json {
				return a.printJSON(map[string]any{"days": contract.List[usage.Sum](list)}, contract.StatusOK)
			}
			return a.printStats(list)
		},
	}
	cmd.Flags().Var(wholeFlag{"days", &days, 1, maxDays, days}, "days", "the last days, today included")
	a.jsonFlag(cmd)
	return cmd
}

// since returns the sums in list from the day of the time first on. list is sorted by
// day.
func since(list []usage.Sum, first time.Time) []usage.Sum {
	day := first.Format(time.DateOnly)
	for len(list) > 0 && list[0].Day < day {
		list = list[1:]
	}
	return list
}

// printStats prints a line per day and tool, and a total.
func (c *console) printStats(list []usage.Sum) error {
	if len(list) == 0 {
		c.aside("No agent has asked in these days; sextant serve counts the answers that it gives.")
		return nil
	}
	const row = "%-10s  %-15s  %7v  %10v  %11v  %6v  %8v"
	head := fmt.Sprintf(row, "day", "tool", "answers", "tokens", "files whole", "losses", "lost")
	lines := []typeset.Line{{{Role: typeset.Dim, Text: head}}}
	total := usage.Sum{Day: "total"}
	line := func(s usage.Sum, day string) {
		text := fmt.Sprintf(row, day, s.Tool, s.Answers, s.Tokens, s.Files, s.Losses, s.Lost)
		lines = append(lines, typeset.Text(strings.TrimRight(text, " ")))
	}
	last := ""
	for _, s := range list {
		day := s.Day
		if day == last {
			day = ""
		}
		line(s, day)
		last = s.Day
		total.Add(s)
	}
	line(total, total.Day)
	if err := c.sheet().say(lines...); err != nil {
		return err
	}
	c.aside(
		"Estimated tokens. Files are counted whole, so they bound what an agent would have read; see sextant stats " +
			"--help.")
	return nil
}

// spent returns a function that records what each answer of this process cost, in
// tokens. It returns nil if nothing is to be recorded: for any command but serve, or
// with SEXTANT_STATS=off.
func (a *app) spent() func(tool string, cost contract.AnswerTokens) {
	home, err := a.settings.home()
	if err != nil || a.settings.once || a.settings.env("SEXTANT_STATS") == "off" {
		return nil
	}
	a.usage = usage.Open(home)
	return func(tool string, cost contract.AnswerTokens) {
		a.usage.Add(usage.Answer{Tool: tool, Tokens: cost.Answer, Files: cost.FilesShown})
	}
}
