/* Ordinary code for the benches `idle` and `fork`: expressions, a hash table, matrices, a sort, a checksum.
   The argument says how many rounds of all of it there are; what is printed depends on nothing else. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 1500
#define SLOTS 256
#define SIDE 24
#define ITEMS 500

struct entry { char name[8]; long value; struct entry *next; };

static char text[TEXT + 64];
static struct entry entries[SLOTS], *slots[SLOTS];
static int used;
static const char *at;
static unsigned seed = 1;

static unsigned next_random(unsigned limit) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % limit;
}

/* What a name stands for: 1, until it is set. */
static long *lookup(const char *name) {
    unsigned hash = 5381;
    struct entry *entry;
    for (const char *c = name; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    hash %= SLOTS;
    for (entry = slots[hash]; entry; entry = entry->next)
        if (strcmp(entry->name, name) == 0)
            return &entry->value;
    if (used == SLOTS)
        return NULL;
    entry = &entries[used++];
    strcpy(entry->name, name);
    entry->value = 1;
    entry->next = slots[hash];
    slots[hash] = entry;
    return &entry->value;
}

/* Assignments such as `ab = (17 - cd) * 4;`. */
static void generate(void) {
    const char *forms[] = { "(%u - a%c)", "%u", "%u * b%c" };
    size_t length = 0;
    while (length < TEXT) {
        length += sprintf(text + length, "%c%c = ", 'a' + next_random(4), 'a' + next_random(26));
        for (int terms = 1 + next_random(4); terms > 0; terms--) {
            length += sprintf(text + length, forms[next_random(3)], next_random(999), 'a' + next_random(26));
            text[length++] = terms > 1 ? "+-*/"[next_random(4)] : ';';
        }
    }
    text[length] = '\0';
}

static char peek(void) {
    while (isspace((unsigned char)*at))
        at++;
    return *at;
}

static long sum(void);

static long factor(void) {
    long value = 0;
    if (peek() == '(') {
        at++;
        value = sum();
        if (peek() == ')')
            at++;
    } else if (isdigit((unsigned char)*at)) {
        while (isdigit((unsigned char)*at))
            value = value * 10 + (*at++ - '0');
    } else {
        char name[8];
        size_t length = 0;
        while (isalpha((unsigned char)*at) && length < sizeof name - 1)
            name[length++] = *at++;
        name[length] = '\0';
        long *known = lookup(name);
        value = known ? *known : 0;
    }
    return value;
}

static long product(void) {
    long value = factor();
    while (peek() == '*' || peek() == '/') {
        char sign = *at++;
        long other = factor();
        if (sign == '*')
            value = value * other % 1000003;
        else if (other != 0)
            value /= other;
    }
    return value;
}

static long sum(void) {
    long value = product();
    while (peek() == '+' || peek() == '-')
        value = *at++ == '+' ? value + product() : value - product();
    return value;
}

static long evaluate(void) {
    long total = 0;
    for (at = text; peek() != '\0'; at++) {
        char name[3] = { at[0], at[1], '\0' };
        long *variable = lookup(name);
        at += 2;
        if (peek() == '=')
            at++;
        long value = sum() % 1000003;
        if (variable)
            *variable = value;
        total += value;
    }
    return total;
}

static double multiply(int round) {
    static double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
    double trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = (i * 3 + j + round) % 7;
            b[i][j] = (i + j * 5) % 11;
        }
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            c[i][j] = 0;
            for (int k = 0; k < SIDE; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
        trace += c[i][i];
    }
    return trace;
}

static void sort(int *items, int first, int last) {
    int pivot = items[first + (last - first) / 2], low = first, high = last;
    while (low <= high) {
        while (items[low] < pivot)
            low++;
        while (items[high] > pivot)
            high--;
        if (low <= high) {
            int other = items[low];
            items[low++] = items[high];
            items[high--] = other;
        }
    }
    if (first < high)
        sort(items, first, high);
    if (low < last)
        sort(items, low, last);
}

static int median(void) {
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (int)next_random(10000);
    sort(items, 0, ITEMS - 1);
    return items[ITEMS / 2];
}

static unsigned checksum(const char *bytes, size_t count) {
    unsigned crc = ~0u;
    while (count--) {
        crc ^= (unsigned char)*bytes++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    long values = 0, medians = 0;
    double traces = 0;
    unsigned sums = 0;
    generate();
    for (int round = 0; round < rounds; round++) {
        values += evaluate();
        traces += multiply(round);
        medians += median();
        sums = sums * 31 + checksum(text, strlen(text));
    }
    printf("%ld %.0f %ld %08x %d\n", values, traces, medians, sums, used);
    return 0;
}
