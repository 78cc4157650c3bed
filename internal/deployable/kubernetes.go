package deployable

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// kubernetes reads the workloads and Services of a manifest, and the images that Skaffold builds.
// It also marks the unit around a file of AWS SAM or the Serverless Framework as deployed. A file
// without a typical word of any of these is not parsed.
func (f *finder) kubernetes(d document) {
	switch {
	case strings.Contains(d.text, "artifacts:") && strings.Contains(d.text, "skaffold"):
		for _, doc := range configtree.YAML(d.text) {
			f.skaffold(d.path, doc)
		}
	case strings.Contains(d.text, "AWS::Serverless::Function") ||
		strings.HasPrefix(path.Base(d.path), "serverless.") && strings.Contains(d.text, "functions:"):
		if u := f.owner(code.Dir(d.path)); u != nil {
			u.deployed = true
			u.Manifests = append(u.Manifests, d.path)
		}
	case strings.Contains(d.text, "appDirPath:"):
		f.daprApps(d)
	case strings.Contains(d.text, "containers:") || strings.Contains(d.text, "kind: Service"):
		for _, doc := range configtree.YAML(d.text) {
			f.workload(d.path, doc)
			if doc.Text("kind") == "Service" {
				f.selectors = append(f.selectors, doc)
			}
		}
	case settingsFile.MatchString(d.path):
		f.programSettings(d)
	}
}

func (f *finder) skaffold(file string, doc *configtree.Node) {
	for _, a := range doc.At("build", "artifacts").Kids {
		context := a.Text("context")
		if context == "" {
			context = "."
		}
		dir, ok := joined(code.Dir(file), context)
		if !ok || a.Text("image") == "" {
			continue
		}
		dockerfile := a.Text("docker", "dockerfile")
		if dockerfile == "" {
			dockerfile = "Dockerfile"
		}
		at, _ := joined(dir, dockerfile)
		if dir, ok = f.place(dir, at, imageBase(a.Text("image")), string(f.src.Read(at))); ok {
			f.builds(imageBase(a.Text("image")), dir)
			f.claimed[at] = true
			u := f.at(dir)
			u.deployed = true
			u.Manifests = append(u.Manifests, file)
		}
	}
}

// podPlaces lists the paths of keys at which a workload may hold the specification of its pod:
// those of a Deployment, a CronJob and a Pod.
var podPlaces = [][]string{{"spec", "template", "spec"}, {"spec", "jobTemplate", "spec", "template", "spec"}, {"spec"}}

// workload adds the name of a workload, such as a Deployment, to the service whose image the
// workload runs.
func (f *finder) workload(file string, doc *configtree.Node) {
	if doc.Text("kind") == "Service" && doc.At("spec", "template").Line == 0 || doc.Text("apiVersion") == "" {
		return
	}
	for _, place := range podPlaces {
		for _, c := range doc.At(append(place, "containers")...).Kids {
			name := doc.Text("metadata", "name")
			u := f.imaged(c.Text("image"), name)
			if u == nil {
				continue
			}
			u.deployed = true
			u.Manifests = append(u.Manifests, file)
			for _, l := range append(doc.At("spec", "template", "metadata", "labels").Kids,
				doc.At("metadata", "labels").Kids...) {
				if l.Key == "app" || l.Key == "app.kubernetes.io/name" || l.Key == "name" ||
					l.Key == "io.kompose.service" {
					f.labels[l.Key+"="+l.Value] = u
				}
			}
			u.call(versionSuffix.ReplaceAllString(name, ""), rankKubernetes)
			u.alias(name, doc.Text("spec", "template", "metadata", "annotations", "dapr.io/app-id"))
		}
	}
}

var versionSuffix = regexp.MustCompile(`-v\d+$`)

// selectWorkloads adds the name of each Kubernetes Service to the services whose pods its
// selector matches by a label, such as app: orders.
func (f *finder) selectWorkloads() {
	for _, doc := range f.selectors {
		for _, l := range doc.At("spec", "selector").Kids {
			if u := f.labels[l.Key+"="+l.Value]; u != nil {
				u.call(doc.Text("metadata", "name"), rankKubernetes)
			}
		}
	}
}

// builds records the directory that an image is built from.
func (f *finder) builds(base, dir string) {
	if old, known := f.images[base]; known && old != dir {
		f.manifold[base] = true
	}
	f.images[base] = dir
}

// namesOfImages adds the name of each image to the service that it is built from, because other deployments of the
// image, such as charts, call the service so: gateway-public of shop/gateway-public, which a compose file calls
// shop-staging-gateway. An image that several services are built into, and a name that a service has, add nothing.
func (f *finder) namesOfImages() {
	for _, base := range sortedKeys(f.images) {
		want, u := Folded(base), f.units[f.images[base]]
		if u == nil || u.Root == "" || base == "" || f.manifold[base] || publicImages[base] ||
			slices.ContainsFunc(f.sorted(), func(o *unit) bool { return o.folder == want || o.has(want) }) {
			continue
		}
		u.alias(base)
	}
}

// imageBase returns the name of an image without its registry, tag and digest.
func imageBase(image string) string {
	if image == "" || strings.Contains(image, "{{") {
		return ""
	}
	image, _, _ = strings.Cut(image, "@")
	base := path.Base(image)
	base, _, _ = strings.Cut(base, ":")
	if strings.ContainsAny(base, "${}") {
		return ""
	}
	return base
}

// imaged returns the unit that an image is built from. It looks for a file that builds the image,
// then for a directory with the name of the image or of the workload. It returns nil if the
// workspace does not build the image.
func (f *finder) imaged(image, name string) *unit {
	base := imageBase(image)
	if dir, ok := f.images[base]; ok && base != "" {
		return f.at(dir)
	}
	if base == "" {
		base = name
	}
	base = versionSuffix.ReplaceAllString(base, "")
	if base == "" || publicImages[base] && !strings.Contains(image, "/") {
		return nil
	}
	var found []*unit
	want, workload := Folded(base), Folded(versionSuffix.ReplaceAllString(name, ""))
	for _, u := range f.sorted() {
		if u.Root == "" {
			continue
		}
		switch own := u.folder; {
		case want == own || u.has(want):
			return u
		case len(own) > 3 && strings.HasSuffix(want, own) && workload == own,
			len(own) > 3 && strings.HasSuffix(want, own) &&
				strings.HasSuffix(strings.ToLower(base), "-"+strings.ToLower(path.Base(u.Root))):
			found = append(found, u)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return f.tagged(image)
}

// tagged returns the unit in the folder that an image's tag names, because several images may
// share a repository: registry/shop:orders-latest and registry/shop:users-latest. It returns nil
// if the tag names none.
func (f *finder) tagged(image string) *unit {
	_, tag, ok := strings.Cut(path.Base(image), ":")
	if tag = Folded(tagVersion.ReplaceAllString(tag, "")); !ok || tag == "" {
		return nil
	}
	for _, u := range f.sorted() {
		if u.Root != "" && u.folder == tag {
			return u
		}
	}
	return nil
}

// tagVersion matches the version at the end of a tag that begins with the name of a program.
var tagVersion = regexp.MustCompile(`-(?:latest|stable|edge|main|master|dev|v?\d[\w.-]*)$`)

// publicImages lists names of public images. A directory of the same name does not prove that it
// builds the image.
var publicImages = map[string]bool{"mongo": true, "mysql": true, "postgres": true, "redis": true, "rabbitmq": true,
	"nginx": true, "kafka": true, "zookeeper": true, "nats": true, "traefik": true, "envoy": true, "consul": true,
	"vault": true, "node": true, "python": true}
