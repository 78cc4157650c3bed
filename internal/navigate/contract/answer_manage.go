package contract

// ManageAnswer is the answer of manage_index.
type ManageAnswer struct {
	Tool    string       `json:"tool"`    // always manage_index
	Version int          `json:"version"` // always 1
	Action  ManageAction `json:"action"`
	Path    string       `json:"path"`
	Outcome
	State     IndexState `json:"state,omitempty"` // of the index, if known
	HumanText string     `json:"humanText"`

	Preflight          *Preflight           `json:"preflight,omitempty"`
	Operation          *Operation           `json:"operation,omitempty"`
	Progress           *IndexProgress       `json:"progress,omitempty"`
	SyncStats          *SyncStats           `json:"syncStats,omitempty"`
	SymbolQuality      string               `json:"symbolQuality,omitempty"` // unknown, search_only, symbol_rich, ...
	LanguageCapability []LanguageCapability `json:"languageCapabilities,omitempty"`
	FreshnessDecision  *Freshness           `json:"freshnessDecision,omitempty"`
	Coverage           *Coverage            `json:"coverage,omitempty"`
	Tiers              *TierStates          `json:"tiers,omitempty"`
	Services           []ServiceState       `json:"services,omitempty"`
	Disk               *Disk                `json:"disk,omitempty"`
	Warnings           Warnings             `json:"warnings,omitempty"`
	Hints              *Hints               `json:"hints,omitempty"`
}

// IndexState says how much of an index is usable.
type IndexState string

// The states of an index.
const (
	IndexNotIndexed      IndexState = "not_indexed"
	IndexIndexing        IndexState = "indexing" // the indexed part can be searched
	IndexReady           IndexState = "ready"
	IndexFailed          IndexState = "failed"
	IndexRequiresReindex IndexState = "requires_reindex" // written by an incompatible version of the program
	IndexMissing         IndexState = "missing"          // the root folder does not exist
)

// Preflight is the result of the checks before an operation starts.
type Preflight struct {
	Decision string `json:"decision"` // proceed, blocked, noop
	Reason   string `json:"reason,omitempty"`
	Owner    string `json:"owner,omitempty"` // the tracked root that owns the path
}

// The phases of an operation.
const (
	PhaseScanning  = "scanning"
	PhaseWriting   = "writing"
	PhaseCompleted = "completed"
	PhaseFailed    = "failed"
	PhaseBlocked   = "blocked"
)

// Operation is a running or finished create, reindex, sync, clear or repair.
type Operation struct {
	ID                      string `json:"id"`
	Action                  string `json:"action"`
	CanonicalRoot           string `json:"canonicalRoot"`
	Generation              string `json:"generation"` // the Merkle root of the files, or "" before the first one
	AcceptedAt              string `json:"acceptedAt"` // RFC 3339, UTC, ms
	Phase                   string `json:"phase"`
	LastDurableTransitionAt string `json:"lastDurableTransitionAt"` // when Progress was last stored
	RuntimeFingerprint      string `json:"runtimeFingerprint"`      // sextant@VERSION
	Writer                  Writer `json:"writer"`
}

// Writer is the process that holds a root's writer lock.
type Writer struct {
	OwnerID string `json:"ownerId"`
	PID     int    `json:"pid"`
	Version string `json:"version"`
}

// IndexProgress says how far indexing has come.
type IndexProgress struct {
	Phase      string `json:"phase"`
	FilesDone  int    `json:"filesDone"`
	FilesTotal int    `json:"filesTotal"`
	EtaMs      int64  `json:"etaMs"` // 0 when unknown or done
}

// LanguageCapability says what Sextant supports for the files of a language.
type LanguageCapability struct {
	Language  string `json:"language"`
	Files     int    `json:"files"`
	Symbols   bool   `json:"symbols"`
	CallGraph bool   `json:"callGraph"`
	Server    string `json:"server,omitempty"` // the language server that confirms its calls, if there is one
}

// Coverage counts the files below the root by their treatment.
type Coverage struct {
	Parsed      int            `json:"parsed"`
	ParseErrors int            `json:"parseErrors"` // among Parsed
	TextOnly    int            `json:"textOnly"`    // indexed without a grammar
	Skipped     map[string]int `json:"skipped"`     // reason → files
	// Apart lists the folders that are checkouts of their own, which are not indexed with the root.
	Apart []string `json:"apart,omitempty"`
}

// TierStates holds the size and state of the three tiers of an index: text, symbols, language servers.
type TierStates struct {
	L1 L1State `json:"l1"`
	L2 L2State `json:"l2"`
	L3 L3State `json:"l3"`
}

// L1State describes the lexical and semantic index.
type L1State struct {
	Files    int    `json:"files"`
	Chunks   int    `json:"chunks"`
	Vectors  int    `json:"vectors"`
	Embedder string `json:"embedder"` // "off" when there is none
}

// L2State describes the symbol registry.
type L2State struct {
	Symbols    int            `json:"symbols"`
	Calls      int            `json:"calls"`
	Edges      int            `json:"edges"`
	ByLanguage map[string]int `json:"byLanguage"` // language → symbols
}

// L3State describes the pool of language servers.
type L3State struct {
	Servers       List[ServerState] `json:"servers"`
	Max           int               `json:"max"`
	IdleTimeoutMs int64             `json:"idleTimeoutMs"`
}

// ServiceState describes one service of a workspace.
type ServiceState struct {
	Name     string `json:"name"`
	Path     string `json:"path"`           // relative to the root, "" for the root itself
	Kind     string `json:"kind,omitempty"` // as of RootService
	Language string `json:"language,omitempty"`
	Manifest string `json:"manifest,omitempty"` // the file that declares the service
	Files    int    `json:"files"`
}

// Disk is the space that the index occupies.
type Disk struct {
	Bytes int64 `json:"bytes"`
}
