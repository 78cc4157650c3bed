package syntax

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// static void returnFree(void) { malloc_trim(0); }
// #else
// static void returnFree(void) {}
// #endif
import "C"

// ReturnMemory returns to the operating system the memory that parsers have freed. The allocator of
// glibc would keep it, in an arena for each thread that parsed; other allocators return it by
// themselves. Go's own heap is not affected.
func ReturnMemory() {
	freeArenas()
	C.returnFree()
}
