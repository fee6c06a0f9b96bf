#include "derivation.h"

#include "base/mem.h"

#include <check.h>
#include <math.h>
#include <string.h>

darc_table *derivation_table(size_t samples, double dt)
{
    static const char *const name[] = {"y", "u"};
    darc_table *t = darc_calloc(1, sizeof *t);
    t->file = darc_strdup("made.csv");
    t->samples = t->rows = samples;
    t->dt = dt;
    t->signals = 2;
    t->signal = darc_calloc(2, sizeof *t->signal);
    for (int i = 0; i < 2; i++)
        t->signal[i] =
            (darc_signal){darc_strdup(name[i]), darc_strdup(""),
                          darc_calloc(samples, sizeof *t->signal[i].value)};
    t->segment = darc_calloc(8, sizeof *t->segment);
    t->segments = 1;
    t->segment[0] = (darc_segment){0, samples};
    return t;
}

void derivation_gap(darc_table *t, size_t i)
{
    int last = t->segments - 1;
    ck_assert_int_lt(last, 7);
    ck_assert_uint_gt(i, t->segment[last].begin);
    t->signal[0].value[i] = t->signal[1].value[i] = NAN;
    t->segment[last + 1] = (darc_segment){i + 1, t->segment[last].end};
    t->segment[last].end = i;
    t->segments++;
}

static darc_status run(derivation *d, darc_table *table, const char *derived,
                       const darc_derive_work *how, darc_err *err)
{
    const darc_derive_work usual = {.threads = 1};
    darc_text_t text;
    darc_text_init(text);
    darc_text_printf(text,
                     "model m\nparameters\n k\noutputs\n y\ninputs\n u\n"
                     "derived\n%s\nequations\n y = k*v + u\n",
                     derived);
    bool needed[16] = {false};
    darc_err_init(err);
    darc_status status =
        darc_model_parse(&d->model, text->s, text->len, "test", err);
    ck_assert_msg(status == DARC_OK, "%s", err->message);
    darc_text_clear(text);
    ck_assert_int_lt(darc_model_names(d->model)->count, 16);
    int v = darc_names_find(darc_model_names(d->model), "v", 1);
    needed[v] = true;
    darc_derive_mark(needed, d->model);
    d->table = table;
    status = darc_derive_by(table, NULL, d->model, needed,
                            how == NULL ? &usual : how, err);
    d->of = darc_table_derivation(table, v);
    return status;
}

void derivation_make(derivation *d, darc_table *table, const char *derived,
                     const darc_derive_work *how)
{
    darc_err err;
    darc_status status = run(d, table, derived, how, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_ptr_nonnull(d->of);
    d->value = table->signal[darc_table_find(table, "v")].value;
}

void derivation_clear(derivation *d)
{
    darc_table_free(d->table);
    darc_model_free(d->model);
}

void derivation_refuse(darc_table *table, const char *derived,
                       const char *message)
{
    derivation d;
    darc_err err;
    ck_assert_int_eq(run(&d, table, derived, NULL, &err), DARC_DATA);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    derivation_clear(&d);
}

const darc_influence *derivation_influence(const derivation *d,
                                           const char *signal, long shift)
{
    int u = darc_names_find(darc_model_names(d->model), signal, strlen(signal));
    for (int k = 0; k < d->of->influences; k++)
        if (d->of->influence[k].unknown == u &&
            d->of->influence[k].shift == shift)
            return d->of->influence + k;
    ck_abort_msg("nothing of %s, %ld samples before", signal, shift);
    return NULL;
}

double derivation_slope(const darc_influence *by, size_t i)
{
    return by->slope == NULL ? by->constant : by->slope[i];
}
