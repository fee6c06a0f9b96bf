#include "modular/exponents.h"

#include "algebra/finite.h"
#include "base/mem.h"

#include <string.h>

bool darc_exponents_next(ulong *e, slong n, slong degree, const bool *used)
{
    slong total = 0;
    for (slong v = 0; v < n; v++)
        total += (slong)e[v];
    for (slong v = n - 1; v >= 0; v--) {
        if ((used == NULL || used[v]) && total < degree) {
            e[v]++;
            return true;
        }
        total -= (slong)e[v];
        e[v] = 0;
    }
    return false;
}

bool darc_exponents_append(darc_exponents *l, slong from, slong to,
                           const bool *used, slong most)
{
    size_t size = (size_t)l->vars * sizeof *l->exp;
    ulong *e = darc_calloc((size_t)l->vars + 1, sizeof *e);
    bool more = from == 0 || darc_exponents_next(e, l->vars, to, used);
    for (; more && l->count < most;
         more = darc_exponents_next(e, l->vars, to, used)) {
        l->exp = darc_grow(l->exp, (size_t)l->count, &l->alloc, size + 1);
        memcpy(l->exp + l->count++ * l->vars, e, size);
    }
    darc_free(e);
    return !more;
}

ulong darc_exponents_value(const darc_exponents *l, slong i, const ulong *x,
                           nmod_t mod)
{
    return darc_finite_monomial(l->exp + i * l->vars, x, l->vars, mod);
}
