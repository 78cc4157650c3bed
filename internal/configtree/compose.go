package configtree

import (
	"regexp"
	"strings"
)

// IsCompose reports whether a YAML text deploys services as a file of Docker Compose does,
// whatever the name of the file: one of the entries below services has an image or is built. It
// returns false for the settings of frameworks that have an entry services for something else.
func IsCompose(text string) bool {
	if !composeServices.MatchString(text) || !strings.Contains(text, "image:") && !strings.Contains(text, "build:") {
		return false // most files need not be parsed
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

// composeServices matches the line "services:" of a compose file and the line with the name of
// the first service.
var composeServices = regexp.MustCompile(`(?m)^services:[ \t]*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]+["']?[\w.-]+["']?:`)
