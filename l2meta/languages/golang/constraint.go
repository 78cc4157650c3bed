package golang

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// goSystems and goArches list the operating systems and architectures by which file names and
// constraints select files, as in package go/build. unixes lists the systems that satisfy the tag
// unix.
var (
	goSystems = strings.Fields("linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix android " +
		"ios js wasip1 plan9 hurd nacl zos")
	goArches = strings.Fields(
		"amd64 arm64 386 arm ppc64 ppc64le mips mipsle mips64 mips64le riscv64 s390x loong64 wasm sparc64")
	unixes = resolve.Words("linux darwin freebsd netbsd openbsd dragonfly solaris illumos aix android ios hurd")
)

type conditionKey struct{}

// condition returns the condition under which a build compiles a file, from its name and its
// //go:build line.
func condition(f *resolve.File) parsedCondition {
	return resolve.Memo(f, conditionKey{}, func() parsedCondition {
		var x constraint.Expr
		if text := constraintText(f); text != "" {
			if e, err := constraint.Parse("//go:build " + text); err == nil {
				x = e
			}
		}
		for _, tag := range nameTags(f.Path) {
			if x == nil {
				x = &constraint.TagExpr{Tag: tag}
			} else {
				x = &constraint.AndExpr{X: x, Y: &constraint.TagExpr{Tag: tag}}
			}
		}
		if x == nil {
			return parsedCondition{}
		}
		return parsedCondition{x, x.String()}
	})
}

// parsedCondition is a build condition and its text. The text "" means that every build compiles
// the file.
type parsedCondition struct {
	x    constraint.Expr
	text string
}

func constraintText(f *resolve.File) string { return f.Leaf("/go:build") }

// nameTags returns the constraints in a file's name: x_GOOS.go, x_GOARCH.go,
// x_GOOS_GOARCH.go, each also before _test.
func nameTags(name string) []string {
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

// build is one build configuration: a system, an architecture, and whether each other tag of the
// compared conditions is set.
type build struct {
	system, arch string
	tags         map[string]bool
}

func (b build) has(tag string) bool {
	switch {
	case tag == b.system || tag == b.arch || tag == "gc":
		return true
	case tag == "unix":
		return unixes[b.system]
	case tag == "linux":
		return b.system == "android"
	case tag == "darwin":
		return b.system == "ios"
	case strings.HasPrefix(tag, "go1."):
		return true
	}
	return b.tags[tag]
}

// maxTags is the number of build tags of which builds tries all combinations. It treats further
// tags as not set.
const maxTags = 6

// builds yields the build configurations that the conditions can tell apart. It combines every
// system if they mention one, otherwise Linux; amd64 and, if they mention architectures, these
// and arm64; and each combination of the other tags that they mention.
func builds(conditions ...constraint.Expr) func(yield func(build) bool) {
	systems, arches, tags := []string{"linux"}, []string{"amd64"}, []string{}
	for _, tag := range goTags(conditions) {
		switch {
		case tag == "unix" || slices.Contains(goSystems, tag):
			systems = goSystems
		case slices.Contains(goArches, tag):
			arches = append(arches, tag, "arm64")
		case tag != "gc" && !strings.HasPrefix(tag, "go1.") && len(tags) < maxTags:
			tags = append(tags, tag)
		}
	}
	return func(yield func(build) bool) {
		for _, system := range systems {
			for _, arch := range arches {
				for set := range 1 << len(tags) {
					b := build{system: system, arch: arch, tags: map[string]bool{}}
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

func (c parsedCondition) holds(b build) bool { return c.x == nil || c.x.Eval(b.has) }

// meetingKey is the key under which a file keeps the result of mayMeet: the condition of the other
// file, as text.
type meetingKey string

// mayMeet reports whether some build compiles both files. It is called for each pair of files that
// declare the same name. As these files have few distinct conditions, a result is kept for each
// condition, not for each pair.
func mayMeet(a, b *resolve.File) bool {
	x, y := condition(a), condition(b)
	if x.x == nil && y.x == nil {
		return true
	}
	return resolve.Memo(a, meetingKey(y.text), func() bool { return x.meets(y) })
}

// meets reports whether some build satisfies both conditions.
func (c parsedCondition) meets(other parsedCondition) bool {
	for build := range builds(c.x, other.x) {
		if c.holds(build) && other.holds(build) {
			return true
		}
	}
	return false
}

// pick returns the declaration among refs, which share a name, to which the file from refers.
// That is the only one that a build can compile together with from, or else the only one that
// every usual Linux build compiles together with from. It returns false if several remain:
//
//	// file_linux.go and file_windows.go both declare func open
//	open()   in use_linux.go resolves to the one in file_linux.go
func pick(from *resolve.File, refs []resolve.Ref) (resolve.Ref, bool) {
	if len(refs) == 1 {
		return refs[0], true
	}
	var meeting []resolve.Ref
	for _, r := range refs {
		if mayMeet(from, r.File) {
			meeting = append(meeting, r)
		}
	}
	if len(meeting) == 1 {
		return meeting[0], true
	}
	var usual resolve.Ref
	for _, cgo := range []bool{false, true} {
		build := build{system: "linux", arch: "amd64", tags: map[string]bool{"cgo": cgo}}
		hit, ok := only(build, from, meeting)
		if !ok || usual.Valid() && usual != hit {
			return resolve.Ref{}, false
		}
		usual = hit
	}
	return usual, true
}

// only returns the single declaration in refs whose file build b compiles. It returns false if
// there is none or more than one, or if b does not compile the file from.
func only(b build, from *resolve.File, refs []resolve.Ref) (hit resolve.Ref, ok bool) {
	if !condition(from).holds(b) {
		return resolve.Ref{}, false
	}
	for _, r := range refs {
		if condition(r.File).holds(b) {
			if hit.Valid() {
				return resolve.Ref{}, false
			}
			hit = r
		}
	}
	return hit, hit.Valid()
}
