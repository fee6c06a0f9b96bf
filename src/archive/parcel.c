#include "archive/parcel.h"

#include "base/mem.h"
#include "darc.h"

#include <string.h>

/* Bytes on their way in or out. */
typedef struct {
    darc_text_struct *out; /* NULL: they come in */
    const char *in;
    size_t left;
    bool whole;
} parcel;

static const char mark[] = "darc " DARC_VERSION;

static void pass(parcel *p, void *x, size_t n)
{
    if (p->out != NULL) {
        darc_text_write(p->out, x, n);
        return;
    }
    p->whole = p->whole && n <= p->left;
    if (!p->whole)
        return;
    memcpy(x, p->in, n);
    p->in += n;
    p->left -= n;
}

/* An array of n values, which is made where it comes in. */
static void pass_array(parcel *p, void **x, size_t n, size_t size)
{
    if (p->out == NULL) {
        p->whole = p->whole && n <= p->left / size;
        *x = p->whole ? darc_calloc(n, size) : NULL;
    }
    if (p->whole)
        pass(p, *x, n * size);
}

static void pass_equation(parcel *p, darc_estimates_equation *eq)
{
    if (p->out == NULL)
        eq->gram = eq->share = NULL;
    size_t n = eq->coeffs > 0 ? (size_t)eq->coeffs : 0;
    pass_array(p, (void **)&eq->gram, n * n, sizeof *eq->gram);
    pass_array(p, (void **)&eq->share, n, sizeof *eq->share);
}

static void pass_all(parcel *p, darc_estimates *e)
{
    char own[sizeof mark];
    memcpy(own, mark, sizeof mark);
    pass(p, own, sizeof own);
    p->whole = p->whole && memcmp(own, mark, sizeof mark) == 0;
    pass(p, e, sizeof *e);
    if (p->out == NULL) {
        e->eq = NULL;
        e->c = e->cov = e->bare = e->bare_cov = e->bias = NULL;
        e->free = NULL;
    }
    size_t n = e->coeffs > 0 ? (size_t)e->coeffs : 0;
    size_t equations = e->equations > 0 ? (size_t)e->equations : 0;
    pass_array(p, (void **)&e->c, n, sizeof *e->c);
    pass_array(p, (void **)&e->cov, n * n, sizeof *e->cov);
    pass_array(p, (void **)&e->free, n, sizeof *e->free);
    pass_array(p, (void **)&e->bias, n, sizeof *e->bias);
    pass_array(p, (void **)&e->eq, equations, sizeof *e->eq);
    for (size_t q = 0; q < equations && p->whole; q++)
        pass_equation(p, e->eq + q);
    e->equations = p->whole ? e->equations : 0;
}

void darc_parcel_pack(darc_text_t out, const darc_estimates *e)
{
    darc_estimates copy = *e;
    copy.bare = copy.bare_cov = NULL;
    pass_all(&(parcel){.out = out, .whole = true}, &copy);
}

bool darc_parcel_unpack(darc_estimates *e, const char *bytes, size_t n)
{
    parcel p = {.in = bytes, .left = n, .whole = true};
    *e = (darc_estimates){.equations = 0};
    pass_all(&p, e);
    return p.whole && p.left == 0;
}
