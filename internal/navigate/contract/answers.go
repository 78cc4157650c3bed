package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"sextant/internal/code"
)

// Outcome opens every answer. Reason and Message are set on every status but
// ok.
type Outcome struct {
	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Code    string `json:"code,omitempty"`    // a finer reason, for programs
	Message string `json:"message,omitempty"` // for a reader; ends in the next step
}

// List is a slice that is written as [] when it is nil.
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

// Action is a call that is worth making, executable as it stands.
type Action struct {
	Tool   string  `json:"tool"`
	Args   Request `json:"args"`
	Reason string  `json:"reason,omitempty"`
}

// Suggest returns the call of r, which has not been normalized, so that defaults
// stay unsaid.
func Suggest(r Request) *Action { return &Action{Tool: r.Tool(), Args: r} }

// Because returns a with its reason.
func (a *Action) Because(reason string) *Action {
	a.Reason = reason
	return a
}

// NextAction is the one call that the answer recommends.
type NextAction struct {
	ResultIndex *int    `json:"resultIndex,omitempty"` // 0-based into results
	Tool        string  `json:"tool"`
	Args        Request `json:"args"`
	Reason      string  `json:"reason"`
}

// Hints are the ways on from an answer. Each is a call, or a list of calls.
type Hints struct {
	Create          *Action          `json:"create,omitempty"`
	Status          *Action          `json:"status,omitempty"`
	Sync            *Action          `json:"sync,omitempty"`
	Reindex         *Action          `json:"reindex,omitempty"`
	Repair          *Action          `json:"repair,omitempty"`
	Clear           *Action          `json:"clear,omitempty"`
	UseRoot         *Action          `json:"useRoot,omitempty"` // the tracked root that owns the path
	Retry           *Action          `json:"retry,omitempty"`   // the same call, when the state has passed
	NextSteps       []Action         `json:"nextSteps,omitempty"`
	NoiseMitigation *NoiseMitigation `json:"noiseMitigation,omitempty"`
	Debug           any              `json:"debug,omitempty"` // under debug only: *SearchDebug
}

// NoiseMitigation says that most of the top is not what is usually looked
// for, and the query that leaves it out.
type NoiseMitigation struct {
	Reason string         `json:"reason"`
	Top    map[string]int `json:"top"` // file class → results of it among the top
	Action *Action        `json:"action"`
}

// Severity grades a warning.
type Severity string

// The severities of a warning.
const (
	SeverityInfo     Severity = "info"
	SeverityCaution  Severity = "caution"
	SeverityDegraded Severity = "degraded"
	SeverityBlocking Severity = "blocking"
)

// Warning is a state that changes what may be concluded from an answer.
type Warning struct {
	Code      string   `json:"code"`
	Severity  Severity `json:"severity"`
	BlocksUse bool     `json:"blocksUse"`
	Message   string   `json:"message"`
	Action    *Action  `json:"action,omitempty"`
}

// Warnings are sorted by code, one of each.
type Warnings []Warning

// Add puts w in its place; of two with one code the first stays.
func (ws *Warnings) Add(w Warning) {
	at, found := slices.BinarySearchFunc(*ws, w.Code, func(a Warning, code string) int { return strings.Compare(a.Code, code) })
	if !found {
		*ws = slices.Insert(*ws, at, w)
	}
}

// Truncation says what was cut from an answer, how much, and the call that
// fetches the rest.
type Truncation struct {
	What    string  `json:"what"`    // results, symbols, edges, lines, content
	Shown   int     `json:"shown"`   // of What
	Omitted int     `json:"omitted"` // of What
	Cause   Cause   `json:"cause"`   // limit, maxTokens, deadline
	Next    *Action `json:"next,omitempty"`
}

// Freshness is how an answer was checked against the disk.
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

// FreshnessMode is one of the contract's freshness modes.
type FreshnessMode string

// The freshness modes.
const (
	FreshJITVerified        FreshnessMode = "jit_verified"
	FreshSynced             FreshnessMode = "synced"
	FreshRecent             FreshnessMode = "skipped_recent"
	FreshSourceUnchanged    FreshnessMode = "skipped_source_unchanged"
	FreshCoalesced          FreshnessMode = "coalesced"
	FreshIndexing           FreshnessMode = "skipped_indexing"
	FreshRequiresReindex    FreshnessMode = "skipped_requires_reindex"
	FreshMutation           FreshnessMode = "skipped_mutation_in_progress"
	FreshMissingPath        FreshnessMode = "skipped_missing_path"
	FreshReconciledIgnore   FreshnessMode = "reconciled_ignore_change"
	FreshIgnoreReloadFailed FreshnessMode = "ignore_reload_failed"
)

// SyncStats counts files that changed.
type SyncStats struct {
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	Modified int `json:"modified"`
}

// GateReport is what the gate did for this answer.
type GateReport struct {
	FilesChecked       int `json:"filesChecked"`
	FilesReindexed     int `json:"filesReindexed"`
	DirectoriesChecked int `json:"directoriesChecked"`
}

// Tiers is the state of the two ways to find.
type Tiers struct {
	Lexical  Tier `json:"lexical"`
	Semantic Tier `json:"semantic"`
}

// Tier is the state of one.
type Tier struct {
	State TierState `json:"state"`         // ok, off, building, failed
	Why   string    `json:"why,omitempty"` // unless ok
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

// CallGraphHint says whether call_graph can be asked about a symbol, and with
// which reference.
type CallGraphHint struct {
	Supported   bool       `json:"supported"`
	SymbolRef   *SymbolRef `json:"symbolRef,omitempty"`
	Validated   bool       `json:"validated,omitempty"`
	ValidatedAt string     `json:"validatedAt,omitempty"` // RFC 3339, UTC
	Reason      Reason     `json:"reason,omitempty"`      // unless supported
}

// Lines returns the span of s in whole lines.
func Lines(s code.Span) LineSpan { return LineSpan{StartLine: s.StartLine, EndLine: s.EndLine} }
