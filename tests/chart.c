#include "chart.h"

#include "fit/estimates.h"

#include <check.h>
#include <stdlib.h>

void chart_refer(darc_gls *fit, int q, int reference)
{
    size_t e = (size_t)fit->equations;
    darc_estimates_equation *eq = calloc(e, sizeof *eq);
    double *bias = calloc((size_t)fit->coeffs, sizeof *bias);
    for (int i = 0; i < fit->equations; i++)
        eq[i] = (darc_estimates_equation){.first = fit->first[i],
                                          .coeffs =
                                              fit->first[i + 1] - fit->first[i],
                                          .reference = fit->reference[i],
                                          .size = 1};
    darc_estimates as = {.equations = fit->equations,
                         .coeffs = fit->coeffs,
                         .eq = eq,
                         .c = fit->c,
                         .cov = fit->cov,
                         .free = fit->free,
                         .bias = bias};
    ck_assert(darc_estimates_refer(&as, q, reference));
    fit->reference[q] = reference;
    free(eq);
    free(bias);
}
