package folding

import (
	"regexp"
	"strings"
)

// conversions matches conversions of a text at the end of an expression, and what removes a slash from one:
// .toString(), .trim(), .unwrap(), .substring(1), [1:].
var conversions = regexp.MustCompile(
	`(?:\.(?:as_str|to_string|to_owned|clone|as_ref|toString|strip|trim|ToString|unwrap)\(\)` +
		`|\.(?:[lr]?strip|[tT]rim(?:End|Start)|trim_(?:end|start)_matches|chomp|delete_(?:suffix|prefix)` +
		`|remove(?:suffix|prefix|Suffix|Prefix)|strip(?:Suffix|Prefix))\(["']/["']\)` +
		`|\.(?:[sS]ubstring|substr|slice)\(1\)|\[1:\]` +
		`|\.replace\(/\\/\+?\$/g?,\s*["']["']\)|\.replace\(/\^\\/\+?/g?,\s*["']["']\)|\.(?:href|AbsoluteUri)|\?)+$`)

// converting lists the names of the functions that conversions matches.
var converting = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`as_str to_string to_owned clone as_ref toString strip trim ToString unwrap
		rstrip trimEnd TrimEnd trim_end_matches chomp delete_suffix removesuffix removeSuffix stripSuffix replace
		lstrip trimStart TrimStart trim_start_matches delete_prefix removeprefix removePrefix stripPrefix
		substring Substring substr slice`) {
		converting[name] = true
	}
}

// converted returns an expression without the conversions at its end: url for url.toString().
func converted(expr string) string {
	switch n := len(expr); {
	case n < 2:
		return expr
	case expr[n-1] == ')': // conversions have no argument, a text or a 1; other calls mostly have other arguments
		last, _, called := strings.Cut(expr[strings.LastIndexByte(expr, '.')+1:], "(")
		if strings.IndexByte("(\"'1", expr[n-2]) < 0 || !called || !converting[last] {
			return expr
		}
	case strings.IndexByte("?fi]", expr[n-1]) < 0:
		return expr
	}
	return conversions.ReplaceAllString(expr, "")
}
