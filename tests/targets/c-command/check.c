#undef NDEBUG
#include <assert.h>

#include "src/stack.h"

int main(void)
{
    struct stack stack = {{0}, 0};
    int item = 0;

    assert(!stack_pop(&stack, &item));
    assert(stack_push(&stack, 2) && stack_push(&stack, 3));
    assert(stack_sum(&stack) == 5);
    assert(stack_pop(&stack, &item) && item == 3);
    return 0;
}
