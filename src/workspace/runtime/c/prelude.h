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
#endif
