package folding

import (
	"regexp"
	"strings"
)

// conversions matches conversions of a text at the end of an expression: .toString(), .trim(), .unwrap().
var conversions = regexp.MustCompile(
	`(?:\.(?:as_str|to_string|to_owned|clone|as_ref|toString|strip|trim|ToString|unwrap)\(\)|\.(?:r?strip|[tT]rimEnd|trim_end_matches|chomp|delete_suffix|removesuffix|removeSuffix|stripSuffix)\(["']/["']\)|\.replace\(/\\/\+?\$/g?,\s*["']["']\)|\.(?:href|AbsoluteUri)|\?)+$`)

// converting lists the names of the functions that conversions matches.
var converting = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`as_str to_string to_owned clone as_ref toString strip trim ToString unwrap
		rstrip trimEnd TrimEnd trim_end_matches chomp delete_suffix removesuffix removeSuffix stripSuffix replace`) {
		converting[name] = true
	}
}

// converted returns an expression without the conversions at its end: url for url.toString().
func converted(expr string) string {
	switch n := len(expr); {
	case n < 2:
		return expr
	case expr[n-1] == ')': // conversions have no argument or a text, but other calls mostly have other arguments
		last, _, called := strings.Cut(expr[strings.LastIndexByte(expr, '.')+1:], "(")
		if strings.IndexByte("(\"'", expr[n-2]) < 0 || !called || !converting[last] {
			return expr
		}
	case strings.IndexByte("?fi", expr[n-1]) < 0:
		return expr
	}
	return conversions.ReplaceAllString(expr, "")
}
