package syntax

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// static void returnFree(void) { malloc_trim(0); }
// #else
// static void returnFree(void) {}
// #endif
import "C"

// ReturnMemory returns to the system what the parsers allocated and freed. The
// allocator of glibc keeps it, in an arena for each thread that parsed at once;
// others return it by themselves. Go's own heap is not concerned.
func ReturnMemory() {
	freeArenas()
	C.returnFree()
}
