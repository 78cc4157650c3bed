package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"sextant/internal/code"
)

// Outcome holds the first fields of every answer. Reason and Message are set for every status but ok.
type Outcome struct {
	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Code    string `json:"code,omitempty"`    // a finer reason, for programs
	Message string `json:"message,omitempty"` // for a human reader; it ends in the next step
}

// List is a slice that is encoded as [] if it is nil.
type List[T any] []T

// MarshalJSON implements [json.Marshaler].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return Encode([]T(l))
}

// Encode returns the compact JSON of an answer: no indentation, no HTML escaping,
// no final newline.
func Encode(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

// Action is a suggested call, executable as it is.
type Action struct {
	Tool   string  `json:"tool"`
	Args   Request `json:"args"`
	Reason string  `json:"reason,omitempty"`
}

// Suggest returns the call of a tool with the arguments r. r must not be normalized, so that arguments
// that equal their defaults are omitted.
func Suggest(r Request) *Action { return &Action{Tool: r.Tool(), Args: r} }

// Because sets the reason of a and returns a.
func (a *Action) Because(reason string) *Action {
	a.Reason = reason
	return a
}

// NextAction is the call that the answer recommends.
type NextAction struct {
	ResultIndex *int    `json:"resultIndex,omitempty"` // 0-based into results
	Tool        string  `json:"tool"`
	Args        Request `json:"args"`
	Reason      string  `json:"reason"`
}

// Hints are suggested calls. Each field is a call or a list of calls.
type Hints struct {
	Create  *Action `json:"create,omitempty"`
	Status  *Action `json:"status,omitempty"`
	Sync    *Action `json:"sync,omitempty"`
	Reindex *Action `json:"reindex,omitempty"`
	Repair  *Action `json:"repair,omitempty"`
	Clear   *Action `json:"clear,omitempty"`
	UseRoot *Action `json:"useRoot,omitempty"` // the tracked root that owns the path
	// Retry is the same call, to be repeated when the state has changed.
	Retry           *Action          `json:"retry,omitempty"`
	NextSteps       []Action         `json:"nextSteps,omitempty"`
	NoiseMitigation *NoiseMitigation `json:"noiseMitigation,omitempty"`
	Debug           any              `json:"debug,omitempty"` // under debug only: *SearchDebug or *Debug
}

// NoiseMitigation reports that most top results are of unwanted file classes, and suggests a query
// that excludes them.
type NoiseMitigation struct {
	Reason string         `json:"reason"`
	Top    map[string]int `json:"top"` // file class → number of top results
	Action *Action        `json:"action"`
}

// Severity grades a warning.
type Severity string

// The severities of a warning.
const (
	SeverityInfo     Severity = "info"
	SeverityCaution  Severity = "caution"
	SeverityDegraded Severity = "degraded"
)

// Warning is a condition that limits the conclusions one may draw from an answer.
type Warning struct {
	Code      string   `json:"code"`
	Severity  Severity `json:"severity"`
	BlocksUse bool     `json:"blocksUse"`
	Message   string   `json:"message"`
	Action    *Action  `json:"action,omitempty"`
}

// Warnings holds at most one warning per code, sorted by code.
type Warnings []Warning

// Add inserts w in order. If a warning of the same code exists, Add keeps that one.
func (ws *Warnings) Add(w Warning) {
	at, found := slices.BinarySearchFunc(*ws, w.Code, func(a Warning, code string) int {
		return strings.Compare(a.Code, code)
	})
	if !found {
		*ws = slices.Insert(*ws, at, w)
	}
}

// Truncation describes how a list or text was cut: the kind of its items, how many are shown and
// omitted, and the call that fetches the rest.
type Truncation struct {
	What    string  `json:"what"`    // results, symbols, edges, lines, content
	Shown   int     `json:"shown"`   // of What
	Omitted int     `json:"omitted"` // of What
	Cause   Cause   `json:"cause"`   // limit, maxTokens, deadline
	Next    *Action `json:"next,omitempty"`
}

// Freshness says how an answer was checked against the disk.
type Freshness struct {
	Mode        FreshnessMode `json:"mode"`
	CheckedAt   string        `json:"checkedAt"` // RFC 3339, UTC, ms
	ThresholdMs int64         `json:"thresholdMs"`
	LastSyncAt  string        `json:"lastSyncAt,omitempty"`
	AgeMs       int64         `json:"ageMs,omitempty"`
	Stats       *SyncStats    `json:"stats,omitempty"`
	DurationMs  int64         `json:"durationMs,omitempty"`
	Gate        *GateReport   `json:"gate,omitempty"`
}

// FreshnessMode says how the index was brought up to date before an answer.
type FreshnessMode string

// The freshness modes. All but FreshRecent are those of jit.Mode.
const (
	FreshJITVerified      FreshnessMode = "jit_verified"             // the files shown were compared with the disk
	FreshSynced           FreshnessMode = "synced"                   // changes were found and indexed
	FreshRecent           FreshnessMode = "skipped_recent"           // nothing was compared; for status only
	FreshSourceUnchanged  FreshnessMode = "skipped_source_unchanged" // no file had changed
	FreshCoalesced        FreshnessMode = "coalesced"                // the result of another call's sync
	FreshIndexing         FreshnessMode = "skipped_indexing"         // the first index is being built
	FreshMissingPath      FreshnessMode = "skipped_missing_path"     // the root does not exist
	FreshReconciledIgnore FreshnessMode = "reconciled_ignore_change" // index adapted to changed ignore rules
)

// SyncStats counts changed files.
type SyncStats struct {
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	Modified int `json:"modified"`
}

// GateReport counts the files and folders that were compared with the index for this answer, and the
// files that were indexed again.
type GateReport struct {
	FilesChecked       int `json:"filesChecked"`
	FilesReindexed     int `json:"filesReindexed"`
	DirectoriesChecked int `json:"directoriesChecked"`
}

// Tiers is the state of both ways to search: by words (lexical) and by meaning (semantic).
type Tiers struct {
	Lexical  Tier `json:"lexical"`
	Semantic Tier `json:"semantic"`
}

// Tier is the state of one way to search: by words or by meaning.
type Tier struct {
	State TierState `json:"state"`         // ok, off, building, failed
	Why   string    `json:"why,omitempty"` // set unless State is ok
}

// Level is a level of confidence or capability.
type Level string

// The levels of confidence and capability.
const (
	High        Level = "high"
	Medium      Level = "medium"
	Low         Level = "low"
	Unavailable Level = "unavailable"
)

// CallGraphHint says whether call_graph supports a symbol, and gives the reference to pass.
type CallGraphHint struct {
	Supported   bool       `json:"supported"`
	SymbolRef   *SymbolRef `json:"symbolRef,omitempty"`
	Validated   bool       `json:"validated,omitempty"`   // equal to Supported
	ValidatedAt string     `json:"validatedAt,omitempty"` // RFC 3339, UTC
	Reason      Reason     `json:"reason,omitempty"`      // if not supported
}

// Lines returns the lines that s covers, whole.
func Lines(s code.Span) LineSpan { return LineSpan{StartLine: s.StartLine, EndLine: s.EndLine} }
