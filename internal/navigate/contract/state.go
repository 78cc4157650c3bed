package contract

import (
	"fmt"
	"slices"

	"sextant/internal/code"
)

// Status is the outcome of a call in one word.
type Status string

// The statuses.
const (
	StatusOK              Status = "ok"
	StatusNotIndexed      Status = "not_indexed"
	StatusNotReady        Status = "not_ready"
	StatusRequiresReindex Status = "requires_reindex"
	StatusNotFound        Status = "not_found"
	StatusAmbiguous       Status = "ambiguous"
	StatusUnsupported     Status = "unsupported"
	StatusBlocked         Status = "blocked"
	StatusError           Status = "error"
	StatusOutside         Status = "outside_indexed_root"
)

// Reason says why a status is not ok.
type Reason string

// The reasons. The contract also defines those of [NeverReasons], which are never returned.
const (
	ReasonIndexing            Reason = "indexing"
	ReasonRequiresReindex     Reason = "requires_reindex"
	ReasonIndexFailed         Reason = "index_failed"
	ReasonNotIndexed          Reason = "not_indexed"
	ReasonMissingSymbol       Reason = "missing_symbol"
	ReasonStaleSymbolRef      Reason = "stale_symbol_ref"
	ReasonStaleCursor         Reason = "stale_cursor"
	ReasonAmbiguousSymbol     Reason = "ambiguous_symbol"
	ReasonMissingFile         Reason = "missing_file"
	ReasonMissingPath         Reason = "missing_path"
	ReasonUnsupportedLanguage Reason = "unsupported_language"
	ReasonNotParsed           Reason = "not_parsed"
	ReasonSearchFailed        Reason = "search_backend_failed"
	ReasonSourceChanged       Reason = "source_changed_during_request"
	ReasonDeadline            Reason = "deadline"
	ReasonUnverified          Reason = "source_state_unverified"
	ReasonMutation            Reason = "mutation_in_progress"
	ReasonUnnecessaryReindex  Reason = "unnecessary_reindex_ignore_only"
	ReasonTrackedAncestor     Reason = "tracked_ancestor"
	ReasonOutside             Reason = "outside_indexed_root"
	ReasonRelative            Reason = "relative_path_not_allowed"
	ReasonSymlink             Reason = "symlink_rejected"
	ReasonNotRegular          Reason = "not_a_regular_file"
	ReasonTooLarge            Reason = "file_too_large"
	ReasonBinary              Reason = "binary_file"
	ReasonLFSPointer          Reason = "lfs_pointer"
	ReasonIgnored             Reason = "ignored_file"
	ReasonSecret              Reason = "secret_file"
	ReasonInternal            Reason = "internal_error"
	ReasonOverloaded          Reason = "server_busy"
	ReasonCancelled           Reason = "cancelled"
	ReasonNotADirectory       Reason = "not_a_directory"
)

// NeverReasons returns the reasons of the contract that this program cannot produce, each with an
// explanation.
func NeverReasons() map[string]string {
	return map[string]string{
		"partial_index_navigation_unavailable": "a partial index navigates what it holds, and warns INDEX_PARTIAL",
		"missing_symbol_registry": "symbols are rows of the one database; there is no registry file to " +
			"go missing",
		"missing_relationship_sidecar": "edges are resolved at question time; there is no sidecar to go missing",
		"incompatible_symbol_registry": "the database file's name carries its version; another version is " +
			"another file",
		"incompatible_relationship_sidecar": "the database file's name carries its version; another version is " +
			"another file",
		"missing_provider_config":        "nothing has to be configured for any tool",
		"vector_backend_unavailable":     "the lexical tier answers, and tiers.semantic says failed and why",
		"embedding_provider_unavailable": "the lexical tier answers, and tiers.semantic says failed and why",
	}
}

// Condition is a situation that a tool can report. Each has one row in [Conditions], which alone
// determines its wire form.
type Condition string

// The conditions.
const (
	CondOK                 Condition = "answered"
	CondInvalid            Condition = "arguments are invalid"
	CondNotIndexed         Condition = "no tracked root owns the path"
	CondMissingPath        Condition = "the path, or the folder of the tracked root that owns it, does not exist"
	CondNotADirectory      Condition = "the path to index is no directory"
	CondIndexing           Condition = "the symbol is not in the part of the index that is made"
	CondRequiresReindex    Condition = "the tracked root has no index that this version of the program reads"
	CondIndexFailed        Condition = "indexing failed"
	CondDamaged            Condition = "the index is damaged again and again"
	CondMissingFile        Condition = "the file does not exist"
	CondMissingSymbol      Condition = "the symbol does not exist"
	CondStaleSymbol        Condition = "the symbol reference is of an older text and leads nowhere"
	CondStaleCursor        Condition = "the index moved on since the cursor was made"
	CondAmbiguous          Condition = "several symbols fit"
	CondUnsupported        Condition = "no symbols are known for the language"
	CondNotParsed          Condition = "the parser gave up on the file"
	CondSourceChanged      Condition = "the source kept changing during the request"
	CondDeadline           Condition = "the time was over before anything could be said"
	CondUnverified         Condition = "the text on disk cannot be read any more"
	CondMutation           Condition = "another process writes this root"
	CondUnnecessaryReindex Condition = "only ignore rules changed, which a sync takes up"
	CondTrackedAncestor    Condition = "a tracked root owns the path already"
	CondOutside            Condition = "the path is in no tracked root, or the file not in the one asked about"
	CondRelative           Condition = "the path is not absolute"
	CondSymlink            Condition = "a link leads out of the root"
	CondNotRegular         Condition = "the path is no regular file"
	CondTooLarge           Condition = "the file is too large"
	CondBinary             Condition = "the file is binary"
	CondLFSPointer         Condition = "git-lfs has not fetched the file"
	CondIgnored            Condition = "the ignore rules keep the file out"
	CondSecret             Condition = "the secret rules keep the file out"
	CondSearchFailed       Condition = "the search itself failed"
	CondBusy               Condition = "too many calls wait already"
	CondCancelled          Condition = "the call was cancelled"
	CondInternal           Condition = "an unexpected failure"
)

// ConditionRow defines the wire form of a condition.
type ConditionRow struct {
	Condition Condition
	Tools     []string // tools that can report it
	IsError   bool
	Status    Status // "" if the text is not JSON
	Reason    Reason // "" if ok or if the text is not JSON
}

// Conditions returns the table of all conditions, in the order of the documentation.
func Conditions() []ConditionRow {
	all := []string{ToolList, ToolSearch, ToolOutline, ToolGraph, ToolRead, ToolManage}
	index := []string{ToolSearch, ToolOutline, ToolGraph, ToolManage}
	ask := []string{ToolSearch, ToolOutline, ToolGraph}
	file := []string{ToolOutline, ToolRead}
	symbol := []string{ToolOutline, ToolGraph, ToolRead}
	read, manage := []string{ToolRead}, []string{ToolManage}
	return []ConditionRow{
		{CondOK, all, false, StatusOK, ""},
		{CondNotIndexed, index, false, StatusNotIndexed, ReasonNotIndexed},
		{CondMissingPath, append(index, ToolRead), false, StatusNotFound, ReasonMissingPath},
		{CondIndexing, []string{ToolGraph, ToolRead}, false, StatusNotReady, ReasonIndexing},
		{CondRequiresReindex, manage, false, StatusRequiresReindex, ReasonRequiresReindex},
		{CondIndexFailed, append(index, ToolRead), false, StatusError, ReasonIndexFailed},
		{CondMissingFile, file, false, StatusNotFound, ReasonMissingFile},
		{CondMissingSymbol, symbol, false, StatusNotFound, ReasonMissingSymbol},
		{CondStaleSymbol, symbol, false, StatusNotFound, ReasonStaleSymbolRef},
		{CondStaleCursor, []string{ToolGraph}, false, StatusNotFound, ReasonStaleCursor},
		{CondAmbiguous, symbol, false, StatusAmbiguous, ReasonAmbiguousSymbol},
		{CondUnsupported, symbol, false, StatusUnsupported, ReasonUnsupportedLanguage},
		{CondNotParsed, symbol, false, StatusUnsupported, ReasonNotParsed},
		{CondSourceChanged, append(ask, ToolRead), false, StatusNotReady, ReasonSourceChanged},
		{CondDeadline, append(index, ToolRead), false, StatusNotReady, ReasonDeadline},
		{CondUnverified, append(ask, ToolRead), false, StatusError, ReasonUnverified},
		{CondNotADirectory, manage, false, StatusBlocked, ReasonNotADirectory},
		{CondMutation, manage, false, StatusBlocked, ReasonMutation},
		{CondUnnecessaryReindex, manage, false, StatusBlocked, ReasonUnnecessaryReindex},
		{CondTrackedAncestor, manage, false, StatusBlocked, ReasonTrackedAncestor},
		{CondInvalid, all, true, "", ""},
		{CondOutside, file, true, StatusOutside, ReasonOutside},
		{CondRelative, read, true, StatusError, ReasonRelative},
		{CondSymlink, file, true, StatusError, ReasonSymlink},
		{CondNotRegular, file, true, StatusError, ReasonNotRegular},
		{CondTooLarge, file, true, StatusError, ReasonTooLarge},
		{CondBinary, file, true, StatusError, ReasonBinary},
		{CondLFSPointer, file, true, StatusError, ReasonLFSPointer},
		{CondIgnored, file, true, StatusError, ReasonIgnored},
		{CondSecret, file, true, StatusError, ReasonSecret},
		{CondSearchFailed, []string{ToolSearch}, true, StatusError, ReasonSearchFailed},
		{CondDamaged, all, true, StatusError, ReasonIndexFailed},
		{CondBusy, all, true, StatusError, ReasonOverloaded},
		{CondCancelled, all, true, StatusError, ReasonCancelled},
		{CondInternal, all, true, StatusError, ReasonInternal},
	}
}

// Row returns the row of c. It panics if c is not one of the constants.
func (c Condition) Row() ConditionRow {
	for _, row := range Conditions() {
		if row.Condition == c {
			return row
		}
	}
	panic("navigate: no row for condition " + string(c))
}

// Outcome returns the first fields of an answer in condition c. The message is for a human reader and
// ends in the next step. Strings in args must be paths and names; those with special characters are
// quoted.
func (c Condition) Outcome(format string, args ...any) Outcome {
	row := c.Row()
	args = slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = code.QuotePath(text)
		}
	}
	return Outcome{Status: row.Status, Reason: row.Reason, Message: fmt.Sprintf(format, args...)}
}

// Refuse returns an error in condition c, whose row must have IsError set. hints may be nil.
func (c Condition) Refuse(path string, hints *Hints, format string, args ...any) *Refusal {
	return &Refusal{Outcome: c.Outcome(format, args...), Path: path, Hints: hints}
}
