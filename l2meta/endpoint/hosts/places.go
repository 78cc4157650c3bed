package hosts

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// A network name or a port leads to a place, usually the root of a service. If the program belongs
// to no service, or shares one with other programs, the place is its folder or its file.

// networkName is a place to which a network name or a port leads. root is the place, file the path
// of the file with the evidence.
type networkName struct {
	root string
	file string
}

// Around returns the next larger places: the folder of a file, the root of the service that
// contains a folder, the folder of a program and of its libraries. A program may serve the routes
// of files beside it. Around returns nil if there are no larger places.
func (nw *Network) Around(places []string) (larger []string) {
	for _, p := range places {
		root := nw.Services().Root(p + "/x")
		at := root
		if dir := code.Dir(p); nw.Services().IsPlace(p) && nw.World.Has(p) && dir != "" {
			at = dir
		} else if root == p && nw.aloneIn(dir, p) {
			at = dir
		}
		if at != p && at != "" && !slices.Contains(larger, at) {
			larger = append(larger, at)
		}
	}
	return larger
}

// aloneIn reports whether a folder holds the root of one program and otherwise only libraries and tests, of which that
// program is then made: catalog/src/Host beside catalog/src/Application.
func (nw *Network) aloneIn(dir, root string) bool {
	l, libraries := nw.Services(), 0
	if dir == "" || l.Root(dir+"/x") != "" {
		return false
	}
	for _, s := range l.All {
		switch {
		case s.Root == root || !strings.HasPrefix(s.Root, dir+"/"):
		case !s.Beside:
			return false
		case !s.Tests:
			libraries++
		}
	}
	return libraries > 0
}

// program is a program that a manifest runs under a name: its folder, and its file if that is known.
type program struct {
	name, folder, file string
	said               string // path of the manifest
}

// place returns the root of the service that a program belongs to or, if there is none, its
// folder. It returns "" for a program in the root of the workspace that belongs to no service.
func (p *program) place(l *lookup.ServiceList) string {
	if p.file != "" {
		if root := l.Root(p.file); root != "" {
			return root
		}
		return code.Dir(p.file)
	}
	if root := l.Root(p.folder + "/x"); root != "" || l.Outside(p.folder) {
		return root
	}
	return p.folder
}

// apart returns a smaller place for a program whose place is also that of other programs. The
// smaller place is the folder of the program, if byFolder is set and the folder is not shared,
// otherwise its file.
func (p *program) apart(shared string, byFolder bool) string {
	if dir := code.Dir(p.file); byFolder && dir != shared {
		return dir
	}
	return p.file
}

type namesKey struct{}

// Names returns the places of each network name in manifests. The key is the name in lower case
// without separators.
func (nw *Network) Names() map[string][]networkName {
	return resolve.Derive(nw.World, namesKey{}, func() map[string][]networkName {
		list := nw.programs()
		files, folders := map[string][]string{}, map[string][]string{} // place → files of programs, folder → names
		enter := func(by map[string][]string, key, value string) {
			if !slices.Contains(by[key], value) && len(by[key]) < 2 {
				by[key] = append(by[key], value)
			}
		}
		for i := range list {
			if p := &list[i]; p.file != "" {
				enter(files, p.place(nw.Services()), p.file)
			} else {
				enter(folders, p.folder, lookup.Folded(p.name))
			}
		}
		names := map[string][]networkName{}
		for i := range list {
			p := &list[i]
			at := p.place(nw.Services())
			switch {
			case p.file != "" && len(files[at]) > 1:
				at = p.apart(at, nw.packaged(p.file))
			case p.file == "" && len(folders[p.folder]) > 1 && nw.Services().IsPlace(at):
				continue // several programs run in the folder; it is not known which is meant
			}
			if at != "" {
				names[lookup.Folded(p.name)] = append(names[lookup.Folded(p.name)], networkName{at, p.said})
			}
		}
		return names
	})
}

// programs returns the programs that manifests run under a name. It skips names without a folder,
// which may be the name of the manifest's own service.
func (nw *Network) programs() (list []program) {
	for _, f := range nw.Files(l2meta.RoleHost) {
		for _, fact := range lookup.Endpoints(f, l2meta.RoleHost) {
			part := append(strings.Fields(fact.Type), "", "", "", "")
			if part[0] == "name" && part[2] != "" {
				list = append(list, nw.run(f, part[1], part[2], part[3]))
			}
		}
	}
	return list
}

// run returns the program that a file runs under a name. folder is relative to the folder of the
// file, or "Projects.NAME" for a .NET project; file may be "".
func (nw *Network) run(f *resolve.File, name, folder, file string) program {
	p := program{name: name, said: f.Path}
	switch {
	case strings.HasPrefix(folder, "Projects."):
		p.folder, _ = nw.Services().Called(strings.TrimPrefix(folder, "Projects."))
	case folder == ".":
		p.folder = f.Dir
	default:
		p.folder = strings.TrimPrefix(path.Join(f.Dir, folder), ".")
	}
	if file != "" {
		p.file = nw.programFile(p.folder, file)
	}
	return p
}

// programFile returns the file of a program that is run in a folder: the file itself, the one that declares a main
// class, or the only source file with the name of a built program. It returns "" if there is none.
func (nw *Network) programFile(folder, file string) string {
	if at := path.Join(folder, file); nw.World.Has(at) {
		return at
	}
	if class := file[strings.LastIndexByte(file, '.')+1:]; strings.Contains(file, ".") && !strings.Contains(file, "/") {
		end := strings.ReplaceAll(file, ".", "/") + "."
		return only(nw.World.BasesBetween(class+".", class+"/"), func(ref store.FileRef) bool {
			return strings.Contains("/"+ref.Path, "/"+end)
		})
	}
	stem := lookup.Folded(path.Base(file))
	return only(nw.World.Below(folder), func(ref store.FileRef) bool {
		return ref.Class == code.ClassSource && lookup.Folded(lookup.StemOf(ref.Path)) == stem &&
			nw.Services().Root(ref.Path) == nw.Services().Root(folder+"/x")
	})
}

// only returns the path of the only file in a list that satisfies a condition; "" if none does,
// or if several do.
func only(list []store.FileRef, so func(store.FileRef) bool) (found string) {
	for _, ref := range list {
		if so(ref) {
			if found != "" {
				return ""
			}
			found = ref.Path
		}
	}
	return found
}

// packaged reports whether the programs of a file's language are folders rather than single files.
func (nw *Network) packaged(file string) bool {
	list := nw.World.At(file)
	return len(list) == 1 && nw.World.Language(list[0].Language).Packaged
}

type portsKey struct{}

// listening returns the place whose code listens on a port of the developer's machine, and the file
// with that code. Of several places it returns the one nearest to the file from of the request,
// because the programs of one example are usually in one folder. ok is false if there is none, or
// if two are equally near.
func (nw *Network) listening(port, from string) (root, file string, ok bool) {
	list := resolve.Derive(nw.World, portsKey{}, nw.ports)[port]
	if len(list) == 0 {
		return "", "", false
	}
	best, near := list[0], sharedFolders(list[0].file, from)
	for _, n := range list[1:] {
		switch shared := sharedFolders(n.file, from); {
		case shared > near:
			best, near = n, shared
		case shared == near:
			best.root = ""
		}
	}
	return best.root, best.file, best.root != ""
}

// ports returns, for each port, the places whose code listens on it.
func (nw *Network) ports() map[string][]networkName {
	type listener struct {
		file *resolve.File
		port string
	}
	var list []listener
	others := map[string][]string{} // root of a service → its ports
	for _, f := range nw.Files(l2meta.RoleHost) {
		if f.Class == code.ClassTest {
			continue
		}
		root := nw.Services().Root(f.Path)
		for _, fact := range lookup.Endpoints(f, l2meta.RoleHost) {
			if port, is := strings.CutPrefix(fact.Type, "port "); is {
				list = append(list, listener{f, port})
				if !slices.Contains(others[root], port) {
					others[root] = append(others[root], port)
				}
			}
		}
	}
	out := map[string][]networkName{}
	for _, l := range list {
		at := nw.Services().Root(l.file.Path)
		if at == "" || len(others[at]) > 1 {
			p := program{file: l.file.Path}
			at = p.apart(at, nw.packaged(l.file.Path))
		}
		if !slices.ContainsFunc(out[l.port], func(n networkName) bool { return n.root == at }) {
			out[l.port] = append(out[l.port], networkName{at, l.file.Path})
		}
	}
	return out
}

// sharedFolders returns the number of folders, from the root of the workspace on, that two files have in common.
func sharedFolders(a, b string) (n int) {
	as, bs := Segments(code.Dir(a)), Segments(code.Dir(b))
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	return n
}
