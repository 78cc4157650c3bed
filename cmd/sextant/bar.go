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
	drawn bool
}

func newBar(a *app) *bar { return &bar{app: a, start: time.Now()} }

// barWidth is the length of the bar itself, in cells.
const barWidth = 28

func (b *bar) show(p jit.Progress) {
	if !b.app.errTerminal {
		return
	}
	line := "scanning…"
	if p.FilesTotal > 0 {
		full := barWidth * p.FilesDone / p.FilesTotal
		rate := float64(p.FilesDone) / max(time.Since(b.start).Seconds(), 0.001)
		line = fmt.Sprintf("%s%s %3d%%  %d/%d files  %.0f files/s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
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

func (b *bar) elapsed() time.Duration { return time.Since(b.start) }
