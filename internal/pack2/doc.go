// Package pack2 answers one question: how is an answer written as text that a
// model reads with few tokens and a program reads back without a guess?
//
// It holds a document model, [Append], which writes it, and [Parse], which
// reads it. It knows no tool: which records an answer has is its author's
// business. No SDK type, no file and no clock crosses its boundary; it cuts
// nothing and redacts nothing. What it cannot write so that Parse gives back
// the same value, it refuses.
//
// # Form
//
// A header line, one line for each record, then frames of bytes:
//
//	PACK2 search_codebase ok n=1 fresh=jit_verified root=/ws
//	1 orders/api/router.go:41-66 method (*Router).Create go high id=s_3fa9c2 -- func (r *Router) Create(o Order) error
//	2 "web/pages/[id] copy.tsx":7 function Page tsx medium id=s_77ab10
//	warn INDEX_PARTIAL caution -- 812 of 11000 files are indexed
//	more search_codebase path=/ws query="create order" limit=20 -- 2 of 14 groups shown
//	next read_file path=/ws/orders/api/router.go open_symbol={"symbolId":"s_3fa9c2"}
//	<<<<RAW:29 orders/api/router.go:41-43>>>>
//	func (r *Router) Create() {
//	}
//	<<<<END>>>>
//
// The grammar, in EBNF. SP is one or more spaces, LF is U+000A; only frame
// bodies may hold bytes that are not UTF-8.
//
//	document = header { line } { frame } .
//	header   = "PACK2" SP tool SP status rest LF .
//	line     = key rest LF .
//	rest     = { SP ( field | place ) } { SP attr } [ SP "--" SP text ] .
//	field    = plain | string .
//	place    = ( path | string ) ":" first [ "-" last ] .
//	attr     = name "=" ( path | json | string ) .
//	frame    = "<<<<" ( "RAW" ":" length SP where | "TEXT" ":" length SP word [ SP where ] )
//	           { SP attr } ">>>>" LF body [ LF ] "<<<<END>>>>" LF .
//	where    = path | string | place .
//	text     = string | "a line of printable characters that does not start with a quote" .
//	plain    = "printable characters without space, quote and =; not --, not shaped like a place" .
//	path     = safe { safe } .
//	safe     = "A" … "Z" | "a" … "z" | "0" … "9" | "." | "_" | "/" | "@" | "+" | "-" .
//	string   = "a JSON string" .
//	json     = "a JSON number, true, false, null, array or object, compact" .
//	name     = ( letter | "_" ) { letter | digit | "_" | "." | "-" } .
//	key, tool, status, word = ( letter | digit | "_" ) { letter | digit | "_" } .
//	first, last, length     = "a decimal number without leading zeros" .
//
// The rules that the grammar does not show:
//
//   - A frame ends after its length in bytes, and by nothing else: a body may
//     hold any bytes, the markers too. The LF behind a body is there when the
//     body is not empty and does not itself end in LF, so that the end marker
//     always stands at the start of a line.
//   - RAW is bytes exactly as they lie on disk; TEXT is a text that was made
//     (a tree, a skeleton), named by its word.
//   - A path outside the safe characters is a JSON string, wherever it stands.
//     Paths are never percent-encoded. Values follow the same rule, so a value
//     may be a path. A path is a place, a value or a frame's, never a field.
//   - A bare value that is a JSON literal is that literal: limit=20 is a number,
//     limit="20" a string.
//   - Lines are 1-based and inclusive; a place of one line has no last.
//   - A name occurs once in a line. In next and more the attributes are all the
//     arguments of the call: [ArgsJSON] makes them what the tool takes.
//   - The LF of the very last line may be missing, as some transports trim it.
//
// These keys have a fixed shape, which both directions check; any other key,
// a record's number among them, is free:
//
//	next TOOL {ARG=…} [-- why]             a call that is worth making
//	more TOOL {ARG=…} [-- what was cut]    the call that continues what was cut
//	warn CODE [SEVERITY] {…} [-- message]  severity: info caution degraded blocking
//	note TYPE {…} [-- text]
//
// Writing is canonical: single spaces, quotes only where needed. Parse also
// takes needless quotes and several spaces.
package pack2
