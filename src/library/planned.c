#include "library/planned.h"

#include "base/mem.h"
#include "base/random.h"
#include "identify/isolable.h"

void darc_planned_add_noise(double *x, size_t n, const darc_signalnoise *noise,
                            uint64_t seed, uint64_t stream)
{
    size_t taps = (size_t)noise->taps;
    if (taps == 0)
        return;
    darc_random r;
    darc_random_init(&r, seed, UINT64_C(2000000) + stream);
    double *z = darc_calloc(n + taps, sizeof *z);
    for (size_t i = 0; i < n + taps; i++)
        z[i] = darc_random_normal(&r);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < taps; j++)
            x[i] += noise->kernel[j] * z[i + taps - j];
    darc_free(z);
}

static slong variable_of(const darc_identification_t id, int unknown)
{
    slong v = 0;
    while (v < id->vars && id->unknown[v] != unknown)
        v++;
    return v < id->vars ? v : -1;
}

/* Whether variable b alone explains a change of a. */
static bool explains(const darc_isolability_t t, slong a, slong b)
{
    bool found = false;
    for (slong i = 0; i < t->of[a].count; i++) {
        const bool *set = t->of[a].set[i];
        slong others = 0;
        for (slong v = 0; v < t->vars; v++)
            others += v != b && set[v];
        found = found || (set[b] && others == 0);
    }
    return found;
}

darc_status darc_planned_never(bool *never, const int *unknown, int n,
                               const darc_identification_t id,
                               const darc_budget *budget, darc_err *err)
{
    darc_isolability_t t;
    bool known = false;
    if (!id->complete)
        return DARC_OK;
    DARC_NEED(darc_isolability_init(t, &known, id, budget, err));
    for (int i = 0; i < n && known; i++)
        for (int j = 0; j < n; j++) {
            slong a = variable_of(id, unknown[i]);
            slong b = variable_of(id, unknown[j]);
            never[i * n + j] = a >= 0 && b >= 0 && explains(t, a, b);
        }
    if (known)
        darc_isolability_clear(t);
    return DARC_OK;
}
