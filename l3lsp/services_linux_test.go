package l3lsp

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// serviceKind describes how to recognize the services of a language and their
// functions.
type serviceKind struct {
	manifest     string
	extension    string
	declared     *regexp.Regexp // matches a function declaration, its name in group 1
	server, test string         // test: part of the names of test files
}

var serviceKinds = map[string]serviceKind{
	"go": {"go.mod", ".go", regexp.MustCompile(`(?m)^func (\w+)\(`), "gopls", "_test.go"},
	"typescript": {"package.json", ".ts", regexp.MustCompile(`(?m)^(?:export )?(?:async )?function (\w+)[(<]`),
		"typescript-language-server", ".test"},
}

// TestOneServerForAllServices measures one server for all services of the
// folder SEXTANT_SERVICES, and one server per service: their resources and
// times. SEXTANT_SERVICES_LANGUAGE is "go" or "typescript",
// SEXTANT_SERVICES_MAX bounds the number of services.
func TestOneServerForAllServices(t *testing.T) {
	root := os.Getenv("SEXTANT_SERVICES")
	if root == "" {
		t.Skip("it is a measurement: SEXTANT_SERVICES is not set")
	}
	language := os.Getenv("SEXTANT_SERVICES_LANGUAGE")
	most, err := strconv.Atoi(os.Getenv("SEXTANT_SERVICES_MAX"))
	kind, known := serviceKinds[language]
	if err != nil || !known {
		t.Fatal("SEXTANT_SERVICES_LANGUAGE and SEXTANT_SERVICES_MAX say what to measure")
	}
	var batches []Batch
	for _, folder := range serviceFolders(t, root, kind.manifest) {
		if b := serviceBatch(t, kind, folder); len(b.Files) > 0 && b.Canary != nil && len(batches) < most {
			b.Language = language
			batches = append(batches, b)
		}
	}
	t.Logf("%d services, %s", len(batches), root)
	for _, each := range []bool{false, true} {
		var total measured
		servers := 1
		if !each {
			p := realPool(t, Options{Command: only(kind.server), MaxRSS: 20 << 30})
			shared := slices.Clone(batches)
			for i := range shared {
				if specOf(t, kind.server).Whole {
					shared[i].Folder = root
				}
			}
			total = measureServices(t, p, shared)
			p.Close()
		} else {
			servers = len(batches)
			for _, b := range batches {
				p := realPool(t, Options{Command: only(kind.server), MaxRSS: 20 << 30})
				total.add(measureServices(t, p, []Batch{b}))
				p.Close()
			}
		}
		t.Logf("%2d servers: %5d MB, CPU %6.1f s; first answers %6.1f s (the slowest %.1f s, ready %d of %d), %5.1f "+
			"ms CPU a site asked again, wall %5.1f ms; %d of %d sites found",
			servers, total.rss>>20, total.cpu.Seconds(), total.first.Seconds(), total.slowest.Seconds(),
			total.ready, len(batches),
			1000*total.warmCPU.Seconds()/float64(total.sites), 1000*total.warm.Seconds()/float64(total.sites),
			total.found, total.sites)
	}
}

// measured holds the resources and times of one or several servers.
type measured struct {
	rss                 int64
	cpu                 time.Duration // total
	first, slowest      time.Duration // time of the first batch of each service
	warm, warmCPU       time.Duration // of the second batch
	ready, sites, found int
}

func (m *measured) add(o measured) {
	m.rss, m.cpu, m.first, m.slowest = m.rss+o.rss, m.cpu+o.cpu, m.first+o.first, max(m.slowest, o.slowest)
	m.warm, m.warmCPU = m.warm+o.warm, m.warmCPU+o.warmCPU
	m.ready, m.sites, m.found = m.ready+o.ready, m.sites+o.sites, m.found+o.found
}

// measureServices queries each service twice.
func measureServices(t *testing.T, p *Pool, batches []Batch) (m measured) {
	t.Helper()
	ask := func(b Batch) (Report, time.Duration) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		began := time.Now()
		rep, err := p.Ask(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		return rep, time.Since(began)
	}
	for _, b := range batches {
		rep, took := ask(b)
		m.first, m.slowest = m.first+took, max(m.slowest, took)
		if rep.State == Ready {
			m.ready++
		} else {
			t.Logf("%s: %s %s", b.Folder, rep.State, rep.Detail)
		}
	}
	var peers []peer
	for _, r := range p.runs() {
		peers = append(peers, r.session.peer)
	}
	if len(peers) != 1 {
		t.Fatalf("%d servers", len(peers))
	}
	before := settled(peers[0])
	for _, b := range batches {
		rep, took := ask(b)
		m.warm += took
		for _, f := range rep.Answers {
			m.sites += len(f)
			for _, a := range f {
				if len(a.Locations) > 0 {
					m.found++
				}
			}
		}
	}
	after := settled(peers[0])
	m.warmCPU, m.cpu, m.rss = after.cpu-before.cpu, after.cpu, after.rss
	return m
}

// settled returns the use of a server once it is idle; its background work
// counts as well.
func settled(p peer) use {
	now := p.use()
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); {
		time.Sleep(2 * time.Second)
		before := now
		if now = p.use(); now.cpu-before.cpu < 100*time.Millisecond {
			break
		}
	}
	return now
}

// serviceFolders returns the folders with a manifest, except those of installed
// packages.
func serviceFolders(t *testing.T, root, manifest string) (folders []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata" || path != root &&
			strings.HasPrefix(e.Name(), ".")) {
			return fs.SkipDir
		}
		if err == nil && e.Name() == manifest && filepath.Dir(path) != root {
			folders = append(folders, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

const (
	serviceFiles = 20 // queried per service
	serviceSites = 10 // queried per file
)

var calledName = regexp.MustCompile(`[\s(!](\w{4,})\(`)

// serviceBatch returns a batch of calls, by plain name, of functions that are
// declared in folder. The canary, a call whose target is certain, is the first
// that follows the declaration of its function in the same file.
func serviceBatch(t *testing.T, kind serviceKind, folder string) Batch {
	t.Helper()
	b, names := Batch{Folder: folder}, map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			_, nested := os.Stat(filepath.Join(path, kind.manifest))
			if path != folder && (nested == nil || e.Name() == "node_modules" || e.Name() == "testdata" ||
				e.Name() == "dist" || e.Name() == "build") {
				return fs.SkipDir
			}
			return nil
		}
		if len(b.Files) >= serviceFiles || !strings.HasSuffix(path, kind.extension) ||
			strings.Contains(path, kind.test) || strings.HasSuffix(path, ".d.ts") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.Contains(text[:min(len(text), 500)], []byte("DO NOT EDIT")) ||
			bytes.Contains(text[:min(len(text), 500)], []byte("//go:build")) {
			return err
		}
		var sites []int
		for _, m := range kind.declared.FindAllSubmatchIndex(text, -1) {
			names[string(text[m[2]:m[3]])] = true
			called := regexp.MustCompile(`[\s(!]` + string(text[m[2]:m[3]]) + `\(`).FindIndex(text[m[1]:])
			if called != nil && b.Canary == nil {
				b.Canary = &Canary{Path: path, Text: text, Offset: m[1] + called[0] + 1, TargetOffset: m[2]}
			}
		}
		for _, m := range calledName.FindAllSubmatchIndex(text, -1) {
			if names[string(text[m[2]:m[3]])] && !bytes.HasSuffix(bytes.TrimRight(text[:m[2]], " "),
				[]byte("func")) && !bytes.HasSuffix(text[:m[2]], []byte("function ")) {
				sites = append(sites, m[2])
			}
		}
		if len(sites) > 0 {
			b.Files = append(b.Files, Source{Path: path, Text: text, Offsets: sites[:min(len(sites), serviceSites)]})
		}
		return nil
	})
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", folder, err))
	}
	return b
}
