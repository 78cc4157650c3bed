package main

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/deployable"
	"sextant/jit"
)

// serviceScore counts the services of workspaces that were read by hand, and how many of their
// properties were found.
type serviceScore struct {
	all, roots, names, kinds, languages int
	aliases, known                      int // names and addresses of the truth
	extra                               int // deployed services that the truth does not have
}

func (s *serviceScore) add(o serviceScore) {
	s.all += o.all
	s.roots += o.roots
	s.names += o.names
	s.kinds += o.kinds
	s.languages += o.languages
	s.aliases += o.aliases
	s.known += o.known
	s.extra += o.extra
}

func (s serviceScore) String() string {
	return fmt.Sprintf(
		"%d: root %d, name %d, kind %d, languages %d; names and addresses %d of %d; deployables beside the truth %d",
		s.all, s.roots, s.names, s.kinds, s.languages, s.known, s.aliases, s.extra)
}

// judgeServices compares the services in list with those of the truth (read by hand), and prints
// the differences. Several libraries in list may correspond to one library of the truth.
func (t *truth) judgeServices(list []jit.Service) (out serviceScore) {
	at := map[string]*jit.Service{}
	for i := range list {
		for _, dir := range append([]string{list[i].Root}, list[i].Also...) {
			at[t.path(dir)] = &list[i]
		}
	}
	for _, want := range t.services {
		out.all++
		got := at[want.root]
		if got == nil && want.kind == string(deployable.Library) {
			if t.libraries(list, want.root) {
				out.roots, out.names, out.kinds, out.languages = out.roots+1, out.names+1, out.kinds+1, out.languages+1
				continue
			}
		}
		if got == nil {
			fmt.Printf("  no service at %s (%s)\n", want.root, want.name)
			continue
		}
		out.roots++
		out.judge(want, got)
	}
	for _, s := range list {
		known := slices.ContainsFunc(t.services, func(want service) bool {
			return at[want.root] != nil && at[want.root].Root == s.Root ||
				strings.HasPrefix(t.path(s.Root)+"/", want.root+"/")
		})
		if known {
			continue
		}
		if s.Kind == deployable.Application || s.Kind == deployable.Frontend {
			out.extra++
		}
		fmt.Printf("  %s (%s, %s) is none of the truth\n", t.path(s.Root), s.Name, s.Kind)
	}
	return out
}

// judge compares the service got with the service want of the truth, counts the equal properties
// and prints the others.
func (out *serviceScore) judge(want service, got *jit.Service) {
	say := func(format string, args ...any) { fmt.Printf("  "+want.root+" "+format+"\n", args...) }
	if deployable.Folded(got.Name) == deployable.Folded(want.name) {
		out.names++
	} else {
		say("is called %s, not %s", got.Name, want.name)
	}
	if string(got.Kind) == want.kind {
		out.kinds++
	} else {
		say("is %s, not %s", got.Kind, want.kind)
	}
	languages := strings.Split(strings.ReplaceAll(want.languages, "shell", "bash"), ",")
	slices.Sort(languages)
	if slices.Equal(languages, slices.Sorted(slices.Values(got.Languages))) {
		out.languages++
	} else {
		say("is written in %s, not %s", got.Languages, want.languages)
	}
	for _, name := range want.aliases {
		if name == "-" || name == "" {
			continue
		}
		out.aliases++
		if slices.ContainsFunc(got.Names,
			func(n string) bool { return deployable.Folded(n) == deployable.Folded(name) }) {
			out.known++
		} else {
			say("lacks the name %s, has %s", name, got.Names)
		}
	}
}

// libraries reports whether list has a service at, below or above dir, and all those at or below
// dir are libraries.
func (t *truth) libraries(list []jit.Service, dir string) bool {
	found := false
	for i := range list {
		if root := t.path(list[i].Root); root == "" || strings.HasPrefix(dir+"/", root+"/") ||
			strings.HasPrefix(root+"/", dir+"/") {
			found = true
			if list[i].Kind != deployable.Library && strings.HasPrefix(root+"/", dir+"/") {
				return false
			}
		}
	}
	return found
}
