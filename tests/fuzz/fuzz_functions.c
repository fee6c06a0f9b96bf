/* Any bytes as derived signals of a model: what parses is computed from a
 * recording, with its errors, in one block and in many, to the same bits. */
#include "data/table.h"
#include "derive/derive.h"
#include "model/model.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SAMPLES = 120 };

static darc_table *record(void)
{
    static const char *const name[] = {"y", "u"};
    double y[SAMPLES], u[SAMPLES];
    const double *const value[] = {y, u};
    darc_table *t = NULL;
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = sin(0.2 * i) + 0.01 * sin(37.0 * i * i);
        u[i] = 0.1 * i - 5;
    }
    y[70] = NAN;
    darc_samples from = {.name = "fuzz",
                         .samples = SAMPLES,
                         .rate = 100,
                         .signals = 2,
                         .signal = name,
                         .value = value};
    if (darc_table_from_samples(&t, &from, NULL) != DARC_OK)
        abort();
    return t;
}

/* Return the table with all derived signals, NULL where they have no values. */
static darc_table *derive(const darc_model *m, size_t block)
{
    darc_table *t = record();
    int n = darc_model_names(m)->count;
    bool *needed = calloc((size_t)n, sizeof *needed);
    double *error = calloc((size_t)n, sizeof *error);
    for (int u = 0; u < n; u++)
        needed[u] = darc_derived_expr(m, u) != NULL;
    darc_derive_mark(needed, m);
    const darc_derive_work how = {.block = block, .threads = 1};
    darc_status status = darc_derive_by(t, error, m, needed, &how, NULL);
    free(needed);
    free(error);
    if (status != DARC_OK) {
        darc_table_free(t);
        t = NULL;
    }
    return t;
}

static void compare(const darc_table *a, const darc_table *b)
{
    if ((a == NULL) != (b == NULL))
        abort();
    for (int s = 0; a != NULL && s < a->signals; s++)
        for (int k = 0; k < a->segments; k++) {
            darc_segment at = a->segment[k];
            if (memcmp(a->signal[s].value + at.begin,
                       b->signal[s].value + at.begin,
                       (at.end - at.begin) * sizeof(double)) != 0)
                abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    darc_text_t text;
    darc_model *m;
    darc_text_init(text);
    darc_text_puts(text, "model m\nparameters\n k\noutputs\n y\ninputs\n u\n"
                         "derived\n");
    darc_text_write(text, size > 0 ? (const char *)data : "", size);
    darc_text_puts(text, "\nequations\n y = k*v + u\n");
    if (darc_model_parse(&m, text->s, text->len, "fuzz", NULL) == DARC_OK) {
        darc_table *whole = derive(m, 0), *pieces = derive(m, 7);
        compare(whole, pieces);
        if (whole != NULL) {
            darc_table_free(whole);
            darc_table_free(pieces);
        }
        darc_model_free(m);
    }
    darc_text_clear(text);
    return 0;
}
