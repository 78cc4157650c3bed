package code

// Kind is the kind of a symbol, by the name that the tool file_outline shows.
type Kind string

const (
	KindFile        Kind = "file"
	KindModule      Kind = "module"
	KindNamespace   Kind = "namespace"
	KindClass       Kind = "class"
	KindInterface   Kind = "interface"
	KindStruct      Kind = "struct"
	KindType        Kind = "type"
	KindEnum        Kind = "enum"
	KindTrait       Kind = "trait"
	KindMacro       Kind = "macro"
	KindFunction    Kind = "function"
	KindMethod      Kind = "method"
	KindConstructor Kind = "constructor"
	KindField       Kind = "field"
	KindProperty    Kind = "property"
	KindConstant    Kind = "constant"
	KindVariable    Kind = "variable"
	KindComponent   Kind = "component"
	KindHook        Kind = "hook"
	KindConfig      Kind = "config"
	KindTest        Kind = "test"
	KindRoute       Kind = "route"
	KindRPC         Kind = "rpc"
	KindMessage     Kind = "message"
)

// Callable reports whether a symbol of kind k has a body that can contain
// calls.
func (k Kind) Callable() bool {
	switch k {
	case KindFunction, KindMethod, KindConstructor, KindComponent, KindHook, KindTest, KindMacro, KindRoute:
		return true
	}
	return false
}

// Class is the role of a file in its project. Search scopes and ranking priors
// depend on it.
type Class string

const (
	ClassSource    Class = "source"
	ClassTest      Class = "test"
	ClassDocs      Class = "docs"
	ClassConfig    Class = "config"
	ClassGenerated Class = "generated"
	ClassFixture   Class = "fixture"
	ClassBuild     Class = "build"
	ClassVendor    Class = "vendor"
)

// File holds everything that is extracted from the bytes of one file. It depends on nothing else:
// equal path and text give equal Files.
type File struct {
	Path     string // relative to the root, '/'-separated
	Language string // a name of internal/lang, "" when unknown
	Class    Class
	Text     []byte // the bytes that all spans refer to; read-only
	Hash     Hash   // of Text
	Lines    int

	Symbols []Symbol // in order of Span.StartByte, parents before children
	Calls   []Call   // in order of Span.StartByte
	// Accesses holds each x.p that is read or assigned, but not called, in languages whose
	// properties may run code. Its Kind is CallAccess; Args is 1 where it is assigned. In Go it
	// holds the names that are used as values and may be functions, with the Kind CallReference.
	Accesses []Call
	Imports  []Import
	Exports  []Export
	Facts    []Fact

	// BadBytes counts the bytes of Text that the grammar could not parse: those under error nodes.
	// It is 0 for a language without a grammar.
	BadBytes int
	// Parsed reports whether a grammar read the file: an empty Symbols then
	// means "none" rather than "unknown".
	Parsed bool
}

// Symbol is one declaration.
type Symbol struct {
	Kind Kind
	Name string
	// QualifiedName is the path of declarations within the file, joined by "."
	// in every language: "Server.Handle", "Outer.Inner.run".
	QualifiedName string
	Parent        int  // index into File.Symbols of the enclosing symbol, -1 at the top
	Span          Span // the whole declaration with its decorators, without its doc comment
	NameSpan      Span
	// Body is the byte range of the body including its delimiters, [0, 0) if there is none. A
	// skeleton, a file shown without the bodies of its functions, leaves it out.
	Body [2]int

	Signature   string // the declaration without its body, one line, white space collapsed
	Parameters  []Parameter
	Returns     string   // result type as written, "" if none is written
	Annotations []string // decorators, attributes and annotations as written, in source order
	Modifiers   []string // "static", "async", "public", …, in source order
	Exported    bool
	Computed    bool   // reading or assigning the symbol runs code without a call: a property with a getter
	Doc         string // doc comment without its markers, at most MaxDocBytes
	Ordinal     int    // 0-based, counts the symbols of equal kind and qualified name in this file
}

// Runs reports whether s has code that makes calls: a callable, or a property with a getter.
func (s *Symbol) Runs() bool { return s.Kind.Callable() || s.Computed }

// MaxDocBytes bounds the stored doc comment of a symbol.
const MaxDocBytes = 2048

// Parameter is one parameter of a declaration, as written.
type Parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`
	Default  string `json:"default,omitempty"`
	Variadic bool   `json:"variadic,omitempty"`
}

// CallKind distinguishes the forms of a call.
type CallKind uint8

const (
	CallPlain     CallKind = iota // f(x), r.f(x)
	CallNew                       // new T(x); T{…} in languages where that constructs
	CallMacro                     // m!(x)
	CallDecorator                 // @d applied to the enclosing symbol
	CallSuper                     // super(…), base(…)
	CallReference                 // f taken as a value: a method value, a callback argument
	CallAccess                    // x.p read or assigned, where p may be a property with code
)

// Call is one call site. The declaration that it calls is not resolved yet.
type Call struct {
	Kind     CallKind
	Callee   string // last name of the callee: "Handle" in s.mux.Handle(p)
	Receiver string // expression before Callee, as written: "s.mux"; "" if there is none
	Args     int    // number of arguments, -1 if a spread such as f(...xs) hides it
	Caller   int    // index into File.Symbols of the innermost enclosing symbol, -1 at file level
	Span     Span   // the whole call expression
	NameSpan Span   // the callee's last name, the position at which a language server is queried
}

// Import is one imported name or module.
type Import struct {
	Module   string // as written, without quotes: "net/http", "./api", "a.b"
	Name     string // the imported member, "*" for all of them, "" for the module itself
	Alias    string // the local name if it differs, otherwise ""
	TypeOnly bool   // whether it binds a type or a namespace but no value: import type, use A\B
	Scope    int    // index into File.Symbols of the enclosing symbol, -1 at file level
	Span     Span
}

// Export is one name that other files can import: a name of this file, or one re-exported from
// another module.
type Export struct {
	Name   string // name for importers; "*" for all of Module, "default" for the default export
	Local  string // local name, "" if there is none
	Module string // module the name is re-exported from, "" for a local name
	Span   Span
}

// FactKind says what a Fact states about a name.
type FactKind uint8

const (
	FactField FactKind = iota // a field or attribute of Owner has a type
	FactVar                   // a local or global variable has a type
	// FactParam: a parameter has a type. In Scala, a FactParam with an empty Name holds the sizes
	// of the parameter lists in Type, as ParameterLists spells them: "2 i1" for
	// def f(a, b)(implicit c).
	FactParam
	FactResult // Owner returns a type
	// FactBase: Owner extends or embeds a type. Name is ""; for a mixin of Ruby it is "include" or
	// "prepend".
	FactBase
	// FactImpl: Owner implements an interface or trait. Name is ""; for a mixin of Ruby it is
	// "extend" or "include".
	FactImpl
	FactAssign  // a variable is assigned an expression, held in Type
	FactPackage // Type is the name of the file's package, module or namespace
	FactAlias   // Name is another name for the type Type
	FactReturn  // Owner returns the value of an expression, held in Type; Name is "", or "yield"
	// FactBlock: the code at Span, within Owner, may be skipped. Type names the
	// statement that it belongs to, such as "if"; Name is "". In Rust, Type is "block": the code
	// declares items that are visible there alone.
	FactBlock
	// FactArguments: the call whose callee's name is at Span passes the arguments
	// in Type, such as "<T>(a, b)"; Name is "".
	FactArguments
	FactEndpoint // the file serves or calls a service; Name is the role, and Type holds the details
	FactMade     // the local name bound at Span holds one object, which the expression Type constructs
	// FactHidden: a function Name may be declared although no symbol shows it: in text that the
	// grammar could not parse, or by a macro. "*" in Name is any text that a macro pastes:
	// "*_insert" for prefix##_insert.
	FactHidden
	// FactGiven: a function is stored in a property or passed as an argument, as in job.done = save
	// and Job(save). Name spells the property, "job.done", or the place of the argument, "Job#0"
	// (see Place). Type spells the function, "save"; if Type is empty, Span holds the function's
	// name.
	FactGiven
	// FactNarrow: within Scope, the variable or path in Name has passed a test, or failed it, as in
	// the body of "if x instanceof T". Type is the test, in a notation that each language defines.
	// Span is the place of the test.
	FactNarrow
)

// AnyName is the Name of a FactHidden for text that the parser gave up on: it may declare any name.
// No declaration is called "(any)".
const AnyName = "(any)"

// Fact is one statement of a file about types, such as "rows has type []Row". Name and Type quote
// the source. Extraction may append a selector that the source does not have: "rows#each" is an
// element of rows. marker.go defines these selectors.
type Fact struct {
	Kind  FactKind
	Owner int // index into File.Symbols, -1 at file level
	Name  string
	Type  string
	Span  Span
	// Scope is the byte range in which the local Name is visible, in languages
	// with block scopes; [0, 0) means all of Owner.
	Scope [2]int
}

// Same reports whether f and o, of the same file, state the same; both may be nil. Facts that are read twice may be two
// copies, so their addresses tell nothing.
func (f *Fact) Same(o *Fact) bool { return f == o || f != nil && o != nil && *f == *o }
