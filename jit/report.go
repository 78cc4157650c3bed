package jit

import "time"

// Mode is how an answer was kept fresh, in the contract's words.
type Mode string

const (
	ModeSynced           Mode = "synced"                   // changes were found and indexed
	ModeUnchanged        Mode = "skipped_source_unchanged" // nothing had changed
	ModeCoalesced        Mode = "coalesced"                // shared with a call that was waiting already
	ModeIgnoreReconciled Mode = "reconciled_ignore_change" // ignore rules changed, and the index follows
	ModeIndexing         Mode = "skipped_indexing"         // the cold index is under way
	ModeMissingPath      Mode = "skipped_missing_path"     // the root is not there
	ModeVerified         Mode = "jit_verified"             // Verify found everything as indexed, or made it so
)

// Codes of Report.Warnings.
const (
	WarnPending    = "SOURCE_CHANGES_PENDING"  // changed files are still being indexed
	WarnUnverified = "SOURCE_STATE_UNVERIFIED" // something could not be read
	WarnWatchLimit = "WATCH_LIMIT_REACHED"     // too many directories to watch: every Sync sweeps
	WarnBuilding   = "INDEX_PARTIAL"           // the cold index is not complete
	WarnDamaged    = "INDEX_DAMAGED"           // the same, because the index was damaged
	WarnConfig     = "CONFIG_PROBLEM"          // Root.Problems: rules of the workspace that cannot be used
)

// Report says what a Sync or Verify looked at and what it found.
type Report struct {
	Mode               Mode
	Vouched            bool // the watcher answered, nothing was swept
	FilesChecked       int  // files whose stat key was compared
	FilesReindexed     int  // files whose rows were replaced or removed
	DirectoriesChecked int
	// Added, Modified and Removed are the paths whose rows changed, relative
	// to the root and sorted.
	Added, Modified, Removed []string
	Unverified               []string // could not be read, rows kept; sorted
	// Pending is the number of files known to have changed and not indexed
	// yet; Root.Dirty tells which.
	Pending   int
	CheckedAt time.Time
	Duration  time.Duration
	Warnings  []string // codes, sorted
	// Generation is the generation of the index when the call ended.
	Generation int64
}

// Changed reports whether any rows were changed: whoever read the index
// before has to ask again.
func (r *Report) Changed() bool { return len(r.Added)+len(r.Modified)+len(r.Removed) > 0 }
