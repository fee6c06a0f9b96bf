#include "base/mem.h"
#include "base/text.h"
#include "formats/mdf.h"
#include "formats/thresholds.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void darc_mdf_scale_clear(darc_mdf_scale *scale)
{
    if (scale->rest != NULL)
        darc_mdf_scale_clear(scale->rest);
    DARC_FREE(scale->row, scale->rest);
    *scale = (darc_mdf_scale){.kind = DARC_MDF_EQUAL};
}

double darc_mdf_float(const unsigned char *p, bool big)
{
    darc_bytes_number number = {
        .kind = DARC_BYTES_FLOAT, .bits = 64, .big = big};
    return darc_bytes_get(p, &number);
}

/* Names like "speed\XCP:1" carry the device behind a backslash. */
static void tidy_name(char *name)
{
    name[strcspn(name, "\\")] = '\0';
    for (char *s = name; *s != '\0'; s++)
        if (*s == '.' || isspace((unsigned char)*s))
            *s = '_';
}

/* ---- groups and channels ----------------------------------------------- */

void darc_mdf_add_group(darc_mdf *s, darc_mdf_group g)
{
    tidy_name(g.name);
    bool taken = g.name[0] == '\0';
    for (int i = 0; i < s->groups; i++)
        taken = taken || strcmp(s->group[i].name, g.name) == 0;
    size_t n = strlen(g.name) < 100 ? strlen(g.name) : 100;
    if (taken)
        snprintf(g.name + n, sizeof g.name - n, "%s%d", n > 0 ? "_" : "group",
                 s->groups + 1);
    g.master = -1;
    DARC_APPEND(s->group, s->groups, g);
}

void darc_mdf_add_channel(darc_arrays *a, darc_mdf_channel *c)
{
    darc_mdf *s = a->state;
    darc_mdf_group *g = &s->group[s->groups - 1];
    size_t width = darc_bytes_width(&c->number);
    tidy_name(c->name);
    if (c->why == NULL && !c->virtual &&
        (c->offset > g->data || width > g->data - c->offset))
        c->why = "damaged: it lies outside its record";
    if (c->why != NULL) {
        darc_arrays_leave(a, c->name, c->why);
        darc_mdf_scale_clear(&c->scale);
        return;
    }
    c->group = s->groups - 1;
    if (c->master && g->master < 0)
        g->master = s->channels;
    g->signals += !c->master;
    DARC_APPEND(s->channel, s->channels, *c);
}

/* ---- records ----------------------------------------------------------- */

/* Check that a group has the records that it says. */
static darc_status count_records(darc_mdf *s, darc_mdf_group *g, darc_err *err)
{
    uint64_t have = g->record > 0 ? g->records.length / g->record : 0;
    if (s->uncounted || (s->unfinished && (g->rows == 0 || g->rows > have)))
        g->rows = have;
    if (g->rows <= have && g->rows <= DARC_MDF4_ROWS)
        return DARC_OK;
    return darc_fail_file(err, s->file.name,
                          "the file is cut off: group '%s' has %llu records of "
                          "%zu bytes in %llu bytes",
                          g->name, (unsigned long long)g->rows, g->record,
                          (unsigned long long)g->records.length);
}

/* Records on the way to their groups. */
typedef struct {
    darc_mdf *s;
    int first; /* group */
    darc_mdf4_records *r;
    int id_size;       /* bytes */
    darc_text_t *text; /* of each group: its records */
} sorting;

/* Read the id of the record at `at`, and set *n to its bytes, UINT64_MAX where
 * it is cut off. */
static darc_status read_id(darc_mdf_group **g, uint64_t *n, const sorting *x,
                           uint64_t at, darc_err *err)
{
    unsigned char head[12] = {0};
    uint64_t left = x->r->length - at, id = 0;
    size_t whole = (size_t)x->id_size + 4;
    *g = NULL;
    *n = UINT64_MAX;
    if (left < (uint64_t)x->id_size)
        return DARC_OK;
    DARC_NEED(darc_mdf4_records_read(x->r, &x->s->file, at, head,
                                     left < whole ? (size_t)left : whole, err));
    for (int i = x->id_size; i-- > 0;)
        id = id << 8 | head[i];
    for (int i = x->first; i < x->s->groups; i++)
        if (x->s->group[i].id == id)
            *g = &x->s->group[i];
    if (*g == NULL)
        return darc_fail_file(err, x->s->file.name,
                              "damaged: a record of group %llu, which there is "
                              "not, at byte %llu of the records",
                              (unsigned long long)id, (unsigned long long)at);
    if (!(*g)->lengths)
        *n = (*g)->record;
    else if (left >= whole)
        *n = whole + darc_bytes_u32(head + x->id_size);
    return DARC_OK;
}

/* Copy each record to the text of its group. */
static darc_status sort_records(const sorting *x, darc_err *err)
{
    unsigned char *bytes = NULL;
    size_t room = 0;
    darc_status status = DARC_OK;
    for (uint64_t at = 0, n = 0; at < x->r->length; at += n) {
        darc_mdf_group *g;
        DARC_TRY(read_id(&g, &n, x, at, err));
        if (g == NULL || n > x->r->length - at)
            break; /* the last one was cut off: the counts tell */
        if (g->lengths)
            continue;
        if (n > room) {
            darc_free(bytes);
            room = (size_t)n;
            bytes = darc_malloc(room);
        }
        DARC_TRY(darc_mdf4_records_read(x->r, &x->s->file, at, bytes, (size_t)n,
                                        err));
        darc_text_write(x->text[g - x->s->group - x->first], (char *)bytes,
                        (size_t)n);
    }
done:
    darc_free(bytes);
    return status;
}

darc_status darc_mdf_share(darc_arrays *a, int first, darc_mdf4_records *r,
                           int id_size, darc_err *err)
{
    darc_mdf *s = a->state;
    int n = s->groups - first;
    if (n == 1 && !s->group[first].lengths) {
        s->group[first].records = *r;
        return count_records(s, &s->group[first], err);
    }
    darc_text_t *text = darc_calloc((size_t)n + 1, sizeof *text);
    for (int i = 0; i < n; i++)
        darc_text_init(text[i]);
    darc_status status =
        n > 0 && id_size == 0
            ? darc_fail_file(err, a->file,
                             "damaged: records of several groups without ids")
            : sort_records(&(sorting){s, first, r, id_size, text}, err);
    for (int i = 0; i < n; i++) {
        darc_mdf_group *g = &s->group[first + i];
        if (status == DARC_OK && !g->lengths) {
            darc_mdf4_records_hold(&g->records, text[i]);
            status = count_records(s, g, err);
        }
        darc_text_clear(text[i]);
    }
    darc_mdf4_records_clear(r);
    darc_free(text);
    return status;
}
