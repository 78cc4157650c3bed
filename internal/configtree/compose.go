package configtree

import (
	"regexp"
	"strings"
)

// IsCompose reports whether a text in YAML deploys services as the files of Docker Compose do, whatever its name is:
// below services, one has an image or is built. Settings of frameworks that also have services do not.
func IsCompose(text string) bool {
	if !composeServices.MatchString(text) || !strings.Contains(text, "image:") && !strings.Contains(text, "build:") {
		return false // most files are not parsed
	}
	for _, doc := range YAML(text) {
		for _, s := range doc.At("services").Kids {
			if s.Key != "" && (s.Text("image") != "" || s.At("build").Line > 0) {
				return true
			}
		}
	}
	return false
}

// composeServices matches the head of the services of a compose file, and the head of the first of them.
var composeServices = regexp.MustCompile(`(?m)^services:[ \t]*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]+["']?[\w.-]+["']?:`)
