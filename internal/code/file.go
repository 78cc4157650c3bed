package code

// Kind is what a symbol is, in the words of the file_outline contract.
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

// Callable reports whether symbols of this kind have a body that calls.
func (k Kind) Callable() bool {
	switch k {
	case KindFunction, KindMethod, KindConstructor, KindComponent, KindHook, KindTest, KindMacro:
		return true
	}
	return false
}

// Class is the part that a file plays in its project; search scopes and
// ranking priors are built on it.
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

// File is all that the tiers know of one file's bytes, and of nothing else:
// two files with equal path and text have equal Files.
type File struct {
	Path     string // relative to the root, '/'-separated
	Language string // a name of internal/lang, "" when unknown
	Class    Class
	Text     []byte // the bytes all spans refer to; not to be modified
	Hash     Hash   // of Text
	Lines    int

	Symbols []Symbol // in order of Span.StartByte, parents before children
	Calls   []Call   // in order of Span.StartByte
	Imports []Import
	Exports []Export
	Facts   []Fact

	// BadBytes is how many bytes of Text the grammar could not place (bytes
	// under error nodes); 0 for a language without a grammar.
	BadBytes int
	// Parsed says that a grammar read the file, so that an empty Symbols
	// means "none" rather than "not known".
	Parsed bool
}

// Symbol is one declaration.
type Symbol struct {
	Kind Kind
	Name string
	// QualifiedName is the declaration path within the file's namespace, "."
	// between its steps in every language: "Server.Handle", "Outer.Inner.run".
	QualifiedName string
	Parent        int  // index into File.Symbols of the enclosing symbol, -1 at the top
	Span          Span // the whole declaration, decorators included, doc comment not
	NameSpan      Span
	// Body is the byte range of the body with its delimiters, [0, 0) when
	// there is none; a skeleton elides it.
	Body [2]int

	Signature   string // the declaration without its body, one line, white space collapsed
	Parameters  []Parameter
	Returns     string   // result type as written, "" when none is
	Annotations []string // decorators, attributes and annotations as written, in source order
	Modifiers   []string // "static", "async", "public", …, in source order
	Exported    bool
	Doc         string // doc comment without its markers, at most MaxDocBytes
	Ordinal     int    // 0-based, among symbols of equal kind and qualified name in this file
}

// MaxDocBytes bounds the stored doc comment of a symbol.
const MaxDocBytes = 2048

// Parameter is one formal parameter, as written.
type Parameter struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`
	Default  string `json:"default,omitempty"`
	Variadic bool   `json:"variadic,omitempty"`
}

// CallKind tells the forms of a call apart.
type CallKind uint8

const (
	CallPlain     CallKind = iota // f(x), r.f(x)
	CallNew                       // new T(x), T{…} where that constructs
	CallMacro                     // m!(x)
	CallDecorator                 // @d applied to the enclosing symbol
	CallSuper                     // super(…), base(…)
	CallReference                 // f taken as a value: a method value, a callback argument
)

// Call is one call site, unresolved.
type Call struct {
	Kind     CallKind
	Callee   string // the last name: "Handle" in s.mux.Handle(p)
	Receiver string // the expression before it, as written: "s.mux"; "" when bare
	Args     int    // number of arguments, -1 when a spread hides it
	Caller   int    // index into File.Symbols of the innermost enclosing symbol, -1 at file level
	Span     Span   // the whole call expression
	NameSpan Span   // the callee's last name, where a language server is asked
}

// Import brings names of another file or module into this one.
type Import struct {
	Module   string // as written, without quotes: "net/http", "./api", "a.b"
	Name     string // the imported member, "*" for all of them, "" for the module itself
	Alias    string // the local name where it differs, "" otherwise
	TypeOnly bool
	Scope    int // index into File.Symbols of the enclosing symbol, -1 at file level
	Span     Span
}

// Export makes a local or foreign name visible to importers.
type Export struct {
	Name   string // the name that importers see, "*" for all of Module, "default" for the default export
	Local  string // the local name, "" where there is none
	Module string // the module re-exported from, "" for a local name
	Span   Span
}

// FactKind tells what a Fact says about a name.
type FactKind uint8

const (
	FactField     FactKind = iota // a field or attribute of Owner has a type
	FactVar                       // a local or global variable has a type
	FactParam                     // a parameter has a type; of Name "" Type says how Scala's are parted into lists: "2 i1", i for implicit
	FactResult                    // Owner returns a type
	FactBase                      // Owner extends or embeds a type; Name is "", of a Ruby mixin "include" or "prepend"
	FactImpl                      // Owner implements an interface or trait; Name is "", of a Ruby mixin "extend" or "include"
	FactAssign                    // a variable is assigned the value of an expression (Type holds it)
	FactPackage                   // the file's package, module or namespace name is Type
	FactAlias                     // Name is another name for the type Type
	FactReturn                    // Owner returns the value of an expression (Type holds it); Name is "", or "yield"
	FactBlock                     // Span of Owner need not run: Type names the statement it is part of; Name is ""
	FactArguments                 // a call whose callee's name is Span hands over Type: "<T>(a, b)"; Name is ""
	FactEndpoint                  // the file answers or calls another service: Name is the role, Type what it says
	FactMade                      // the local name whose binding has this span holds one object, made by the expression Type
	FactHidden                    // Name may be declared where no symbol shows it: in text that the grammar lost, or by a macro; "*" in it is what a macro pastes
)

// Fact is one readable statement about types, as written in the source.
type Fact struct {
	Kind  FactKind
	Owner int // index into File.Symbols, -1 at file level
	Name  string
	Type  string
	Span  Span
	// Scope is the byte range in which Name holds, for a local name of a
	// language with block scopes; [0, 0) where that is all of Owner.
	Scope [2]int
}
