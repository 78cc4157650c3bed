package engine

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// Stamp returns a time in the format of answers, "" for the zero time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Freshness sums up reports of package jit, which compares the index with the disk, in the form that
// answers have.
func (s *Engine) Freshness(reports ...jit.Report) contract.Freshness {
	f := contract.Freshness{Mode: contract.FreshJITVerified, CheckedAt: Stamp(s.Clock()), Gate: &contract.GateReport{}}
	var stats contract.SyncStats
	for _, r := range reports {
		f.Gate.FilesChecked += r.FilesChecked
		f.Gate.FilesReindexed += r.FilesReindexed
		f.Gate.DirectoriesChecked += r.DirectoriesChecked
		f.DurationMs += r.Duration.Milliseconds()
		stats.Added += len(r.Added)
		stats.Removed += len(r.Removed)
		stats.Modified += len(r.Modified)
		switch r.Mode {
		case jit.ModeIndexing, jit.ModeMissingPath, jit.ModeIgnoreReconciled:
			f.Mode = contract.FreshnessMode(r.Mode)
		}
		if r.Mode != jit.ModeIndexing && !r.CheckedAt.IsZero() {
			f.LastSyncAt = Stamp(r.CheckedAt)
		}
	}
	if stats != (contract.SyncStats{}) {
		f.Stats = &stats
	}
	return f
}

// WarningTexts maps the warning codes of package jit to explanations for readers.
var WarningTexts = map[string]contract.Warning{
	jit.WarnPending: {Severity: contract.SeverityCaution,
		Message: "Files changed in bulk and are still being indexed; what is shown is verified, what is new may be " +
			"missing. Repeat the call in a moment."},
	jit.WarnUnverified: {Severity: contract.SeverityCaution,
		Message: "Some files or folders cannot be read; what the index knew of them is kept, their text is withheld."},
	jit.WarnWatchLimit: {Severity: contract.SeverityInfo,
		Message: "Too many folders to watch on this system; every call sweeps the tree instead, which costs some " +
			"milliseconds."},
	jit.WarnDamaged: {Severity: contract.SeverityDegraded,
		Message: "The index was found damaged and is being made anew from the files, which takes as long as the " +
			"first time; nothing has to be done."},
	jit.WarnBuilding: {Severity: contract.SeverityDegraded,
		Message: "The index is still being made; files that are not in it yet are missing from this answer. Repeat " +
			"the call later for a complete one."},
}

// Warn returns warnings for the codes in reports, and one if the request itself caused p to be indexed.
func (s *Engine) Warn(p *Place, reports ...jit.Report) (ws contract.Warnings) {
	if p.begun {
		ws.Add(begunWarning(p))
	}
	for _, r := range reports {
		for _, c := range r.Warnings {
			w := WarningTexts[c]
			w.Code = c
			switch c {
			case jit.WarnConfig:
				w = ConfigWarning(p.Root)
			case jit.WarnUnverified:
				w = UnreadWarning(r.Unverified)
			case jit.WarnPending:
				if r.Stuck != "" {
					w.Message = "Changed files could not be indexed: " + r.Stuck + ". What is shown is verified, " +
						"what is new may be missing."
				}
			}
			if c == jit.WarnBuilding || c == jit.WarnPending {
				w.Action = contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: p.Root.Path()})
			}
			ws.Add(w)
		}
	}
	return ws
}

// ConfigWarning returns a warning with the errors in the rules that decide what is indexed: sextant.toml
// and the ignore files.
func ConfigWarning(root *jit.Root) contract.Warning {
	list := root.Problems()
	more := ""
	if n := len(list); n > shownProblems {
		list, more = list[:shownProblems], fmt.Sprintf(" And %d more.", n-shownProblems)
	}
	return contract.Warning{Code: jit.WarnConfig, Severity: contract.SeverityCaution,
		Message: "What is indexed may not be what was configured. " + strings.Join(list, ". ") + "." + more}
}

// shownProblems is the largest number of errors or paths in a warning. More would not help the
// reader.
const shownProblems = 5

// BuildFailed returns the outcome for a root whose index could not be made. why is the error of the
// build, or one that wraps [jit.ErrBuildFailed].
func BuildFailed(root, why string) contract.Outcome {
	if _, cause, ok := strings.Cut(why, jit.ErrBuildFailed.Error()+": "); ok {
		why = cause
	}
	return contract.CondIndexFailed.Outcome(
		"The index of %s could not be made: %s. A question tries again a minute later, manage_index repair at once.",
		root, why)
}

// Failed returns the outcome and the suggested call for an error which says that the index of root could not be
// built. It returns other errors.
func Failed(root string, err error) (contract.Outcome, *contract.Hints, error) {
	if !errors.Is(err, jit.ErrBuildFailed) {
		return contract.Outcome{}, nil, err
	}
	return BuildFailed(root, err.Error()), &contract.Hints{Repair: contract.Suggest(
		&contract.ManageRequest{Action: contract.ManageRepair, Path: root})}, nil
}

// UnreadWarning returns the warning for paths that cannot be read now; "" is the root itself.
func UnreadWarning(paths []string) contract.Warning {
	w := WarningTexts[jit.WarnUnverified]
	w.Code = jit.WarnUnverified
	if len(paths) == 0 {
		return w
	}
	w.Message = "Cannot be read now (no permission, or changing all the time): " + shownPaths(paths) +
		". What was indexed of that is kept; its text is withheld, and what is new there is missing."
	return w
}

// WarnLFSPointers is the code of the warning that the content of some files is not in the checkout.
const WarnLFSPointers = "LFS_POINTERS"

// PointersWarning returns the warning for files of which git-lfs has not fetched the content.
func PointersWarning(paths []string) contract.Warning {
	return contract.Warning{Code: WarnLFSPointers, Severity: contract.SeverityInfo,
		Message: "Pointers of git-lfs, whose content is not in this checkout and not searched: " + shownPaths(paths) +
			". \"git lfs pull\" fetches it."}
}

// WarnTooLarge is the code of the warning that some files are too large for the index.
const WarnTooLarge = "FILES_TOO_LARGE"

// TooLargeWarning returns the warning for files of text that are too large for the index.
func TooLargeWarning(paths []string) contract.Warning {
	return contract.Warning{Code: WarnTooLarge, Severity: contract.SeverityCaution,
		Message: "Too large for the index and not searched: " + shownPaths(paths) + ". Search there with grep."}
}

// WarnApart is the code of the warning that checkouts within the root are no part of it.
const WarnApart = "NESTED_CHECKOUTS"

// ApartWarning returns the warning for checkouts below folder dir of a root that are not searched with it, and false
// if there are none.
func ApartWarning(root *jit.Root, dir string) (w contract.Warning, ok bool) {
	dirs := slices.DeleteFunc(root.Apart(), func(p string) bool { return !code.Within(p, dir) })
	if len(dirs) == 0 {
		return w, false
	}
	return contract.Warning{Code: WarnApart, Severity: contract.SeverityInfo,
		Message: "Repositories of their own, neither submodules nor searched here: " + shownPaths(dirs) +
			". Ask them by path: " + strconv.Quote(filepath.Join(root.Path(), dirs[0]))}, true
}

// shownPaths lists the first few paths for a message; "" is the root itself.
func shownPaths(paths []string) string {
	shown := slices.Clone(paths[:min(len(paths), shownProblems)])
	for i, p := range shown {
		shown[i] = code.QuotePath(cmp.Or(p, "."))
	}
	if more := len(paths) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return strings.Join(shown, ", ")
}

// Codes returns the codes of warnings, for tools that list plain codes. If the message depends on the
// root, it follows its code after a colon.
func Codes(ws contract.Warnings) (out []string) {
	for _, w := range ws {
		if w.Code == jit.WarnConfig || w.Code == jit.WarnUnverified || w.Code == WarnApart {
			w.Code += ":" + w.Message
		}
		out = append(out, w.Code)
	}
	return out
}

// StatesOf converts the services of a root to the form that answers have.
func StatesOf(services []jit.ServiceSize) (out []contract.ServiceState) {
	for _, s := range services {
		state := contract.ServiceState{Name: s.Name, Path: s.Root, Kind: string(s.Kind),
			Language: s.Language, Files: s.Files}
		if len(s.Manifests) > 0 {
			state.Manifest = s.Manifests[0]
		}
		out = append(out, state)
	}
	return out
}

// begunWarning returns the warning that a request caused its path to be indexed.
func begunWarning(p *Place) contract.Warning {
	root := p.Root.Path()
	return contract.Warning{Code: "INDEX_CREATED", Severity: contract.SeverityInfo,
		Message: root + " was not indexed yet and is from now on; manage_index clear removes the index again.",
		Action:  contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: root})}
}
