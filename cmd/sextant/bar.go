package main

import (
	"fmt"
	"strings"
	"time"

	"sextant/jit"
)

// bar draws the progress of indexing if standard error is a terminal. Otherwise
// it prints nothing.
type bar struct {
	console *console
	start   time.Time
	// The rate is counted from the first report on, since an interrupted index
	// starts with files that were done before.
	from   int       // number of files done at the first report
	since  time.Time // time of the first report
	counts bool      // whether from and since are set
	drawn  bool      // whether a line is on the screen
}

func newBar(c *console) *bar { return &bar{console: c, start: time.Now()} }

// barWidth is the length of the bar in characters. The whole line, with its
// numbers, stays below 80.
const barWidth = 20

// show redraws the bar for the progress p.
func (b *bar) show(p jit.Progress) {
	if !b.console.errTerminal {
		return
	}
	line := "scanning…"
	if p.FilesTotal > 0 {
		if !b.counts {
			b.from, b.since, b.counts = p.FilesDone, time.Now(), true
		}
		full := barWidth * p.FilesDone / p.FilesTotal
		rate := float64(p.FilesDone-b.from) / max(time.Since(b.since).Seconds(), 0.001)
		st := b.console.errStyle
		line = fmt.Sprintf("%s%s %3d%%  %d/%d files  %.0f files/s", st.good(strings.Repeat("█", full)),
			st.dim(strings.Repeat("░", barWidth-full)),
			100*p.FilesDone/p.FilesTotal, p.FilesDone, p.FilesTotal, rate)
		if eta := p.ETA(); eta >= time.Second {
			line += "  " + eta.Round(time.Second).String() + " left"
		}
	}
	fmt.Fprintf(b.console.err, "\r\x1b[K%s", line)
	b.drawn = true
}

// done erases the bar.
func (b *bar) done() {
	if b.drawn {
		fmt.Fprint(b.console.err, "\r\x1b[K")
	}
}

// elapsed returns the time since the bar was created, rounded to 1 ms below a second and to 10 ms
// above.
func (b *bar) elapsed() time.Duration {
	d := time.Since(b.start)
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Millisecond)
}
