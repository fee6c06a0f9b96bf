#include "coefficient/circuits.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"

#include <string.h>

static void list_terms(darc_circuits *s)
{
    const darc_vectors_struct *v = s->v;
    s->column =
        darc_calloc((size_t)v->first[v->vectors] + 1, sizeof *s->column);
    for (int i = 0; i < v->vectors; i++) {
        if (v->recording[i] != 0)
            continue;
        int other = -1;
        for (int k = 0; k < v->vectors; k++)
            if (v->recording[k] == 1 && v->equation[k] == v->equation[i])
                other = k;
        for (slong j = 0; j < v->first[i + 1] - v->first[i]; j++) {
            s->column[s->terms][0] = v->first[i] + j;
            s->column[s->terms++][1] = other < 0 ? -1 : v->first[other] + j;
        }
    }
}

void darc_circuits_init(darc_circuits *s, const darc_vectors_t v,
                        const nmod_mat_t jacobian)
{
    *s = (darc_circuits){.v = v, .jacobian = jacobian};
    list_terms(s);
}

void darc_circuits_clear(darc_circuits *s)
{
    darc_free(s->column);
}

/* Return the dependences between the columns of the set in hand without its
 * entry `without` (-1: of all). */
static slong dependences(const darc_circuits *s, slong without)
{
    nmod_mat_t m;
    slong n = 0, rows = nmod_mat_nrows(s->jacobian);
    slong column[2 * DARC_MAX_CIRCUIT];
    for (slong i = 0; i < s->size; i++)
        for (int r = 0; r < 2; r++)
            if (i != without && s->column[s->term[i]][r] >= 0)
                column[n++] = s->column[s->term[i]][r];
    nmod_mat_init(m, rows, n, s->jacobian->mod.n);
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < n; j++)
            nmod_mat_entry(m, i, j) = nmod_mat_entry(s->jacobian, i, column[j]);
    slong rank = nmod_mat_rank(m);
    nmod_mat_clear(m);
    return n - rank;
}

static bool is_circuit(darc_circuits *s)
{
    s->excess = dependences(s, -1);
    for (slong i = 0; i < s->size; i++)
        if (dependences(s, i) >= s->excess)
            return false;
    return true;
}

/* Start with the sets of one term more; return whether there are any, and not
 * too many. */
static bool grow(darc_circuits *s)
{
    double sets = 1;
    s->size++;
    if (s->size > DARC_MAX_CIRCUIT || s->size > s->terms)
        return false;
    for (slong i = 0; i < s->size; i++) {
        s->term[i] = i;
        sets *= (double)(s->terms - i) / (double)(i + 1);
    }
    return sets <= DARC_MAX_CIRCUIT_SETS;
}

static bool advance(darc_circuits *s)
{
    slong i = s->size - 1;
    while (i >= 0 && s->term[i] == s->terms - s->size + i)
        i--;
    if (i < 0)
        return grow(s);
    s->term[i]++;
    for (slong k = i + 1; k < s->size; k++)
        s->term[k] = s->term[k - 1] + 1;
    return true;
}

bool darc_circuits_next(darc_circuits *s)
{
    while (s->size <= DARC_MAX_CIRCUIT && advance(s))
        if (is_circuit(s))
            return true;
    s->size = DARC_MAX_CIRCUIT + 1;
    return false;
}

void darc_circuits_mark(bool *marked, const darc_circuits *s)
{
    memset(marked, 0, (size_t)s->v->first[s->v->vectors] * sizeof *marked);
    for (slong i = 0; i < s->size; i++)
        for (int r = 0; r < 2; r++)
            if (s->column[s->term[i]][r] >= 0)
                marked[s->column[s->term[i]][r]] = true;
}
