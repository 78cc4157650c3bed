package deployable

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// A sidecar of Dapr, a process beside each application, forwards requests for the application.
// Callers name an identifier of the application, its app ID, instead of a host.

// daprApps gives the identifiers of a file that runs several applications to their folders:
// apps: [{appID: orders, appDirPath: ./order-processor/}].
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

// daprSidecar gives the identifier in the command of a sidecar to the service whose network it shares:
// {command: [./daprd, --app-id, orders], network_mode: "service:order-processor"}. at holds the folders by service.
func (f *finder) daprSidecar(s *configtree.Node, at map[string]string) {
	beside, ok := strings.CutPrefix(s.Text("network_mode"), "service:")
	if dir, known := at[beside]; ok && known {
		command := strings.Join(append(s.Texts("entrypoint"), s.Texts("command")...), " ")
		if m := sidecarFor.FindStringSubmatch(command); m != nil {
			f.at(dir).alias(m[1])
		}
	}
}
