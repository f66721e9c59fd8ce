/* A tiny compiler for integer programs, with an optimizer that has a fault.
 *
 *   program   = { statement }
 *   statement = "int" name "=" sum ";" | name "=" sum ";" | "print" "(" sum ")" ";" | "while" "(" sum ")" block
 *             | "if" "(" sum ")" block
 *   block     = "{" { statement } "}"
 *
 * cc [-O0] FILE compiles for a stack machine and runs the result. Without -O0, operations on constants are folded.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, DIV, LESS, PRINT, JUMP, JUMP_ZERO, HALT };

static struct { int op, value; } code[4096];
static int length;
static char text[65536], token[64];
static const char *at;
static char names[64][64];
static int name_count, optimize = 1;

static void fail(const char *why) {
  fprintf(stderr, "cc: %s at '%s'\n", why, token);
  exit(1);
}

static void next(void) {
  int count = 0;
  while (isspace((unsigned char)*at))
    at++;
  if (isalnum((unsigned char)*at)) {
    while (isalnum((unsigned char)*at) && count < 63)
      token[count++] = *at++;
  } else if (*at) {
    token[count++] = *at++;
  }
  token[count] = 0;
}

static int is(const char *word) { return strcmp(token, word) == 0; }

static void expect(const char *word) {
  if (!is(word))
    fail("unexpected token");
  next();
}

static int variable(void) {
  int i;
  for (i = 0; i < name_count; i++)
    if (is(names[i]))
      return i;
  fail("unknown name");
  return 0;
}

static int declare(void) {
  if (name_count == 64)
    fail("too many names");
  strcpy(names[name_count], token);
  return name_count++;
}

static void emit(int op, int value) {
  if (length == 4096)
    fail("program too long");
  code[length].op = op;
  code[length].value = value;
  length++;
}

static int fold_sum(int op, int left, int right) { return op == ADD ? left + right : left - right; }

/* The fault: a product with a negative constant loses the sign of the other one. */
static int fold_product(int op, int left, int right) {
  if (op == MUL) {
    if (right < 0)
      return abs(left) * right;
    return left * right;
  }
  return left / right;
}

static int is_constant(int back) { return length >= back && code[length - back].op == PUSH; }

static void operation(int op) {
  if (optimize && is_constant(1) && is_constant(2) && !(op == DIV && code[length - 1].value == 0)) {
    int right = code[length - 1].value, left = code[length - 2].value;
    length -= 2;
    if (op == ADD || op == SUB)
      emit(PUSH, fold_sum(op, left, right));
    else if (op == LESS)
      emit(PUSH, left < right);
    else
      emit(PUSH, fold_product(op, left, right));
    return;
  }
  emit(op, 0);
}

static void sum(void);

static void primary(void) {
  if (is("(")) {
    next();
    sum();
    expect(")");
  } else if (is("-")) {
    next();
    emit(PUSH, 0);
    primary();
    operation(SUB);
  } else if (isdigit((unsigned char)token[0])) {
    emit(PUSH, atoi(token));
    next();
  } else {
    emit(LOAD, variable());
    next();
  }
}

static void product(void) {
  primary();
  while (is("*") || is("/")) {
    int op = is("*") ? MUL : DIV;
    next();
    primary();
    operation(op);
  }
}

static void sum(void) {
  product();
  while (is("+") || is("-") || is("<")) {
    int op = is("+") ? ADD : is("-") ? SUB : LESS;
    next();
    product();
    operation(op);
  }
}

static void statement(void);

static void block(void) {
  expect("{");
  while (!is("}") && token[0])
    statement();
  expect("}");
}

static void loop(int again) {
  int start = length, out;
  next();
  expect("(");
  sum();
  expect(")");
  out = length;
  emit(JUMP_ZERO, 0);
  block();
  if (again)
    emit(JUMP, start);
  code[out].value = length;
}

static void assign(int target) {
  next();
  expect("=");
  sum();
  emit(STORE, target);
  expect(";");
}

static void statement(void) {
  if (is("while") || is("if")) {
    loop(is("while"));
  } else if (is("print")) {
    next();
    sum();
    emit(PRINT, 0);
    expect(";");
  } else if (is("int")) {
    next();
    assign(declare());
  } else {
    assign(variable());
  }
}

static int operate(int op, int left, int right) {
  switch (op) {
  case ADD:
    return left + right;
  case SUB:
    return left - right;
  case MUL:
    return left * right;
  case LESS:
    return left < right;
  default:
    return right ? left / right : 0;
  }
}

static void run(void) {
  int stack[256], values[64] = {0}, top = 0, pc = 0;
  while (code[pc].op != HALT) {
    int op = code[pc].op, value = code[pc].value;
    pc++;
    if (op == PUSH)
      stack[top++] = value;
    else if (op == LOAD)
      stack[top++] = values[value];
    else if (op == STORE)
      values[value] = stack[--top];
    else if (op == PRINT)
      printf("%d\n", stack[--top]);
    else if (op == JUMP)
      pc = value;
    else if (op == JUMP_ZERO)
      pc = stack[--top] ? pc : value;
    else {
      top--;
      stack[top - 1] = operate(op, stack[top - 1], stack[top]);
    }
  }
}

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  size_t count;
  if (!file)
    fail("cannot read the program");
  count = fread(text, 1, sizeof text - 1, file);
  text[count] = 0;
  fclose(file);
  at = text;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "-O0") == 0) {
    optimize = 0;
    argv++;
  }
  load(argv[1]);
  next();
  while (token[0])
    statement();
  emit(HALT, 0);
  run();
  return 0;
}
