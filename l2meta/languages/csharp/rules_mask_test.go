package csharp_test

import (
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

func TestCSharpTypesWithoutBody(t *testing.T) {
	const text = `namespace N;
class Empty;
public class Message(int count) : Changed<int>(count);
[Serializable] sealed partial class Third<T>(
	Func<T, int> f)
	: Base<T>(f)
	where T : class;
class Outer
{
	sealed class Inner : Outer;
	struct Pair;
	void F<T>(T t) where T : class { string interface_ = "class Quoted;"; }
	abstract void G<T>() where T : struct;
	// class Comment;
}
interface IMark;
`
	f, err := languages.Extract("a.cs", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Symbols {
		got = append(got, string(s.Kind)+" "+s.QualifiedName)
	}
	want := "class Empty, class Message, class Third, class Outer, class Outer.Inner, struct Outer.Pair, method " +
		"Outer.F, method Outer.G, interface IMark"
	if is := strings.Join(got, ", "); is != want || f.BadBytes > 0 {
		t.Errorf("%s, %d bytes lost; want %s", is, f.BadBytes, want)
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; strings.Contains(s.Signature, "{") {
			t.Errorf("the signature of %s shows the mask: %s", s.Name, s.Signature)
		}
	}
}
