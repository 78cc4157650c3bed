package ruby

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// factory matches a call that makes an object by the name of its factory: create(:user, name: "x"), or
// FactoryBot.build :user.
var factory = regexp.MustCompile(`^(?:(?:FactoryBot|FactoryGirl)\.)?(create|build|build_stubbed)(\(| ):(\w+)\b`)

// fabricated returns the object that a factory makes in a test: a User for create(:user). Factories bear
// the names of the classes that they make, and one of another name, as :admin, names no class. It returns
// false for any other text, and where classes of several modules have the name, as the factory may state another:
// factory :user, class: Shop::User.
func (r reader) fabricated(p place, text string) (object, bool) {
	m := factory.FindStringSubmatch(text)
	if m == nil || testAround(p.file, p.at) < 0 || m[2] == "(" && closing(text, len(m[0])-len(m[3])-2) != len(text)-1 {
		return object{}, false
	}
	if m[2] == " " && lastDot(text[len(m[0]):]) >= 0 || r.declaresBare(p, m[1]) {
		return object{}, false
	}
	x := r.constant(place{file: p.file, at: -1}, classNamed(m[3]))
	if x.kind != known || !x.meta || r.elsewhere(x.class) {
		return object{}, false
	}
	return object{kind: known, class: x.class, how: resolve.TypedResult}, true
}

// elsewhere reports whether a class of another module has the name of a class.
func (r reader) elsewhere(class string) bool {
	rows, ok := r.w.Named(class)
	return !ok || slices.ContainsFunc(rows, func(d l2meta.Declaration) bool {
		return d.Language == "ruby" && d.Kind == code.KindClass && d.QualifiedName != class
	})
}

// declaresBare reports whether a call of name without a receiver may be of a method of the workspace.
func (r reader) declaresBare(p place, name string) bool {
	if _, ok := r.helper(p, name); ok {
		return true
	}
	self := r.self(p)
	return r.find(p, self, name).ref.Valid() || len(functions(p.file, name, self.main)) > 0
}

// rspec is the class of what the calls of expectations return. It is none of the workspace.
const rspec = "RSpec"

// expectations lists the calls of RSpec that return its own objects, whatever their arguments are.
var expectations = resolve.Set("expect", "expect_any_instance_of", "allow", "allow_any_instance_of", "is_expected",
	"receive", "receive_messages", "receive_message_chain", "change", "raise_error", "have_received")

// expected returns the object of RSpec that a bare call in a test returns; false for any other call.
func (r reader) expected(p place, text, name string) (object, bool) {
	if !expectations[name] || testAround(p.file, p.at) < 0 || !strings.HasPrefix(text, name) ||
		r.declaresBare(p, name) {
		return object{}, false
	}
	return object{kind: foreign, class: rspec}, true
}
