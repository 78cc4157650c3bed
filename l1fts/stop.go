package l1fts

// stopWords lists English function words and the keywords that occur in nearly every chunk of
// code. The body column does not contain them. A query drops them if it has other words. Names
// and signatures keep them: the query "for" finds a function NewFor.
var stopWords = stopSet(`a about after all also am an and any are as at be been because before being between both but by
can could did do does doing each either for from had has have having he her here him his how i if in into is it its
just may me more most must my no nor not now of on only or other our out over own same shall she should so some such
than that the their them then there these they this those through to too under until up upon us very was we were what
when where which while who whom why will with would you your
else return nil null none true false self var let const func def int err end elif endif fi esac`)

// Stopped reports whether a word, in lower case, is a stop word: a query with other words ignores it.
func Stopped(word string) bool { return stopWords[word] }

func stopSet(list string) map[string]bool {
	set := map[string]bool{}
	words([]byte(list), nil, func(w []byte) { set[string(w)] = true })
	return set
}
