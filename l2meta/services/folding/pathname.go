package folding

import (
	"regexp"
	"strings"
)

// urlMade matches a value that makes an object for a URL, whose path may be assigned later.
var urlMade = regexp.MustCompile(`^(?:await )?(?:new URL|new UriBuilder|url\.Parse)\(`)

// pathMembers are the members of such objects that hold the path: url.pathname in JavaScript, u.Path in Go and C#.
var pathMembers = []string{"pathname", "Path"}

// withPath returns the text of a URL with the path that the function around at assigns to the object name, which was
// made as value at the byte offset from: {base}/orders after
//
//	const url = new URL(base)
//	url.pathname = '/orders'
//
// It returns text unchanged if there is no such assignment before at.
func (d *Folder) withPath(text, name, value string, from, at, depth int) string {
	if !urlMade.MatchString(value) {
		return text
	}
	for _, member := range pathMembers {
		for _, def := range d.defs[member] {
			if def.at <= from || def.at >= at || d.Function(def.at) != d.Function(at) ||
				!strings.HasSuffix(d.Text[:def.at], name+".") || IsWord(before(d.Text, def.at-len(name)-1)) {
				continue
			}
			path := d.Step(d.Expression(def.Value), def.at, depth+1)
			if own := "{" + name + "." + member + "}"; strings.HasPrefix(path, own) {
				text = JoinURL(text, path[len(own):])
			} else {
				text = JoinURL(origin(text), path)
			}
		}
	}
	return text
}

// before returns the byte before an offset of a text, a blank at its start.
func before(text string, at int) byte {
	if at <= 0 {
		return ' '
	}
	return text[at-1]
}

// origin returns a URL without its path: http://orders:80 for http://orders:80/api. The content of a hole stays unknown.
func origin(url string) string {
	start := strings.Index(url, "://") + len("://")
	if start < len("://") {
		start = 0
	}
	for i, depth := start, 0; i < len(url); i++ {
		switch url[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '/', '?':
			if depth == 0 {
				return url[:i]
			}
		}
	}
	return url
}
