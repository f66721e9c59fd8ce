/* wildcaught: put at the top of every C and C++ file. It includes nothing, so
   that the file's own feature-test macros still come before any system header,
   and it says nothing to the assembler. */
#if !defined WILDCAUGHT_PRELUDE && !defined __ASSEMBLER__
#define WILDCAUGHT_PRELUDE 1
#ifdef __cplusplus
extern "C" {
#endif
/* Hidden: each program or shared library has its own tables and reaches them
   without a GOT. Const here (runtime.c fills it before the program starts):
   the compiler may keep a switch in a register across calls. */
extern const unsigned short wildcaught_on[]
    __attribute__((__visibility__("hidden")));
/* A truth value, not a char: a char store could change any object, and would
   make the compiler load everything again after each guard. */
#ifdef __cplusplus
extern bool wildcaught_reach[] __attribute__((__visibility__("hidden")));
}
#else
__extension__ extern _Bool wildcaught_reach[]
    __attribute__((__visibility__("hidden")));
#endif
/* 65535: the original runs and its unit is noted. Only runs that ask for reach
   set it, so that the others do without a store. */
#define WILDCAUGHT_OFF(u) \
    (__builtin_expect(wildcaught_on[u] == 0, 1) \
     || (wildcaught_reach[u] = 1, wildcaught_on[u] == 65535))
#define WILDCAUGHT_IS(u, k) (wildcaught_on[u] == (k))
/* Points: operators that are exchanged while the program runs. Bit k of what
   wildcaught_truth gets is what the k-th operator gives; wildcaught_value gets
   what each operator gives, and a bit for each that would trap. */
#ifdef __cplusplus
extern "C" {
#define WILDCAUGHT_AUTO auto
#else
#define WILDCAUGHT_AUTO __auto_type
#endif
int wildcaught_truth(unsigned, unsigned, unsigned) __attribute__((__visibility__("hidden")));
int wildcaught_lazy(unsigned, unsigned, int) __attribute__((__visibility__("hidden")));
/* A condition that is not made of values; whether it is made of them; and what two of them give, which are doubles. */
int wildcaught_holds(unsigned, int) __attribute__((__visibility__("hidden")));
int wildcaught_compared(unsigned) __attribute__((__visibility__("hidden")));
int wildcaught_compare(unsigned, unsigned, ...) __attribute__((__visibility__("hidden")));
unsigned wildcaught_value(unsigned, unsigned, const void *, unsigned, unsigned, unsigned)
    __attribute__((__visibility__("hidden")));
#ifdef __cplusplus
}
#endif
#define WILDCAUGHT_REL(p, o, a, b) \
    wildcaught_truth(p, o, (unsigned)(a < b) | (unsigned)(a <= b) << 1 | (unsigned)(a > b) << 2 \
        | (unsigned)(a >= b) << 3 | (unsigned)(a == b) << 4 | (unsigned)(a != b) << 5)
#define WILDCAUGHT_EQ(p, o, a, b) wildcaught_truth(p, o, (unsigned)(a == b) | (unsigned)(a != b) << 1)
/* Whether a division traps: of whole numbers, by zero or the least by -1. */
#define WILDCAUGHT_TRAPS(T, x, y) \
    ((T)1 / 2 == 0 && (y == 0 || ((T)-1 < 0 && y == (T)-1 && x != 0 && x == (T)(0 - x))))
#define WILDCAUGHT_INT(p, o, a, b) \
    ({ typedef __typeof__(a + b) wildcaught_t; wildcaught_t wildcaught_x = a, wildcaught_y = b; \
       int wildcaught_traps = WILDCAUGHT_TRAPS(wildcaught_t, wildcaught_x, wildcaught_y); \
       wildcaught_t wildcaught_v[5]; \
       wildcaught_v[0] = wildcaught_x + wildcaught_y, wildcaught_v[1] = wildcaught_x - wildcaught_y; \
       wildcaught_v[2] = wildcaught_x * wildcaught_y; \
       wildcaught_v[3] = wildcaught_traps ? 0 : wildcaught_x / wildcaught_y; \
       wildcaught_v[4] = wildcaught_traps ? 0 : wildcaught_x % wildcaught_y; \
       wildcaught_v[wildcaught_value(p, o, wildcaught_v, sizeof *wildcaught_v, 5, wildcaught_traps ? 24 : 0)]; })
#define WILDCAUGHT_FLOAT(p, o, a, b) \
    ({ typedef __typeof__(a + b) wildcaught_t; wildcaught_t wildcaught_x = a, wildcaught_y = b; \
       int wildcaught_traps = WILDCAUGHT_TRAPS(wildcaught_t, wildcaught_x, wildcaught_y); \
       wildcaught_t wildcaught_v[4]; \
       wildcaught_v[0] = wildcaught_x + wildcaught_y, wildcaught_v[1] = wildcaught_x - wildcaught_y; \
       wildcaught_v[2] = wildcaught_x * wildcaught_y; \
       wildcaught_v[3] = wildcaught_traps ? 0 : wildcaught_x / wildcaught_y; \
       wildcaught_v[wildcaught_value(p, o, wildcaught_v, sizeof *wildcaught_v, 4, wildcaught_traps ? 8 : 0)]; })
#define WILDCAUGHT_STEP(p, o, a, b) \
    ({ __typeof__(a + b) wildcaught_v[2]; wildcaught_v[0] = a + b, wildcaught_v[1] = a - b; \
       wildcaught_v[wildcaught_value(p, o, wildcaught_v, sizeof *wildcaught_v, 2, 0)]; })
#endif
