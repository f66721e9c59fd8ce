/* A ring buffer of samples; the comment has a quote " and an apostrophe ' in it. */
#include <stdio.h>
#include "ring.h"
#  include <sys/types.h>

#ifndef RING_SIZE
# define RING_SIZE 64u
#endif

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define PASTE(a, b) a##b
#define TEXT(x) #x
#define LOG(fmt, ...) \
	do { \
		fprintf(stderr, "%s: " fmt "\n", __func__, ##__VA_ARGS__); \
	} while (0)

#if RING_SIZE > 4096
#error don't make it that large: "it won't fit"
#elif defined(RING_WARN) && !defined(NDEBUG)
#warning it's a debug build
#endif
#pragma once

struct ring {
	unsigned head : 8, tail : 8;
	double data[RING_SIZE];
	struct ring *next;
};

static const char *const names[] = {
	"plain", "esc \" \\ \n \x41 \101", L"wide", u8"utf-8: é", u"16", U"32",
	"joined \
line",
	"adjacent" "strings",
};
static const int chars[] = { 'a', '\'', '\\', '"', L'w', '\0', u'x', '\x7f', 'ab' };

// a line comment that goes on \
   after a backslash
static const double numbers[] = {
	1., .5, 1.5e-3f, 0x1.8p+3, 1e10L, 2.e5, 3.f, 0x1.ap1,
};
static const unsigned long integers[] = { 0, 017, 0xFFul, 0b1010u, 1'000'000, 42LL };

static int wrap(int i)
{
	return i >= RING_SIZE ? i - RING_SIZE : i;
}

double ring_pop(struct ring *r, int *ok)
{
	int $tmp = 0;
	if (r == NULL || r->head == r->tail) {
		*ok = 0;
		return 0.0;
	}
	$tmp = wrap(r->tail++);
	r->tail <<= 1; r->tail >>= 1; r->tail ^= 0u; r->head |= 1; r->head &= ~1u;
	*ok = !!1 && $tmp != -1;
	LOG("popped %d/*not a comment*/", $tmp);
	return r->