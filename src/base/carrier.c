#include "base/carrier.h"

#include <stddef.h>
#include <string.h>

enum { ALIGNED = sizeof(max_align_t) };

/* Bytes that n take. */
static size_t padded(size_t n)
{
    return (n + ALIGNED - 1) / ALIGNED * ALIGNED;
}

void darc_carry(darc_carrier *c, void *p, size_t n)
{
    static const char zero[ALIGNED];
    void *there;
    if (c->to != NULL) {
        memcpy(&there, p, sizeof there);
        if (n > 0)
            darc_answer_put(c->to, there, n);
        darc_answer_put(c->to, zero, padded(n) - n);
    } else {
        memcpy(p, &c->at, sizeof c->at);
        c->at += padded(n);
    }
}

void darc_carry_text(darc_carrier *c, const char *const *s)
{
    /* length with the '\0', 0: NULL */
    size_t size = c->to != NULL && *s != NULL ? strlen(*s) + 1 : 0, *n = &size;
    darc_carry(c, &n, sizeof *n);
    darc_carry(c, (void *)s, *n);
    if (c->to == NULL && *n == 0)
        *(const char **)s = NULL;
}

void darc_carry_texts(darc_carrier *c, const char *const **list, int n)
{
    darc_carry(c, (void *)list, (size_t)n * sizeof **list);
    for (int i = 0; i < n; i++)
        darc_carry_text(c, *list + i);
}
