package search

import (
	"math"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/search/rank"
)

// asksForWork reports whether a query of prose asks where something is done, as agents do. It
// returns false for a sentence like a doc comment ("Calls f for each …"), which describes a
// single function, and for a query for accessors (get, set), because such functions may be short.
// A query of few terms must have the form of a question.
func asksForWork(text string, terms int) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) < proseWords || accessing[words[0]] || thirdPerson(words[0], words[1]) {
		return false
	}
	return terms >= proseTerms || asking[words[0]]
}

// accessing lists the first words of queries for accessors, such as "return the name of a user".
var accessing = setOf("get", "is", "return", "set", "whether")

// asking lists the first words of questions.
var asking = setOf("do", "does", "how", "what", "when", "where", "which", "who", "why")

// thirdPerson reports whether a sentence begins with a verb in the third person, as doc comments do.
// It decides by the form of the first word, and by the second word, which may show that the first is
// a plural noun.
func thirdPerson(first, second string) bool {
	if len(first) < 4 || !strings.HasSuffix(first, "s") || notVerbs[first] || afterNouns[second] {
		return false
	}
	return !strings.HasSuffix(first, "ss") && !strings.HasSuffix(first, "us")
}

var (
	// notVerbs lists words that end like a verb in the third person, and afterNouns words that
	// follow a noun rather than such a verb.
	notVerbs   = setOf("this", "does", "always", "perhaps", "alias")
	afterNouns = setOf("of", "in", "for", "with", "between", "that", "are", "which", "when", "from", "at", "by", "and",
		"or", "must", "should", "can", "may", "have")
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

var showingDirs = setOf("bench", "benches", "benchmark", "benchmarks", "demo", "demos", "example",
	"examples", "sample", "samples")

// showing reports whether a path is in a directory of examples or benchmarks.
func showing(path string) bool {
	for step := range strings.SplitSeq(strings.ToLower(code.Dir(path)), "/") {
		if showingDirs[step] || strings.HasSuffix(step, "-examples") {
			return true
		}
	}
	return false
}

// migrationDirs lists the names of the folders in which Django, Rails, Laravel and EF Core keep
// database migrations.
var migrationDirs = setOf("migration", "migrations", "migrate")

// numbered matches the file name of a database migration: 0001_initial.py, 20240102101500_AddOrders.cs.
// The code of a library that runs migrations has other names.
var numbered = regexp.MustCompile(`^[0-9]{3,}[_.-]`)

// flyway matches the name that Flyway expects of a migration: V2__add_orders.sql.
var flyway = regexp.MustCompile(`^[VURvur][0-9._]*__.+\.(sql|java|kt)$`)

// migrates reports whether a file is a database migration, a change that runs once.
func migrates(path string) bool {
	dir := code.Dir(path)
	name := strings.TrimPrefix(path[len(dir):], "/")
	if flyway.MatchString(name) || strings.HasSuffix(dir, "alembic/versions") {
		return true
	}
	if !numbered.MatchString(name) && !strings.HasSuffix(name, ".sql") {
		return false
	}
	for step := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if migrationDirs[step[strings.LastIndexAny(step, "_-")+1:]] { // old_migrations is a folder of migrations, too
			return true
		}
	}
	return false
}

// repeatsTable reports whether c is an object of a database that repeats the names of a table and its columns, such
// as the index visits_pet_id on the column pet_id of the table visits.
func repeatsTable(c *candidate) bool {
	return c.row != nil && c.row.Symbol.Kind == code.KindConfig && strings.HasSuffix(c.path, ".sql")
}

// presenting matches the names of files that make a user interface: files that mix markup with code, the
// components of Angular, and style sheets.
var presenting = regexp.MustCompile(`\.(?:[jt]sx|vue|svelte|razor|cshtml|css|s[ac]ss|less)$|\.component\.[jt]s$`)

// presents reports whether a file is part of a user interface, judged by its name.
func presents(path string) bool { return presenting.MatchString(path) }

const (
	// sameName is the factor for the score of a result below another with the same name. Otherwise
	// overloads and implementations of one method would displace other results.
	sameName = 0.95
	// mostSame is the largest number of times that sameName is applied to a score.
	mostSame = 3
)

// spreadNames lowers the scores of results with the same name as a better one, and reorders found. The routes
// of one file count as one name.
func spreadNames(found []candidate) {
	seen := map[string]int{}
	for i := range found {
		c := &found[i]
		if c.row == nil || c.exact != rank.NotNamed {
			continue
		}
		name := repeatedName(c)
		c.score = round(c.score * math.Pow(sameName, float64(min(seen[name], mostSame))))
		seen[name]++
	}
	order(found)
}

// repeatedName returns the name by which results are recognised as repetitions. A file of routes describes each
// in the words of the others:
//
//	GET  /posts/{name}/content
//	GET  /posts/{name}/snapshot
//	POST /posts
//
// So its routes share a name, which no symbol has.
func repeatedName(c *candidate) string {
	if c.row.Symbol.Kind == code.KindRoute {
		return "\n" + c.path
	}
	return c.row.Symbol.Name
}
