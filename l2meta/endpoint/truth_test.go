package endpoint_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l2meta/endpoint"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// crossing is one edge between services as the truth files write it.
type crossing struct {
	kind, site string // "grpc", "src/a.go:12"
	handler    string // "src/b.py#Orders.Get"
	via        string
	confidence float64
	why        string
	missed     bool // of the truth: known not to be found
}

// crossings is every edge between services of a root, found from its clients,
// and what it found from its handlers instead.
func crossings(t *testing.T, root *jit.Root) (out, in []crossing) {
	t.Helper()
	err := root.View(t.Context(), func(v *jit.View) error {
		generation, err := jit.Generation(t.Context(), v)
		if err != nil {
			return err
		}
		r := resolve.New(t.Context(), v, resolve.NewCache(languages.All, nil), generation)
		var services []endpoint.Service
		for _, s := range root.Services().List {
			services = append(services, endpoint.Service{Name: s.Name, Root: s.Root})
		}
		join := endpoint.New(r, func() []endpoint.Service { return services })
		var ids []int64
		if err := v.Files(t.Context(), func(f store.FileRow) error { ids = append(ids, f.ID); return nil }); err != nil {
			return err
		}
		handlers := map[resolve.Ref]bool{}
		for _, id := range ids {
			file, err := r.Symbol(id, -1)
			if err != nil {
				return err
			}
			if file.File == nil { // nothing is known of it but that it is there
				continue
			}
			for i := -1; i < len(file.File.Symbols); i++ {
				if i >= 0 && !file.File.Symbols[i].Kind.Callable() {
					continue
				}
				found, err := join.Outgoing(file.File.Ref(i))
				if err != nil {
					return err
				}
				for _, x := range found {
					out = append(out, textOf(&x))
					handlers[x.Handler] = x.Handler.Valid()
				}
			}
		}
		for ref, ok := range handlers {
			if !ok {
				continue
			}
			found, err := join.Incoming(ref)
			if err != nil {
				return err
			}
			for _, x := range found {
				in = append(in, textOf(&x))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, in
}

func textOf(x *endpoint.Crossing) crossing {
	c := crossing{kind: string(x.Kind), site: fmt.Sprintf("%s:%d", x.File.Path, x.Call.NameSpan.StartLine), via: x.Via, confidence: x.Confidence, why: x.Why}
	if x.Handler.Valid() && x.Handler.Index >= 0 {
		c.handler = x.Handler.File.Path + "#" + x.Handler.Symbol().QualifiedName
	} else if x.Handler.Valid() {
		c.handler = x.Handler.File.Path
	}
	return c
}

// TestTruth compares the crossings of real repositories with those that were
// read from their sources by hand, in testdata/crossservice. It runs on those
// that lie below SEXTANT_CORPUS.
func TestTruth(t *testing.T) {
	corpus := os.Getenv("SEXTANT_CORPUS")
	if corpus == "" {
		t.Skip("SEXTANT_CORPUS names no folder of repositories")
	}
	files, err := filepath.Glob("../../testdata/crossservice/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no truth: %v", err)
	}
	var right, wrong, missed int
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		dir := filepath.Join(corpus, name)
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s: not there", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			r, w, m := judge(t, languagetest.Indexed(t, dir), file)
			t.Logf("%s: %d right, %d wrong, %d missed", name, r, w, m)
			right, wrong, missed = right+r, wrong+w, missed+m
		})
	}
	t.Logf("all: precision %.3f, recall %.3f of %d", float64(right)/float64(max(1, right+wrong)), float64(right)/float64(max(1, right+missed)), right+missed)
}

// judge counts the edges of confidence 0.9 and more.
func judge(t *testing.T, root *jit.Root, file string) (right, wrong, missed int) {
	want, within := truth(t, file)
	found, back := crossings(t, root)
	found = slices.DeleteFunc(found, func(x crossing) bool { return !strings.Contains(x.site, within) })
	var back2 []string
	for _, x := range back {
		back2 = append(back2, fmt.Sprint(x))
	}
	met := make([]bool, len(want))
	for _, x := range found {
		i := slices.IndexFunc(want, func(w crossing) bool { return w.same(x) })
		switch {
		case x.handler == "":
			t.Logf("unanswered: %s %s (%s)", x.site, x.via, x.why)
		case x.confidence < 0.9:
			t.Logf("candidate %.2f, right %v: %s %s -> %s %s", x.confidence, i >= 0, x.kind, x.site, x.handler, x.via)
		case i >= 0:
			met[i] = true
			right++
		default:
			wrong++
			t.Errorf("wrong: %s %s -> %s %s", x.kind, x.site, x.handler, x.via)
		}
		if x.handler != "" && !slices.Contains(back2, fmt.Sprint(x)) {
			t.Errorf("not found from its handler: %s %s -> %s", x.kind, x.site, x.handler)
		}
	}
	for i, ok := range met {
		if !ok {
			missed++
		}
		if ok == want[i].missed {
			t.Errorf("found %v: %s %s -> %s %s", ok, want[i].kind, want[i].site, want[i].handler, want[i].via)
		}
	}
	return right, wrong, missed
}

// same compares with what the truth says: the end of the handler's name is
// enough.
func (w crossing) same(x crossing) bool {
	file, name, _ := strings.Cut(w.handler, "#")
	xfile, xname, _ := strings.Cut(x.handler, "#")
	return w.kind == x.kind && w.site == x.site && w.via == x.via && file == xfile && (xname == name || strings.HasSuffix(xname, "."+name))
}

// truth reads lines, "missed " before those that are not found today: "grpc src/a.go:12 -> src/b.py#Orders.Get /shop.Orders/Get".
// "# within PART" says that sites of other paths were not read.
func truth(t *testing.T, file string) (out []crossing, within string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, known := strings.CutPrefix(lines.Text(), "missed ") // as it is today
		if rest, ok := strings.CutPrefix(line, "# within "); ok {
			within = rest
		}
		if line == "" || line[0] == '#' {
			continue
		}
		w := strings.SplitN(line, " ", 5)
		if len(w) != 5 || w[2] != "->" {
			t.Fatalf("%s: %q", file, line)
		}
		out = append(out, crossing{kind: w[0], site: w[1], handler: w[3], via: w[4], missed: known})
	}
	return out, within
}
