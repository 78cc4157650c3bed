struct ops first = { one, &two, (cb)three, (four), *five, 6, READ_ONLY, ns::seven, "eight", nine() }, second = { .a = one, .b.c = two, .d = { .e = three, four }, .f[1] = five, six };
static struct ops third[] = { { one }, { .a = two }, [2] = { three }, four, { { five } } }, *fourth[2][2] = { { { one } } }, fifth[2][2] = { { { one }, { .a = two } } };
const ops sixth{ one, .b = two }; ops seventh[]{ { one } }; auto eighth = ops{ one, /* c */ two };
struct ops ninth = {
  one,
#ifdef A
  two,
#endif
  three };
void give(int (*parameter)(int), ops *o, ops &r) {
  int local = 1; o->a = one; r.b = &two; o->c.d = three; (*o).e = four; o[0].f = five; *o = six; o->g = parameter; o->h = local; o->i = NULL; o->j = nullptr; o->k += one; variable = one; this->l = two; o->m = (cb)three; o->n = static_cast<cb>(four); o->p = [](int) {}; o->q = ns::five; o->s = cond ? one : two;
  set(one, &two, (three), 4, *five, local, parameter, ns::six, &Klass::seven, eight()); o->set(one); set<int>(two); (set)(three); new Job(one, &two); Job job(one); Job brace{two, .x = three}; Job eq = Job(four); Job *p = new Job{five}; std::make_unique<Job>(six); connect(a, &A::sig, this, &B::slot); job.done = std::bind(&A::run, this); job.fn = std::function<void()>(seven); return_it(one) = two;
  struct ops in = { .a = one }; ops plain = { two }; ops arr[] = { { three } }; static const struct { int (*f)(int); } anon = { .f = four };
}
int (*pointer)(int) = one, (*table[])(int) = { one, &two }; callback named = three; int variable = 1, one_more = two; void (*const fixed)() = &four;
Class::Class() : a(one), b{&two}, Base(three), c_(ns::four) {}
#define GIVE(x) .read = x##_read, .write = prefix_##x, .t = x##_t
#define NAMED target_name
#define CALLS other(1)
#define NUMBER 1
#define TYPED int typed_name(void)
#define PASTED(a, b) a##_mid_##b a ## _end b##c
