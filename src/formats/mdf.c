/* mdf.c - MDF files (ASAM), as vehicle recorders write them: groups of numeric
 * channels with conversions.
 *
 * Each channel group has a master channel, time, which becomes "t".  Groups
 * differ in rate; with a rate all are interpolated to it, linearly, over the
 * time that they share.
 */
#include "formats/mdf.h"

#include "base/mem.h"
#include "base/text.h"
#include "formats/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void close_mdf(darc_arrays *a)
{
    darc_mdf *s = a->state;
    for (int g = 0; g < s->groups; g++)
        darc_mdf4_records_clear(&s->group[g].records);
    for (int c = 0; c < s->channels; c++) {
        darc_mdf_scale_clear(&s->channel[c].scale);
        darc_free(s->channel[c].all);
    }
    DARC_FREE(s->group, s->channel, s);
    a->state = NULL;
}

/* ---- values ------------------------------------------------------------ */

/* The value of x by the rows of a table. */
static double by_table(const darc_mdf_scale *c, double x)
{
    const double *row = c->row;
    size_t low = 0, n = c->rows;
    if (isnan(x) || n == 0)
        return NAN;
    if (c->kind == DARC_MDF_RANGES) {
        for (size_t i = n; i-- > 0;) /* a limit belongs to what begins there */
            if (row[3 * i] <= x && x <= row[3 * i + 1])
                return row[3 * i + 2];
        return NAN;
    }
    while (low + 1 < n && row[3 * (low + 1)] <= x)
        low++;
    const double *p = row + 3 * low;
    if (low + 1 == n || x <= p[0])
        return p[2];
    double share = (x - p[0]) / (p[3] - p[0]);
    if (c->kind == DARC_MDF_NEAREST)
        return share > 0.5 ? p[5] : p[2];
    return p[2] + share * (p[5] - p[2]);
}

static bool is_in_table(const darc_mdf_scale *c, double x)
{
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[3 * i] <= x && x <= c->row[3 * i + 1])
            return true;
    return false;
}

static double scaled(const darc_mdf_scale *c, double x)
{
    const double *p = c->p;
    if (c->kind == DARC_MDF_LINEAR)
        return p[0] + p[1] * x;
    if (c->kind == DARC_MDF_RATIONAL)
        return ((p[0] * x + p[1]) * x + p[2]) / ((p[3] * x + p[4]) * x + p[5]);
    if (c->kind == DARC_MDF_POLYNOMIAL) {
        double y = x - p[4] - p[5];
        return (p[1] - p[3] * y) / (p[2] * y - p[0]);
    }
    if (c->kind == DARC_MDF_EQUAL)
        return x;
    if (c->rest != NULL && !is_in_table(c, x))
        return scaled(c->rest, x);
    return by_table(c, x);
}

/* The value in the record r with that number. */
static double value_in_record(const darc_mdf_channel *c,
                              const darc_mdf_group *g, const unsigned char *r,
                              uint64_t number)
{
    if (c->invalid >= 0 &&
        (r[g->data + (size_t)c->invalid / 8] >> (c->invalid % 8) & 1) != 0)
        return NAN;
    double x = c->virtual ? (double)number
                          : darc_bytes_get(r + c->offset, &c->number);
    return scaled(&c->scale, x);
}

static darc_status read_values(darc_mdf *s, int index, uint64_t begin, size_t n,
                               double *out, darc_err *err)
{
    enum { BYTES = 1 << 20 };
    const darc_mdf_channel *c = &s->channel[index];
    darc_mdf_group *g = &s->group[c->group];
    size_t most = BYTES / g->record;
    most = most < 1 ? 1 : most;
    unsigned char *bytes = darc_malloc(most * g->record);
    darc_status status = DARC_OK;
    for (size_t done = 0; done < n && status == DARC_OK;) {
        size_t k = n - done < most ? n - done : most;
        status = darc_mdf4_records_read(&g->records, &s->file,
                                        (begin + done) * g->record, bytes,
                                        k * g->record, err);
        for (size_t i = 0; i < k && status == DARC_OK; i++)
            out[done + i] =
                value_in_record(c, g, bytes + i * g->record, begin + done + i);
        done += k;
    }
    darc_free(bytes);
    return status;
}

static darc_status load_all(darc_mdf *s, int index, darc_err *err)
{
    darc_mdf_channel *c = &s->channel[index];
    if (c->all != NULL)
        return DARC_OK;
    size_t rows = (size_t)s->group[c->group].rows;
    c->all = darc_calloc(rows, sizeof *c->all);
    darc_status status = read_values(s, index, 0, rows, c->all, err);
    if (status != DARC_OK) {
        darc_free(c->all);
        c->all = NULL;
    }
    return status;
}

/* Interpolate between the records around t; i is where the search begins. */
static double between(const double *time, const double *x, uint64_t rows,
                      double t, uint64_t *i)
{
    while (*i + 2 < rows && time[*i + 1] <= t)
        ++*i;
    double step = time[*i + 1] - time[*i];
    double share = step > 0 ? (t - time[*i]) / step : 0;
    /* The clock's rounding may put t behind the last record. */
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return share == 0   ? x[*i]
           : share == 1 ? x[*i + 1]
                        : x[*i] + share * (x[*i + 1] - x[*i]);
}

static darc_status interpolate_channel(darc_mdf *s, int index, size_t begin,
                                       size_t n, double *out, darc_err *err)
{
    const darc_mdf_group *g = &s->group[s->channel[index].group];
    DARC_NEED(load_all(s, index, err));
    DARC_NEED(load_all(s, g->master, err));
    const double *time = s->channel[g->master].all;
    uint64_t low = 0, high = g->rows - 1;
    double t = s->begin + (double)begin / s->rate;
    DARC_BISECT(uint64_t, low, high, k, time[k] <= t) /* the last not behind */
    for (size_t i = 0; i < n; i++)
        out[i] = between(time, s->channel[index].all, g->rows,
                         s->begin + (double)(begin + i) / s->rate, &low);
    return DARC_OK;
}

static darc_status read_mdf(darc_arrays *a, const darc_array *from,
                            size_t begin, size_t n, double *out, darc_err *err)
{
    darc_mdf *s = a->state;
    return s->rate > 0
               ? interpolate_channel(s, from->handle, begin, n, out, err)
               : read_values(s, from->handle, begin, n, out, err);
}

/* Set begin and *rows to the time that all groups with a master share. */
static darc_status share_time(darc_mdf *s, size_t *rows, darc_err *err)
{
    double end = HUGE_VAL;
    s->begin = -HUGE_VAL;
    for (int g = 0; g < s->groups; g++) {
        const darc_mdf_group *one = &s->group[g];
        double first, last;
        if (one->master < 0 || one->rows < 2)
            continue;
        DARC_NEED(read_values(s, one->master, 0, 1, &first, err));
        DARC_NEED(read_values(s, one->master, one->rows - 1, 1, &last, err));
        s->begin = fmax(s->begin, first);
        end = fmin(end, last);
    }
    double n = floor((end - s->begin) * s->rate * (1 + 1e-12)) + 1;
    if (!(n >= 2 && n <= DARC_MDF4_ROWS))
        return darc_fail_file(err, s->file.name,
                              "the channel groups share less than two samples "
                              "at %g Hz, or too many",
                              s->rate);
    *rows = (size_t)n;
    return DARC_OK;
}

static int groups_with_signals(const darc_mdf *s)
{
    int n = 0;
    for (int g = 0; g < s->groups; g++)
        n += s->group[g].signals > 0 && s->group[g].rows > 0;
    return n;
}

static void list_channels(darc_arrays *a, bool qualified, size_t rows)
{
    darc_mdf *s = a->state;
    for (int i = 0; i < s->channels; i++) {
        const darc_mdf_channel *c = &s->channel[i];
        const darc_mdf_group *g = &s->group[c->group];
        char path[300];
        bool first = g->master == i;
        if (g->rows == 0 || g->signals == 0 ||
            (s->rate > 0 && (g->master < 0 || g->rows < 2 || first)))
            continue;
        snprintf(path, sizeof path, "%s%s%s", qualified ? g->name : "",
                 qualified ? "." : "", first ? "t" : c->name);
        darc_arrays_append(a, path, c->unit,
                           s->rate > 0 ? rows : (size_t)g->rows, 1, i);
    }
}

darc_status darc_mdf_list(darc_arrays *a, darc_err *err)
{
    darc_mdf *s = darc_calloc(1, sizeof *s);
    unsigned char id[64];
    size_t rows = 0;
    a->separator = '.';
    a->read = read_mdf;
    a->close = close_mdf;
    a->state = s;
    s->file = a->bytes;
    DARC_NEED(darc_bytes_read(&s->file, 0, id, sizeof id, err));
    s->unfinished = memcmp(id, "UnFinMF", 7) == 0;
    s->uncounted = s->unfinished && (id[60] & 1) != 0;
    if (!s->unfinished && memcmp(id, "MDF     ", 8) != 0)
        return darc_fail_file(err, a->file, "this is no MDF file");
    DARC_NEED(id[8] >= '4' ? darc_mdf4_groups(a, err)
                           : darc_mdf3_groups(a, err));
    int groups = groups_with_signals(s);
    if (groups > 1 && a->rate > 0) {
        s->rate = a->rate;
        DARC_NEED(share_time(s, &rows, err));
    }
    list_channels(a, groups > 1 && s->rate == 0, rows);
    return DARC_OK;
}
