#ifndef STACK_H
#define STACK_H

struct stack {
    int items[4];
    int count;
};

int stack_push(struct stack *stack, int item);
int stack_pop(struct stack *stack, int *item);
int stack_sum(const struct stack *stack);

#endif
