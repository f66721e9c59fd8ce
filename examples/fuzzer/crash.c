/* A program with two bugs, and in crashes/ four inputs that a fuzzer might have left. docs/fuzzing.md uses it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char text[64] = "";
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    int *nothing = NULL;

    if (!file || !fgets(text, sizeof text, file))
        return 0;
    if (text[0] == 'a') {
        if (text[1] == '!')
            abort();
        puts("a");
    } else {
        if (text[1] == '?')
            *nothing = 1;
        puts("b");
    }
    return 0;
}
