#include "simulate/wave.h"

#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"
#include "data/table.h"
#include "simulate/curve.h"
#include "simulate/thresholds.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { STEP, SINES, CHIRP, RECORDING, HELD, DOSES } wave_kind;

struct darc_wave {
    wave_kind kind;
    double amplitude, time; /* STEP, CHIRP; time in s */
    double f0, rate;        /* CHIRP, multisine: Hz and Hz/s; the highest
                               frequency at time t is f0 + rate t; 0: none */
    darc_sines sines;
    darc_spline spline;     /* RECORDING; of HELD the samples; of DOSES the
                               amounts */
    struct darc_wave *next; /* the sum of this and that; NULL: this alone */
};

enum { MOST_NUMBERS = 4 };

/* What the text after "kind:" was. */
typedef struct {
    int count;
    double x[MOST_NUMBERS];
    darc_random *random; /* for what is not said */
} numbers;

/* list -> number { ',' number } */
static bool read_numbers(numbers *list, const char *s)
{
    list->count = 0;
    for (;;) {
        char *end;
        double x = strtod(s, &end);
        if (end == s || !isfinite(x) || list->count == MOST_NUMBERS)
            return false;
        list->x[list->count++] = x;
        if (*end == '\0')
            return true;
        if (*end != ',')
            return false;
        s = end + 1;
    }
}

static bool make_constant(darc_wave *w, const numbers *p)
{
    darc_sines_init(&w->sines, 0);
    w->sines.offset = p->x[0];
    return true;
}

static bool make_step(darc_wave *w, const numbers *p)
{
    w->kind = STEP;
    w->amplitude = p->x[0];
    w->time = p->x[1];
    return true;
}

static bool make_sine(darc_wave *w, const numbers *p)
{
    darc_sines_init(&w->sines, 1);
    w->sines.amplitude[0] = p->x[0];
    w->sines.omega[0] = DARC_TWO_PI * p->x[1];
    w->sines.phase[0] = p->count > 2 ? p->x[2] : 0;
    w->f0 = p->x[1];
    return p->x[1] > 0;
}

static bool make_chirp(darc_wave *w, const numbers *p)
{
    w->kind = CHIRP;
    w->amplitude = p->x[0];
    w->f0 = p->x[1];
    w->rate = (p->x[2] - p->x[1]) / p->x[3];
    return p->x[1] >= 0 && p->x[2] >= 0 && p->x[3] > 0;
}

static bool make_multisine(darc_wave *w, const numbers *p)
{
    double n = p->count > 3 ? p->x[3] : DARC_MULTISINE;
    if (p->x[1] < 0 || p->x[2] <= p->x[1] || n < 1 || n > DARC_MULTISINE_MOST ||
        n != floor(n))
        return false;
    darc_sines_init(&w->sines, (int)n);
    double step = n > 1 ? (p->x[2] - p->x[1]) / (n - 1) : 0;
    for (int i = 0; i < w->sines.count; i++) {
        w->sines.amplitude[i] = p->x[0] * sqrt(2.0 / n);
        w->sines.omega[i] = DARC_TWO_PI * (p->x[1] + i * step);
        w->sines.phase[i] = DARC_TWO_PI * darc_random_uniform(p->random);
    }
    w->f0 = p->x[2];
    return true;
}

/* A last amount is 0: there are two. */
static bool make_doses(darc_wave *w, const numbers *p)
{
    double every = p->count > 2 ? p->x[2] : 1, n = p->count > 3 ? p->x[3] : 1;
    if (every <= 0 || n < 1 || n > DARC_DOSES_MOST || n != floor(n) ||
        p->count == 3)
        return false;
    size_t count = (size_t)n + 1;
    double *t = darc_calloc(2 * count, sizeof *t), *y = t + count;
    for (size_t i = 0; i < count; i++) {
        t[i] = p->x[1] + every * (double)i;
        y[i] = i + 1 < count ? p->x[0] : 0;
    }
    w->kind = DOSES;
    darc_spline_init(&w->spline, t, y, count);
    darc_free(t);
    return true;
}

/* One row a kind of signal made from numbers. */
static const struct {
    const char *prefix;
    int least, most; /* numbers */
    bool (*make)(darc_wave *w, const numbers *p);
    const char *shape;
} kinds[] = {
    {"constant:", 1, 1, make_constant, "constant:V"},
    {"step:", 2, 2, make_step, "step:AMPLITUDE,TIME"},
    {"sine:", 2, 3, make_sine, "sine:AMPLITUDE,HZ[,PHASE]"},
    {"chirp:", 4, 4, make_chirp, "chirp:AMPLITUDE,HZ0,HZ1,TIME"},
    {"multisine:", 3, 4, make_multisine, "multisine:RMS,HZ0,HZ1[,N]"},
    {"dose:", 2, 4, make_doses, "dose:AMOUNT,TIME[,EVERY,N]"},
};

static darc_status make_road(darc_wave *w, const char *s, const char *name,
                             darc_random *r, darc_err *err)
{
    numbers p = {0};
    if (s[0] < 'A' || s[0] > 'H' || s[1] != ',' || !read_numbers(&p, s + 2) ||
        p.count != 1 || p.x[0] <= 0)
        return darc_fail(err, DARC_USAGE,
                         "input '%s': expected road:CLASS,SPEED with a class "
                         "A .. H and a speed in m/s, not 'road:%s'",
                         name, s);
    darc_sines_road(&w->sines, s[0], p.x[0], r);
    return DARC_OK;
}

static darc_status make_recording(darc_wave *w, const char *file,
                                  const darc_wave_source *from, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_table *table = NULL;
    double *t = NULL;
    darc_load_options o;
    darc_load_options_init(&o);
    const char *name = from->name;
    o.wanted = 1;
    o.want = &name;
    o.maps = from->column != NULL;
    o.map_name = &name;
    o.map_column = &from->column;
    o.units = from->unit != NULL;
    o.unit_name = &name;
    o.unit = &from->unit;
    w->kind = RECORDING;
    DARC_TRY(darc_table_load(&table, file, &o, err));
    if (table->samples < 2)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "input '%s': %s has fewer than two samples", name,
                           table->file));
    const darc_segment *all = table->segment;
    if (table->segments != 1 || all->begin != 0 || all->end != table->samples) {
        size_t end = table->segments > 0 ? all->end : 0;
        DARC_TRY(
            darc_fail(err, DARC_DATA, "input '%s': %s has a gap near t = %g s",
                      name, table->file,
                      darc_table_time(table, end < table->samples ? end : 0)));
    }
    t = darc_calloc(table->samples, sizeof *t);
    for (size_t i = 0; i < table->samples; i++)
        t[i] = darc_table_time(table, i);
    int column = darc_table_find(table, name);
    assert(column >= 0);
    darc_spline_init(&w->spline, t, table->signal[column].value,
                     table->samples);
done:
    darc_free(t);
    darc_table_free(table);
    return status;
}

/* Return how many characters of spec the first part of a sum has: up to a
 * '+' that begins another part. */
static size_t first_part(const char *spec)
{
    for (const char *s = spec; (s = strchr(s, '+')) != NULL; s++) {
        if (strncmp(s + 1, "road:", 5) == 0)
            return (size_t)(s - spec);
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (strncmp(s + 1, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
                return (size_t)(s - spec);
    }
    return strlen(spec);
}

/* A word before a colon that is no signal is none of a file either. */
static darc_status check_word(const char *spec, const char *name, darc_err *err)
{
    size_t n = 0;
    while (isalpha((unsigned char)spec[n]))
        n++;
    if (n == 0 || spec[n] != ':')
        return DARC_OK;
    darc_text_t list = DARC_TEXT;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        darc_text_printf(list, "%s, ", kinds[i].shape);
    darc_status status = darc_fail(
        err, DARC_USAGE,
        "input '%s': '%.*s' is no signal; there are %sroad:CLASS,SPEED and "
        "files",
        name, (int)n, spec, list->s);
    darc_text_clear(list);
    return status;
}

static darc_status make_wave(darc_wave *w, const char *spec,
                             const darc_wave_source *from, darc_random *r,
                             darc_err *err)
{
    w->kind = SINES;
    if (strncmp(spec, "road:", 5) == 0)
        return make_road(w, spec + 5, from->name, r, err);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i].prefix);
        if (strncmp(spec, kinds[i].prefix, n) != 0)
            continue;
        numbers p = {.random = r};
        if (!read_numbers(&p, spec + n) || p.count < kinds[i].least ||
            p.count > kinds[i].most || !kinds[i].make(w, &p))
            return darc_fail(err, DARC_USAGE,
                             "input '%s': expected %s, not '%s'", from->name,
                             kinds[i].shape, spec);
        return DARC_OK;
    }
    DARC_NEED(check_word(spec, from->name, err));
    return make_recording(w, spec, from, err);
}

/* sum -> part { '+' part } */
static darc_status make_sum(darc_wave *w, const char *spec,
                            const darc_wave_source *from, darc_random *r,
                            darc_err *err)
{
    size_t n = first_part(spec);
    char *part = darc_strndup(spec, n);
    darc_status status = make_wave(w, part, from, r, err);
    darc_free(part);
    if (status != DARC_OK || spec[n] == '\0')
        return status;
    w->next = darc_calloc(1, sizeof *w->next);
    return make_sum(w->next, spec + n + 1, from, r, err);
}

darc_status darc_wave_new(darc_wave **wave, const char *spec,
                          const darc_wave_source *from, darc_err *err)
{
    darc_wave *w = darc_calloc(1, sizeof *w);
    darc_random r;
    darc_random_init(&r, from->seed, from->stream);
    darc_status status = make_sum(w, spec, from, &r, err);
    if (status != DARC_OK) {
        darc_wave_free(w);
        w = NULL;
    }
    *wave = w;
    return status;
}

darc_wave *darc_wave_of(const double *t, const double *y, size_t n,
                        darc_between between)
{
    darc_wave *w = darc_calloc(1, sizeof *w);
    w->kind = between == DARC_HELD ? HELD : RECORDING;
    darc_spline_init(&w->spline, t, y, n);
    if (between == DARC_STRAIGHT)
        memset(w->spline.m, 0, n * sizeof *w->spline.m);
    return w;
}

darc_wave *darc_wave_doses(const double *t, const double *y, size_t n)
{
    darc_wave *w = darc_calloc(1, sizeof *w);
    w->kind = DOSES;
    darc_spline_init(&w->spline, t, y, n);
    return w;
}

darc_status darc_wave_take_doses(darc_wave *w, const char *name, double rate,
                                 darc_err *err)
{
    for (; w != NULL; w = w->next) {
        if (w->kind != DOSES && w->kind != RECORDING)
            return darc_fail(err, DARC_USAGE,
                             "input '%s' is given in doses: "
                             "dose:AMOUNT,TIME[,EVERY,N], or a file of amounts",
                             name);
        w->kind = DOSES;
        for (size_t i = 0; i < w->spline.n; i++) {
            double at = nearbyint(w->spline.t[i] * rate);
            if (w->spline.y[i] != 0 &&
                fabs(w->spline.t[i] * rate - at) > DARC_DOSES_SLACK)
                return darc_fail(err, DARC_USAGE,
                                 "input '%s': the dose at %g s lies between "
                                 "samples, which come every %g s (--rate)",
                                 name, w->spline.t[i], 1 / rate);
            w->spline.t[i] = at / rate;
        }
    }
    return DARC_OK;
}

double darc_wave_dose(const darc_wave *w, double t)
{
    double sum = 0;
    for (; w != NULL; w = w->next)
        if (w->kind == DOSES) {
            size_t i = darc_spline_before(&w->spline, t);
            sum += w->spline.t[i] == t ? w->spline.y[i] : 0;
        }
    return sum;
}

double darc_wave_next_dose(const darc_wave *w, double t)
{
    double first = HUGE_VAL;
    for (; w != NULL; w = w->next) {
        if (w->kind != DOSES)
            continue;
        size_t i = darc_spline_before(&w->spline, t);
        while (i < w->spline.n && (w->spline.t[i] <= t || w->spline.y[i] == 0))
            i++;
        if (i < w->spline.n)
            first = fmin(first, w->spline.t[i]);
    }
    return first;
}

void darc_wave_move(darc_wave *w, size_t i, double t)
{
    assert(w->kind == HELD && i < w->spline.n);
    w->spline.t[i] = t;
}

void darc_wave_free(darc_wave *w)
{
    if (w == NULL)
        return;
    darc_wave_free(w->next);
    darc_sines_clear(&w->sines);
    darc_spline_clear(&w->spline);
    darc_free(w);
}

int darc_wave_order(const darc_wave *w)
{
    static const int highest[] = {
        [STEP] = 0,      [SINES] = INT_MAX, [CHIRP] = INT_MAX,
        [RECORDING] = 2, [HELD] = 0,        [DOSES] = 0};
    int order = highest[w->kind];
    if (w->next != NULL && darc_wave_order(w->next) < order)
        order = darc_wave_order(w->next);
    return order;
}

/* z = exp(i phi) has z^(k+1) = i (phi' z^(k) + k phi'' z^(k-1)). */
static void eval_chirp(const darc_wave *w, double t, int order, double *out)
{
    double phi = DARC_TWO_PI * t * (w->f0 + w->rate * t / 2);
    double phi1 = DARC_TWO_PI * (w->f0 + w->rate * t);
    double phi2 = DARC_TWO_PI * w->rate;
    double re = cos(phi), im = sin(phi), re1 = 0, im1 = 0; /* z^(k), z^(k-1) */
    for (int k = 0; k <= order; k++) {
        out[k] = w->amplitude * im;
        double next_re = -(phi1 * im + k * phi2 * im1);
        double next_im = phi1 * re + k * phi2 * re1;
        re1 = re;
        im1 = im;
        re = next_re;
        im = next_im;
    }
}

static void eval_part(const darc_wave *w, double t, int order, double *out)
{
    double piece[3];
    switch (w->kind) {
    case STEP:
        out[0] = t >= w->time ? w->amplitude : 0;
        return;
    case SINES:
        darc_sines_eval(&w->sines, t, order, out);
        return;
    case CHIRP:
        eval_chirp(w, t, order, out);
        return;
    case RECORDING:
        darc_spline_eval(&w->spline, t, piece);
        memcpy(out, piece, (size_t)(order + 1) * sizeof *out);
        return;
    case DOSES:
        out[0] = 0;
        return;
    case HELD:
        out[0] = w->spline.y[darc_spline_before(&w->spline, t)];
        return;
    }
}

void darc_wave_eval(const darc_wave *w, double t, int order, double *out)
{
    assert(order >= 0 && order <= darc_wave_order(w));
    eval_part(w, t, order, out);
    double *part = NULL;
    for (w = w->next; w != NULL; w = w->next) {
        if (part == NULL)
            part = darc_calloc((size_t)order + 1, sizeof *part);
        eval_part(w, t, order, part);
        for (int k = 0; k <= order; k++)
            out[k] += part[k];
    }
    darc_free(part);
}

int darc_wave_degree(const darc_wave *w)
{
    int degree = 0;
    if (w->next != NULL || w->kind == SINES || w->kind == CHIRP)
        return -1;
    for (size_t i = 0; i < w->spline.n && w->kind == RECORDING; i++)
        degree = w->spline.m[i] != 0 ? 3 : degree > 0 ? degree : 1;
    return degree;
}

double darc_wave_piece(const darc_wave *w, double t, double out[4])
{
    memset(out, 0, 4 * sizeof *out);
    if (w->kind == RECORDING)
        return darc_spline_piece(&w->spline, t, out);
    eval_part(w, t, 0, out);
    return darc_wave_next_jump(w, t);
}

double darc_wave_highest(const darc_wave *w, double end)
{
    double most = 0;
    for (; w != NULL; w = w->next)
        most = fmax(most, fmax(w->f0, w->f0 + w->rate * end));
    return most;
}

double darc_wave_next_jump(const darc_wave *w, double t)
{
    double first = darc_wave_next_dose(w, t);
    for (; w != NULL; w = w->next)
        if (w->kind == STEP && t < w->time)
            first = fmin(first, w->time);
        else if (w->kind == HELD && t < w->spline.t[w->spline.n - 1])
            first =
                fmin(first,
                     w->spline.t[t < w->spline.t[0]
                                     ? 0
                                     : darc_spline_before(&w->spline, t) + 1]);
    return first;
}

void darc_wave_span(const darc_wave *w, double *from, double *to)
{
    *from = -HUGE_VAL;
    *to = HUGE_VAL;
    for (; w != NULL; w = w->next)
        if (w->kind == RECORDING) {
            *from = w->spline.t[0];
            *to = w->spline.t[w->spline.n - 1];
        }
}
