#include "project/peel.h"

#include "algebra/finite.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

/* A monomial, by its hash: how many polynomials left hold it, and the sum of
 * their indices, which is the index of the last of them. */
typedef struct {
    ulong hash;
    slong count, owners;
} monomial;

static int cmp_hash(const void *a, const void *b)
{
    const monomial *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static monomial *find(const monomial *list, slong n, ulong hash)
{
    monomial key = {hash, 0, 0};
    return bsearch(&key, list, (size_t)n, sizeof *list, cmp_hash);
}

/* Merge equal hashes of the sorted list; return the new length. */
static slong merge(monomial *list, slong n)
{
    slong m = 0;
    for (slong i = 0; i < n; i++)
        if (m > 0 && list[m - 1].hash == list[i].hash) {
            list[m - 1].count += list[i].count;
            list[m - 1].owners += list[i].owners;
        } else {
            list[m++] = list[i];
        }
    return m;
}

void darc_peel(bool *alone, const fmpz_mpoly_struct *p, slong n,
               const fmpz_mpoly_ctx_t ctx)
{
    slong terms = 0, at = 0, vars = fmpz_mpoly_ctx_nvars(ctx), top = 0;
    for (slong k = 0; k < n; k++)
        terms += p[k].length;
    monomial *list = darc_calloc((size_t)terms + 1, sizeof *list);
    ulong *hash = darc_calloc((size_t)terms + 1, sizeof *hash);
    slong *first = darc_calloc((size_t)n + 1, sizeof *first);
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    for (slong k = 0; k < n; k++) {
        alone[k] = false;
        for (slong t = 0; t < p[k].length; t++) {
            fmpz_mpoly_get_term_exp_ui(e, p + k, t, ctx);
            hash[at] = darc_finite_hash(e, vars);
            list[at] = (monomial){hash[at], 1, k};
            at++;
        }
        first[k + 1] = at;
    }
    qsort(list, (size_t)terms, sizeof *list, cmp_hash);
    slong m = merge(list, terms);
    slong *stack = darc_calloc((size_t)m + 1, sizeof *stack);
    for (slong i = 0; i < m; i++)
        if (list[i].count == 1)
            stack[top++] = i;
    while (top > 0) {
        const monomial *x = list + stack[--top];
        slong k = x->owners;
        if (x->count != 1 || alone[k])
            continue;
        alone[k] = true;
        for (slong t = first[k]; t < first[k + 1]; t++) {
            monomial *y = find(list, m, hash[t]);
            y->count--;
            y->owners -= k;
            if (y->count == 1)
                stack[top++] = y - list;
        }
    }
    darc_free(stack);
    darc_free(e);
    darc_free(first);
    darc_free(hash);
    darc_free(list);
}
