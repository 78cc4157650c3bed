package embed

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func cosine(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// TestBuiltin checks that the table relates words: each question is nearest to
// its own function, with which it has hardly a word in common.
func TestBuiltin(t *testing.T) {
	ctx := context.Background()
	docs := []Document{
		{Name: "retryWithBackoff",
			Signature: "func retryWithBackoff(ctx context.Context, attempts int, fn func() error) error",
			Path:      "net/retry.go",
			Body: "{ for i := 0; i < attempts; i++ { if err := fn(); err == nil { return nil }; " +
				"time.Sleep(delay); delay *= 2 }; return errTooManyAttempts }"},
		{Name: "hash_password", Signature: "def hash_password(plain: str, salt: bytes) -> str",
			Path: "auth/credentials.py",
			Body: "return bcrypt.hashpw(plain.encode(), salt).decode()"},
		{Name: "renderToolbar", Signature: "function renderToolbar(props: ToolbarProps): JSX.Element",
			Path: "src/ui/Toolbar.tsx",
			Body: "{ return <div className='toolbar'>{props.items.map(item => <Button key={item.id} " +
				"onClick={item.onClick} />)}</div> }"},
		{Name: "deleteExpiredEntries", Signature: "private void deleteExpiredEntries()", Path: "cache/LruCache.java",
			Body: "{ long now = clock.millis(); entries.values().removeIf(e -> e.deadline < now); }"},
	}
	vectors, err := Builtin().Documents(ctx, docs)
	if err != nil {
		t.Fatal(err)
	}
	for want, question := range []string{
		"repeat a call until it succeeds, with pauses", "encrypt the secret that a user logs in with",
		"draw a row of buttons as a component", "evict stale items that are older than the timeout",
	} {
		q, err := Builtin().Query(ctx, question)
		if err != nil {
			t.Fatal(err)
		}
		for i := range docs {
			if i != want && cosine(q, vectors[i]) >= cosine(q, vectors[want]) {
				t.Errorf("%q is nearer to %s (%.2f) than to %s (%.2f)", question, docs[i].Name,
					cosine(q, vectors[i]), docs[want].Name, cosine(q, vectors[want]))
			}
		}
	}
}

// ownDocuments returns the files of this package in pieces of 700 bytes.
func ownDocuments(b *testing.B) (docs []Document, bytes int) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		bytes += len(text)
		for at := 0; at < len(text); at += 700 {
			docs = append(docs, Document{Name: "document", Signature: "func document(at int) error",
				Path: "l1fts/embed/" + file, Body: string(text[at:min(at+700, len(text))])})
		}
	}
	return docs, bytes
}

func BenchmarkDocuments(b *testing.B) {
	docs, bytes := ownDocuments(b)
	Builtin()
	for b.Loop() {
		if _, err := Builtin().Documents(context.Background(), docs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
	b.ReportMetric(float64(bytes*b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
}
