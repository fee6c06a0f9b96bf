#include "modular/chunkdet.h"

#include "base/mem.h"

/* Set order to the rows, those with most terms first. */
static void sort_rows(slong *order, const darc_chunks *entry, slong n)
{
    slong *terms = darc_calloc((size_t)n, sizeof *terms);
    for (slong i = 0; i < n; i++) {
        for (slong k = 0; k < n; k++)
            terms[i] += entry[i * n + k].terms;
        slong j = i;
        for (; j > 0 && terms[order[j - 1]] < terms[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    darc_free(terms);
}

/* Set minor[set] from the minors of one row less: expansion along row. */
static darc_status expand(darc_chunks *minor, slong set, const darc_chunks *row,
                          slong n, darc_ring_t ring, darc_err *err)
{
    darc_product *p = darc_calloc((size_t)n, sizeof *p);
    slong count = 0;
    int sign = -1;
    for (slong k = 0; k < n; k++) {
        if (!((set >> k) & 1))
            continue;
        const darc_chunks *rest = minor + (set & ~(WORD(1) << k));
        sign = -sign;
        if (row[k].terms == 0 || rest->terms == 0)
            continue;
        ring->work += (double)row[k].terms * (double)rest->terms;
        p[count++] = (darc_product){row + k, rest, sign};
    }
    darc_status status =
        darc_chunks_sum(minor + set, p, count, ring->mod, ring->budget, err);
    darc_free(p);
    return status;
}

static int bits(slong set)
{
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static darc_status check(const darc_ring_t ring, darc_err *err)
{
    if (ring->work > ring->work_limit)
        return darc_fail(err, DARC_LIMIT, "a dearer way");
    return darc_budget_check(ring->budget, err);
}

darc_status darc_chunks_det(darc_chunks *r, const darc_chunks *entry, slong n,
                            darc_ring_t ring, darc_err *err)
{
    slong sets = WORD(1) << n;
    darc_status status = DARC_OK;
    darc_chunks *minor = darc_calloc((size_t)sets, sizeof *minor);
    slong *order = darc_calloc((size_t)n, sizeof *order);
    sort_rows(order, entry, n);
    darc_chunks_push(minor, 0, 0, 1);
    for (int size = 1; size <= n; size++) {
        for (slong s = 0; s < sets; s++)
            if (bits(s) == size) {
                DARC_TRY(expand(minor, s, entry + order[size - 1] * n, n, ring,
                                err));
                DARC_TRY(check(ring, err));
            }
        for (slong s = 0; s < sets; s++)
            if (bits(s) == size - 1)
                darc_chunks_clear(minor + s);
    }
    darc_chunks_clear(r);
    *r = minor[sets - 1];
    darc_chunks_init(minor + sets - 1);
done:
    for (slong s = 0; s < sets; s++)
        darc_chunks_clear(minor + s);
    darc_free(minor);
    darc_free(order);
    return status;
}
