package jit

import "time"

// Mode is the way in which a Sync or Verify ensured that the index is up to date. The answers of
// tools contain its values.
type Mode string

const (
	ModeSynced           Mode = "synced"                   // changes were found and indexed
	ModeUnchanged        Mode = "skipped_source_unchanged" // no file had changed
	ModeCoalesced        Mode = "coalesced"                // the result of a Sync that another call started
	ModeIgnoreReconciled Mode = "reconciled_ignore_change" // ignore rules changed, and the index was adapted to them
	ModeIndexing         Mode = "skipped_indexing"         // the cold index is being built
	ModeMissingPath      Mode = "skipped_missing_path"     // the root does not exist
	ModeVerified         Mode = "jit_verified"             // Verify checked or reindexed the files
)

// These constants are the codes of Report.Warnings.
const (
	WarnPending    = "SOURCE_CHANGES_PENDING"  // changed files are still being indexed
	WarnUnverified = "SOURCE_STATE_UNVERIFIED" // some file or directory could not be read
	WarnWatchLimit = "WATCH_LIMIT_REACHED"     // too many directories to watch: every Sync sweeps
	WarnBuilding   = "INDEX_PARTIAL"           // the cold index is not complete
	WarnDamaged    = "INDEX_DAMAGED"           // INDEX_PARTIAL because the index was damaged
	WarnConfig     = "CONFIG_PROBLEM"          // a rule file cannot be used; see Root.Problems
)

// Report is the result of a Sync or Verify.
type Report struct {
	Mode               Mode
	Vouched            bool // the watcher reported all changes, so nothing was swept
	FilesChecked       int  // files whose stat key was compared
	FilesReindexed     int  // files whose rows were replaced or removed
	DirectoriesChecked int
	// Added, Modified and Removed list the paths whose rows changed, relative
	// to the root and sorted.
	Added, Modified, Removed []string
	Unverified               []string // paths that could not be read; their rows are kept; sorted
	// Pending is the number of files known to have changed but not indexed yet;
	// see Root.Dirty.
	Pending int
	// Stuck says why the last attempt to index changed files failed; "" if none are pending or it succeeded.
	Stuck     string
	CheckedAt time.Time
	Duration  time.Duration
	Warnings  []string // codes, sorted
	// Generation is the generation of the index when the call ended.
	Generation int64
}

// Changed reports whether any rows changed, so that results read before are
// outdated.
func (r *Report) Changed() bool { return len(r.Added)+len(r.Modified)+len(r.Removed) > 0 }
