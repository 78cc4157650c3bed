/* Ring buffers for log records. */
#include <stdio.h>
#include "ring.h"

#ifndef RING_C
#define RING_C
#define RING_MAX 4096
#define RING_AT(r, i) ((r)->slots[ring_index((r), (i)) % RING_MAX])
#define RING_EACH(r, ...) \
	do { \
		for (size_t i = 0; i < ring_len(r); i++) r->ops->visit(__VA_ARGS__); \
	} while (0)

BEGIN_DECLS

/** How a ring is full. */
enum ring_policy {
	RING_DROP, /* the oldest */
	RING_BLOCK = 1 << 2,
};

typedef enum { LEVEL_INFO, LEVEL_ERROR } level_t;
typedef unsigned long ring_size_t, *ring_size_ptr;
typedef int (*ring_visit_fn)(void *arg, const char *text);

typedef struct ring {
	unsigned int head : 16, tail : 16;
	const char *names[8];
	struct {
		int reads;
	} stats;
	union {
		int fd;
		void *handle;
	};
	struct ring *next, **prev;
	int (*on_full)(struct ring *, size_t);
#ifdef RING_LOCKED
	pthread_mutex_t lock;
#endif
} ring_t;

typedef struct {
	double x, y;
} point_t;

struct ops {
	ring_visit_fn visit;
};

static int visit_stdout(void *arg, const char *text);
extern int ring_debug, *ring_counters;
static const char *const level_names[] = { "info", level_name(LEVEL_ERROR) };
static struct ops stdout_ops = {
	.visit = visit_stdout,
};
static struct {
	int depth;
} state;
int (*ring_hook)(int) = NULL;
RING_API const char *ring_name(const ring_t *r, ...) RING_NONNULL;

/* Prints
 * one record. */
static int visit_stdout(void *arg, const char *text)
{
	FILE *out = stdout, *err;
	size_t n = strlen(text);
	int WINAPI_RESULT;
	if (arg && !(n = ring_len(arg)))
		return fprintf(out, "%s\n", text);
#ifdef RING_LOCKED
	if (lock(arg)) {
#else
	if (1) {
#endif
		state.depth++;
	}
	return (int)RING_AT((ring_t *)arg, 0)->tell(text);
}

__attribute__((noreturn)) void RING_CALL ring_die(struct ring *restrict r, int codes[], void (*last)(int))
{
	struct local { int z; };
	(*last)(r->on_full(r, 1));
	r->stats.hooks[2](codes);
	(ring_free)(r);
	qsort(codes, 1, sizeof(int), compare_codes);
	typedef int inner_t;
	last = compare_codes;
}

int compare_codes(const void *a, const void *b) { return 0; }

/* An old one. */
int ring_old(r, size)
	ring_t *r;
	char *size;
{
	return ring_len(r);
}

ring_t *(*ring_factory(int kind))(size_t)
{
	return kind ? ring_new : ring_clone;
}

DEFINE_RING(log, 128);

int broken( { return 1; }

static inline int größe(void) { return after_error(2); }
#endif
