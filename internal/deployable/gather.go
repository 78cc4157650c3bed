package deployable

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// IsManifest reports whether the file at p may define a service, name one or list
// services: go.mod, package.json, a Dockerfile, a compose file, a manifest of
// Kubernetes, settings of Spring and the like.
func IsManifest(p string) bool {
	if _, ok := manifestOf(p); ok {
		return true
	}
	return isBare(p) || reader(p) != nil
}

// reader returns the function that reads a file which deploys or names services; nil for any other
// file.
func reader(p string) func(*finder, document) {
	base := strings.ToLower(path.Base(p))
	switch ext := extension(base); {
	case isDockerfile(base):
		return (*finder).dockerfile
	case ext == "yml" || ext == "yaml":
		if strings.Contains(base, "compose") || strings.HasPrefix(base, "docker-stack") {
			return (*finder).compose
		}
		if strings.HasPrefix(base, "application") || strings.HasPrefix(base, "bootstrap") {
			return (*finder).spring
		}
		return (*finder).kubernetes
	case ext == "properties" && (strings.HasPrefix(base, "application") || strings.HasPrefix(base, "bootstrap")),
		base == "application.conf":
		return (*finder).spring
	case base == "nest-cli.json":
		return (*finder).nest
	case base == "project.json":
		return (*finder).nx
	case base == "launch.json":
		return (*finder).launch
	case base == "launchsettings.json":
		return (*finder).launchSettings
	case base == "appsettings.json":
		return (*finder).appSettings
	case base == "program.cs" || base == "apphost.cs":
		return (*finder).aspire
	}
	return nil
}

// isDockerfile reports whether a file of that name in lower case builds an image. Its notes, and the list of the files
// that it ignores, do not.
func isDockerfile(base string) bool {
	switch extension(base) {
	case "dockerignore", "md", "txt":
		return false
	}
	return base == "dockerfile" || base == "containerfile" || extension(base) == "dockerfile" ||
		strings.HasPrefix(base, "dockerfile.") || strings.HasPrefix(base, "dockerfile-") ||
		strings.HasPrefix(base, "dockerfile_")
}

// fixture matches the paths of files below testdata, whose deployments are inputs of tests.
var fixture = regexp.MustCompile(`(?:^|/)testdata/`)

// gather reads the manifests and deployments.
func (f *finder) gather() {
	for _, p := range f.src.Files {
		if fixture.MatchString(p) {
			continue
		}
		if m, ok := manifestOf(p); ok {
			if text := f.src.Read(p); text != nil {
				m.read(text)
			}
			if m.kind.weak || m.groups {
				f.weak = append(f.weak, m)
			} else if !m.empty {
				f.strong = append(f.strong, m)
			}
		}
		if read := reader(p); read != nil {
			if text := f.src.Read(p); text != nil {
				f.texts = append(f.texts, newDocument(p, string(text), read))
			}
		}
	}
	// Files that build images are read before files that refer to the images.
	slices.SortStableFunc(f.texts, func(a, b document) int {
		if d := a.rank - b.rank; d != 0 {
			return d
		}
		if d := strings.Count(a.path, "/") - strings.Count(b.path, "/"); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
}

// newDocument returns a file that deploys or names services. A file with the services of Docker Compose is a compose
// file, whatever its name is.
func newDocument(p, text string, read func(*finder, document)) document {
	if rank := order(p); rank < orderSettings || !configtree.IsCompose(text) {
		return document{p, text, read, rank}
	}
	return document{p, text, (*finder).compose, orderCompose}
}

const (
	orderCompose  = 1 // the rank of compose files
	orderSettings = 4 // the rank of files that only name services which other files deploy
)

// order returns the rank of a file in the order of reading: files with a low rank are read first.
func order(p string) int {
	base := strings.ToLower(path.Base(p))
	switch {
	case base == "nest-cli.json" || base == "project.json" || base == "program.cs" || base == "apphost.cs":
		return 0
	case strings.Contains(base, "compose") && !isDockerfile(base) || strings.HasPrefix(base, "docker-stack"):
		return orderCompose
	case isDockerfile(base):
		return 2
	case strings.HasPrefix(base, "skaffold"):
		return 3
	}
	return orderSettings
}

// modules creates a unit for each directory with the manifest of a module.
func (f *finder) modules() {
	for _, m := range byPriority(f.strong) {
		u := f.at(code.Dir(m.path))
		if u.Language == "" {
			u.Language = m.kind.language
		}
		u.call(m.name, rankManifest)
		u.traits |= m.traits | isModule
		u.Manifests = append(u.Manifests, m.path)
	}
	for _, m := range byPriority(f.weak) {
		u := f.units[code.Dir(m.path)]
		if u == nil {
			continue
		}
		if m.name != "" && !m.groups { // settings.gradle names the service of its own directory
			u.call(m.name, rankManifest)
		}
		u.Manifests = append(u.Manifests, m.path)
	}
}

// byPriority sorts list by the ranks of its kinds of manifest. Of the manifests in one directory,
// the first one names the service.
func byPriority(list []manifest) []manifest {
	slices.SortFunc(list, func(a, b manifest) int {
		if a.kind.rank != b.kind.rank {
			return a.kind.rank - b.kind.rank
		}
		return strings.Compare(a.path, b.path)
	})
	return list
}

// deployments reads the files that deploy or name services.
func (f *finder) deployments() {
	rest := f.texts
	for ; len(rest) > 0 && rest[0].rank < orderSettings; rest = rest[1:] {
		rest[0].read(f, rest[0])
	}
	f.bares()
	for _, d := range rest {
		d.read(f, d)
	}
	f.selectWorkloads()
	f.namesOfImages()
}
