package deployable

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// A sidecar of Dapr, a process beside each application, forwards requests for the application.
// Callers name an identifier of the application, its app ID, instead of a host.

// daprApps reads a file that runs several applications with Dapr, and adds the app ID of each as
// an alias of the service in its folder: apps: [{appID: orders, appDirPath: ./order-processor/}].
func (f *finder) daprApps(d document) {
	for _, doc := range configtree.YAML(d.text) {
		for _, app := range doc.At("apps").Kids {
			dir, ok := joined(code.Dir(d.path), app.Text("appDirPath"))
			if !ok || dir == "" || len(f.below(dir)) == 0 {
				continue
			}
			u := f.at(dir)
			u.deployed = true
			u.alias(app.Text("appID"))
			u.Manifests = append(u.Manifests, d.path)
		}
	}
}

var sidecarFor = regexp.MustCompile(`(?:^|\s)--?app-id[=\s]+([\w.-]+)`)

// daprSidecar adds the app ID in the command of a sidecar as an alias of the service whose
// network the sidecar shares: {command: [./daprd, --app-id, orders], network_mode:
// "service:order-processor"}. at maps each service of the compose file to its folder.
func (f *finder) daprSidecar(s *configtree.Node, at map[string]string) {
	beside, ok := strings.CutPrefix(s.Text("network_mode"), "service:")
	if dir, known := at[beside]; ok && known {
		command := strings.Join(append(s.Texts("entrypoint"), s.Texts("command")...), " ")
		if m := sidecarFor.FindStringSubmatch(command); m != nil {
			f.at(dir).alias(m[1])
		}
	}
}
