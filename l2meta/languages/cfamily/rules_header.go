package cfamily

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/l2meta/syntax"
)

// cDialect returns "c" or "cpp", the language as which a file is parsed. A .h header is C++ if its
// text shows it.
func cDialect(path string, text []byte) string {
	if strings.HasSuffix(strings.ToLower(path), ".h") && isCPP(text) {
		return "cpp"
	}
	return "c"
}

// cppLines lists beginnings of lines that show a header to be C++. A C header has such lines only
// in comments and in code under "#ifdef __cplusplus".
var cppLines = [][]byte{
	[]byte("namespace "), []byte("template<"), []byte("template <"), []byte("using namespace "), []byte("public:"),
	[]byte("private:"),
	[]byte("protected:"), []byte("virtual "), []byte("explicit "), []byte("friend "), []byte(`extern "C++"`),
}

// isCPP reports whether a header contains C++ declarations. Code under "#ifdef __cplusplus" does
// not count, as C headers contain it for use from C++.
func isCPP(text []byte) bool {
	guarded, depth := 0, 0 // depth of the conditional for C++ alone, 0 for none
	comment := false
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		line = bytes.TrimSpace(line)
		if comment {
			end := bytes.Index(line, []byte("*/"))
			if end < 0 {
				continue
			}
			comment, line = false, bytes.TrimSpace(line[end+2:])
		}
		if bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		if start := bytes.LastIndex(line, []byte("/*")); start >= 0 && !bytes.Contains(line[start:], []byte("*/")) {
			comment, line = true, line[:start]
		}
		if len(line) > 0 && line[0] == '#' {
			depth, guarded = conditional(line, depth, guarded)
			continue
		}
		if guarded == 0 && isCPPLine(line) {
			return true
		}
	}
	return false
}

func conditional(line []byte, depth, guarded int) (int, int) {
	word := bytes.TrimLeft(line[1:], " \t")
	switch {
	case bytes.HasPrefix(word, []byte("if")):
		depth++
		if guarded == 0 && bytes.Contains(word, []byte("__cplusplus")) && !bytes.HasPrefix(word, []byte("ifndef")) {
			guarded = depth
		}
	case bytes.HasPrefix(word, []byte("endif")):
		if guarded == depth {
			guarded = 0
		}
		depth--
	case bytes.HasPrefix(word, []byte("el")) && guarded == depth:
		guarded = 0
	}
	return depth, guarded
}

func isCPPLine(line []byte) bool {
	for _, p := range cppLines {
		if bytes.HasPrefix(line, p) {
			return true
		}
	}
	// "class Name" declares a class; "class" alone may be a name in C.
	if rest, ok := bytes.CutPrefix(line, []byte("class ")); ok {
		rest = bytes.TrimLeft(rest, " ")
		return len(rest) > 0 && syntax.IsIdentByte(rest[0]) &&
			(bytes.ContainsAny(rest, "{;:") || !bytes.ContainsAny(rest, "=()"))
	}
	return bytes.Contains(line, []byte("std::")) ||
		bytes.Contains(line, []byte("operator")) && declaresOperator.Match(line)
}

// declaresOperator matches the declaration of an operator: bool operator==(const T& o) const.
var declaresOperator = regexp.MustCompile(`[\w&*>] ?\boperator ?(?:[-+*/%^&|~!=<>,]{1,3}|\(\)|\[\]) ?\(`)
