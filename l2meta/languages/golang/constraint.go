package golang

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// The operating systems and architectures by which file names and constraints
// tell builds apart (go/build's lists).
var (
	goSystems = strings.Fields("linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android ios js wasip1 plan9 hurd nacl zos")
	goArches  = strings.Fields("amd64 arm64 386 arm ppc64 ppc64le mips mipsle mips64 mips64le riscv64 s390x loong64 wasm sparc64")
	goUnixes  = goSet("linux darwin freebsd netbsd openbsd dragonfly solaris illumos aix android ios hurd")
)

type goConditionKey struct{}

// goCondition is under which builds a file is compiled; nil for all.
func goCondition(f *resolve.File) constraint.Expr {
	return resolve.Memo(f, goConditionKey{}, func() goParsedCondition {
		var x constraint.Expr
		if text := goConstraintText(f); text != "" {
			if e, err := constraint.Parse("//go:build " + text); err == nil {
				x = e
			}
		}
		for _, tag := range goNameTags(f.Path) {
			if x == nil {
				x = &constraint.TagExpr{Tag: tag}
			} else {
				x = &constraint.AndExpr{X: x, Y: &constraint.TagExpr{Tag: tag}}
			}
		}
		return goParsedCondition{x}
	}).x
}

type goParsedCondition struct{ x constraint.Expr }

func goConstraintText(f *resolve.File) string { return f.Leaf("/go:build") }

// goNameTags is the constraints in a file's name: x_GOOS.go, x_GOARCH.go,
// x_GOOS_GOARCH.go, each also before _test.
func goNameTags(name string) []string {
	name = strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test")
	parts := strings.Split(name, "_")
	n := len(parts)
	switch {
	case n >= 3 && slices.Contains(goSystems, parts[n-2]) && slices.Contains(goArches, parts[n-1]):
		return parts[n-2:]
	case n >= 2 && (slices.Contains(goSystems, parts[n-1]) || slices.Contains(goArches, parts[n-1])):
		return parts[n-1:]
	}
	return nil
}

// goBuild is one way to build: system, architecture, and which other tags are
// set.
type goBuild struct {
	system, arch string
	tags         map[string]bool
}

func (b goBuild) has(tag string) bool {
	switch {
	case tag == b.system || tag == b.arch || tag == "gc":
		return true
	case tag == "unix":
		return goUnixes[b.system]
	case tag == "linux":
		return b.system == "android"
	case tag == "darwin":
		return b.system == "ios"
	case strings.HasPrefix(tag, "go1."):
		return true
	}
	return b.tags[tag]
}

// maxGoTags bounds the tags of which all combinations are tried.
const maxGoTags = 6

// goBuilds is every way to build that the conditions can tell apart.
func goBuilds(conditions ...constraint.Expr) func(yield func(goBuild) bool) {
	systems, arches, tags := []string{"linux"}, []string{"amd64"}, []string{}
	for _, tag := range goTags(conditions) {
		switch {
		case tag == "unix" || slices.Contains(goSystems, tag):
			systems = goSystems
		case slices.Contains(goArches, tag):
			arches = append(arches, tag, "arm64")
		case tag != "gc" && !strings.HasPrefix(tag, "go1.") && len(tags) < maxGoTags:
			tags = append(tags, tag)
		}
	}
	return func(yield func(goBuild) bool) {
		for _, system := range systems {
			for _, arch := range arches {
				for set := range 1 << len(tags) {
					b := goBuild{system: system, arch: arch, tags: map[string]bool{}}
					for i, tag := range tags {
						b.tags[tag] = set&(1<<i) != 0
					}
					if !yield(b) {
						return
					}
				}
			}
		}
	}
}

func goTags(conditions []constraint.Expr) (tags []string) {
	var walk func(x constraint.Expr)
	walk = func(x constraint.Expr) {
		switch x := x.(type) {
		case *constraint.TagExpr:
			if !slices.Contains(tags, x.Tag) {
				tags = append(tags, x.Tag)
			}
		case *constraint.NotExpr:
			walk(x.X)
		case *constraint.AndExpr:
			walk(x.X)
			walk(x.Y)
		case *constraint.OrExpr:
			walk(x.X)
			walk(x.Y)
		}
	}
	for _, c := range conditions {
		walk(c)
	}
	return tags
}

func goHolds(x constraint.Expr, b goBuild) bool { return x == nil || x.Eval(b.has) }

// goMayMeet reports whether some build compiles both files.
func goMayMeet(a, b *resolve.File) bool {
	x, y := goCondition(a), goCondition(b)
	if x == nil && y == nil {
		return true
	}
	for build := range goBuilds(x, y) {
		if goHolds(x, build) && goHolds(y, build) {
			return true
		}
	}
	return false
}

// goPick is the one of several declarations of a name that the file from
// means: the only one that a build can have beside it, or else the one that
// every usual build on Linux has, if from is in such a build. It reports false
// when several remain.
func goPick(from *resolve.File, refs []resolve.Ref) (resolve.Ref, bool) {
	if len(refs) == 1 {
		return refs[0], true
	}
	var meeting []resolve.Ref
	for _, r := range refs {
		if goMayMeet(from, r.File) {
			meeting = append(meeting, r)
		}
	}
	if len(meeting) == 1 {
		return meeting[0], true
	}
	var usual resolve.Ref
	for _, cgo := range []bool{false, true} {
		build := goBuild{system: "linux", arch: "amd64", tags: map[string]bool{"cgo": cgo}}
		hit, ok := goOnly(build, from, meeting)
		if !ok || usual.Valid() && usual != hit {
			return resolve.Ref{}, false
		}
		usual = hit
	}
	return usual, true
}

// goOnly is the one declaration that a build has beside from.
func goOnly(b goBuild, from *resolve.File, refs []resolve.Ref) (hit resolve.Ref, ok bool) {
	if !goHolds(goCondition(from), b) {
		return resolve.Ref{}, false
	}
	for _, r := range refs {
		if goHolds(goCondition(r.File), b) {
			if hit.Valid() {
				return resolve.Ref{}, false
			}
			hit = r
		}
	}
	return hit, hit.Valid()
}
