package main

import (
	"fmt"
	"strings"
	"time"

	"sextant/jit"
)

// bar is the progress of an index on a terminal; elsewhere it is silent.
type bar struct {
	app   *app
	start time.Time
	// The rate counts from the first numbers seen: an index that was
	// interrupted begins with files done.
	from   int
	since  time.Time
	counts bool
	drawn  bool
}

func newBar(a *app) *bar { return &bar{app: a, start: time.Now()} }

// barWidth is the length of the bar itself, in cells: with the numbers behind
// it the line stays below 80.
const barWidth = 20

func (b *bar) show(p jit.Progress) {
	if !b.app.errTerminal {
		return
	}
	line := "scanning…"
	if p.FilesTotal > 0 {
		if !b.counts {
			b.from, b.since, b.counts = p.FilesDone, time.Now(), true
		}
		full := barWidth * p.FilesDone / p.FilesTotal
		rate := float64(p.FilesDone-b.from) / max(time.Since(b.since).Seconds(), 0.001)
		st := b.app.errStyle
		line = fmt.Sprintf("%s%s %3d%%  %d/%d files  %.0f files/s", st.good(strings.Repeat("█", full)), st.dim(strings.Repeat("░", barWidth-full)),
			100*p.FilesDone/p.FilesTotal, p.FilesDone, p.FilesTotal, rate)
		if eta := p.ETA(); eta >= time.Second {
			line += "  " + eta.Round(time.Second).String() + " left"
		}
	}
	fmt.Fprintf(b.app.err, "\r\x1b[K%s", line)
	b.drawn = true
}

// done removes the bar.
func (b *bar) done() {
	if b.drawn {
		fmt.Fprint(b.app.err, "\r\x1b[K")
	}
}

// elapsed is the time so far, as exact as a reader wants it.
func (b *bar) elapsed() time.Duration {
	d := time.Since(b.start)
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Millisecond)
}
