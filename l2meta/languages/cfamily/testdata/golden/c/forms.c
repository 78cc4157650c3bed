#include <stdio.h>
#include "forms.h"
#define LOOP(i, n) for (i = 0; i < n; i++)
#define CLOSE _close
typedef struct node { struct node *next, **table; int (*visit)(struct node *self, int); union { int i; float f; } as; struct { int x; } at[3]; unsigned bits : 2; char name[16]; } node_t, *node_p;
enum kind { ONE = 1, TWO, THREE = ONE << 2 } global_kind; struct ahead; typedef enum { RED } color; typedef void handler(int), (*handler_p)(int); extern struct ahead *head; static inline __attribute__((always_inline)) int fast(void) { return 1; }
static const struct ops table[] = { { .open = file_open, .close = &file_close }, [1] = { file_open, file_close, .nested = { .read = file_read } } }; struct ops single = { .open = file_open }; int (*pointer)(int) = fast, plain, array[2] = {fast(), 2}; int (*get(int a))(void); char *strings[] = {"a", "b"};
int old(a, b) int a; char *b; { return a + *b; }
static int file_open(struct node *n, const char *path, int flags, ...) {
  struct node local = {0}, *p = n, arr[2]; node_t t; node_p q = &t; int i, rc = fast(), (*fp)(int) = pointer; register int r; struct ops o = { .open = file_open, .read = fast };
  n->visit(n, 1); n->next->visit(n->next, 2); (*n->visit)(n, 3); q->table[0]->visit(*q->table, 4); table[i].open(n, path, 5); (fp)(6); fp(7); (*fp)(8); get(9)(); t.visit(&t, 10); arr[0].visit(arr, 11); p->as.i = 12;
  n->visit = visit_one; t.visit = &visit_two; o.open = file_open; set_handler(visit_one, &visit_two, fast()); pointer = fast; (struct ops){ .open = file_open, .close = 0 }; use((struct ops){ visit_one }); *p = (node_t){ .visit = visit_one };
  LOOP(i, 10) { step(i); } for (int j = 0; j < len(path); ++j) step(j); while (next(p)) { p = p->next; } do again(); while (more()); switch (rc) { case ONE: one(); break; case TWO ... THREE: two(); default: three(); } if (!check(p) || (rc = retry(p)) < 0) goto out; return CLOSE(rc); out: sizeof(struct node); (void)rc; assert(p); p ? one() : two(); rc = (int)cast(p); free(p), p = NULL; va_start(ap, flags);
#ifdef A
  if (a()) {
#else
  if (b()) {
#endif
    c();
  }
  return offsetof(struct node, next);
}
EXPORT_SYMBOL(file_open); module_init(start); DEFINE_PER_CPU(int, counter); static DEFINE_MUTEX(lock); int SEC(x) annotated(void) { return 0; }
static int broken(int a {
int *lost(int b) { return helper(b); }
EOF_TOKEN struct { int x
static int after(void) { return 1; }
