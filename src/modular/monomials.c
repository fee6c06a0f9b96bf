#include "modular/monomials.h"

bool darc_monomial_next(ulong *e, slong n, slong degree, const bool *used)
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
