#include "stack.h"

int stack_push(struct stack *stack, int item)
{
    if (stack->count >= 4)
        return 0;
    stack->items[stack->count++] = item;
    return 1;
}

int stack_pop(struct stack *stack, int *item)
{
    if (stack->count == 0) {
        return 0;
    }
    *item = stack->items[--stack->count];
    return 1;
}

int stack_sum(const struct stack *stack)
{
    int sum = 0;
    for (int at = 0; at < stack->count; at++)
        sum += stack->items[at];
    return sum;
}
