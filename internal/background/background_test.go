package background_test

import (
	"context"
	"testing"

	"sextant/internal/background"
)

func TestCloseEndsWhatRuns(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
	g := background.NewGroup(ctx)
	ended := false
	started := make(chan struct{})
	if !g.Go(func(ctx context.Context) {
		close(started)
		<-ctx.Done()
		ended = ctx.Value(key{}) == "kept"
	}) {
		t.Fatal("an open group runs nothing")
	}
	cancel() // of the owner's caller, which the group outlives
	<-started
	select {
	case <-g.Stopped():
		t.Fatal("stopped by the caller's context")
	default:
	}
	g.Close()
	if !ended {
		t.Error("Close did not wait, or the context has lost its values")
	}
	if g.Go(func(context.Context) { t.Error("run by a closed group") }) {
		t.Error("a closed group runs something")
	}
	g.Close() // once more does no harm
}
