/* wildcaught: the fork server for programs linked with -Wl,--wrap=main, which
   leaves the source of main as it is. An archive member of its own, so that
   only links with that option take it. */
int wildcaught_serve(int, char **, char **, int (*)(int, char **, char **))
    __attribute__((__visibility__("hidden")));
int __real_main(int, char **, char **);
int __wrap_main(int, char **, char **) __attribute__((__weak__, __visibility__("hidden")));

int __wrap_main(int argc, char **argv, char **envp)
{
    return wildcaught_serve(argc, argv, envp, __real_main);
}
