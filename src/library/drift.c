#include "darc/drift.h"

#include "archive/archive.h"
#include "base/mem.h"
#include "data/listing.h"
#include "data/table.h"
#include "diagnose/thresholds.h"
#include "files/number.h"
#include "library/recording.h"
#include "library/told.h"
#include "report/campaign.h"
#include "session/state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A campaign, its session and what runs need; several threads read it. */
typedef struct {
    darc_campaign shown; /* first: what the caller sees */
    darc_session *session;
    darc_archive archive;
    bool archived;       /* there is one */
    darc_listing files;  /* in order of time; held: recordings
                            in memory */
    bool read;           /* those of the option "list" are there */
    const char **listed; /* with those of the archive; owned */
    int count;           /* of those listed */
    char **group;        /* of those listed; NULL: not asked for; owned */
    int groups, *of;     /* their number; the group of each; owned */
    darc_pairs columns;  /* the covariates */
    double *covariate;   /* of those listed; NAN: not told; owned */
    int reference;
    bool compared; /* the run has come to its end: */
    darc_drift drift;
    darc_text_t text;
    darc_fleet *fleet; /* that fits; NULL: this process */
} campaign;

static darc_status load_one(void *user, int i, darc_drift_data *data,
                            darc_err *err)
{
    campaign *c = user;
    const darc_session *s = c->session;
    darc_archive *a = &c->archive;
    if (c->archived && a->entry[i].known)
        return a->entry[i].damage == NULL
                   ? darc_archive_fit(a, i, &data->fit, err)
                   : darc_fail(err, DARC_DATA, "%s", a->entry[i].damage);
    if (c->archived)
        DARC_NEED(darc_archive_know(a, i, err));
    if (c->fleet != NULL)
        return darc_fleet_fit(c->fleet, &data->fit, c->listed[i], err);
    const darc_recording *held = c->archived ? NULL : c->files.held[i];
    if (held != NULL)
        DARC_NEED(darc_table_from_samples(&data->table, &held->samples, err));
    else
        DARC_NEED(
            darc_table_load(&data->table, c->listed[i], &s->set.load, err));
    return darc_session_complete(s, data->table, err);
}

static darc_status keep_one(void *user, int i, const darc_estimates *fit,
                            const char *damage, darc_err *err)
{
    campaign *c = user;
    return darc_archive_keep(&c->archive, i, fit, damage, err);
}

static void show_so_far(void *user, const darc_drift *drift)
{
    campaign *c = user;
    darc_text_reset(c->text);
    darc_campaign_set(&c->shown, drift, c->listed,
                      (const char *const *)c->group);
    darc_campaign_print(c->text, &c->shown, false, false);
    darc_campaign_clear(&c->shown);
    darc_budget_partial(c->session->budget, c->text->s);
}

darc_status darc_campaign_open(darc_campaign **out, const darc_model *model,
                               const darc_options *options,
                               const darc_budget *budget, darc_err *err)
{
    darc_options o;
    darc_options_copy(&o, options, DARC_CMD_DRIFT);
    campaign *c = darc_calloc(1, sizeof *c);
    darc_text_init(c->text);
    darc_status status = darc_session_open(&c->session, model, &o, budget, err);
    darc_options_clear(&o);
    if (status != DARC_OK) {
        darc_campaign_free(&c->shown);
        return status;
    }
    c->shown.command_line = c->session->asked->options.command_line;
    c->shown.model_name = darc_model_name(model);
    c->shown.model_file = darc_model_file(model);
    c->shown.relations = c->session->io->count;
    darc_option_pairs(&c->columns, &c->session->asked->options,
                      DARC_OPT_COVARIATE);
    c->shown.covariates = c->columns.count;
    c->shown.covariate = (const char *const *)c->columns.name;
    *out = &c->shown;
    return DARC_OK;
}

/* Drop what a run has left. */
static void forget(campaign *c)
{
    darc_campaign_clear(&c->shown);
    if (c->compared)
        darc_drift_clear(&c->drift);
    for (int i = 0; i < c->count && c->group != NULL; i++)
        darc_free(c->group[i]);
    DARC_FREE(c->group, c->of, c->covariate);
    c->covariate = NULL;
    c->group = NULL;
    c->of = NULL;
    c->groups = 0;
    darc_free((void *)c->listed);
    c->listed = NULL;
    if (c->archived)
        darc_archive_close(&c->archive);
    c->compared = c->archived = false;
}

void darc_campaign_free(darc_campaign *shown)
{
    campaign *c = (campaign *)shown;
    if (c == NULL)
        return;
    forget(c);
    darc_listing_clear(&c->files);
    darc_pairs_clear(&c->columns);
    darc_session_free(c->session);
    darc_text_clear(c->text);
    darc_free(c);
}

/* Add the recordings of the option "list" behind the others. */
static darc_status read_list(campaign *c, darc_err *err)
{
    const darc_options *o = &c->session->asked->options;
    const char *file = darc_option_text(o, DARC_OPT_LIST);
    if (file == NULL || c->read)
        return DARC_OK;
    darc_listing l = {.files = 0};
    const darc_listing named = c->files;
    darc_status status = darc_listing_read(&l, file, err);
    if (status == DARC_OK) {
        for (int i = 0; i < named.files; i++) {
            darc_listing_insert(&l, i, named.file[i]);
            l.held[i] = named.held[i];
            for (int k = 0; k < named.columns; k++)
                darc_listing_tell(&l, i, named.column[k],
                                  darc_listing_cell(&named, i, k));
        }
        c->files = l;
        l = named;
    }
    darc_listing_clear(&l);
    c->read = status == DARC_OK;
    return status;
}

void darc_campaign_read(darc_campaign *shown, const char *file)
{
    darc_listing *l = &((campaign *)shown)->files;
    darc_listing_insert(l, l->files, file);
}

void darc_campaign_add(darc_campaign *shown, const darc_recording *recording)
{
    darc_listing *l = &((campaign *)shown)->files;
    darc_listing_insert(l, l->files, recording->samples.name);
    l->held[l->files - 1] = recording;
}

void darc_campaign_tell(darc_campaign *c, const char *column, const char *value)
{
    darc_listing *l = &((campaign *)c)->files;
    assert(l->files > 0);
    darc_listing_tell(l, l->files - 1, column, value);
}

/* Put the recordings of the database before and among the files. */
static darc_status open_archive(campaign *c, const char *db, darc_err *err)
{
    for (int i = 0; i < c->files.files; i++)
        if (c->files.held[i] != NULL)
            return darc_fail(err, DARC_USAGE,
                             "db: '%s' lies in memory; recordings that are "
                             "stored come from files",
                             c->files.file[i]);
    DARC_NEED(darc_archive_open(&c->archive, db, c->session, err));
    c->archived = true;
    c->archive.fleet = c->fleet;
    return darc_archive_arrange(&c->archive, &c->files, c->reference, err);
}

/* Set *value, to be freed, to what is told of recording i in that column; NULL:
 * nothing. */
static darc_status tell_covariate(char **value, const campaign *c, int i,
                                  const char *column, darc_err *err)
{
    if (c->archived)
        return darc_archive_told(value, &c->archive, i, column, err);
    const char *cell =
        darc_listing_cell(&c->files, i, darc_listing_column(&c->files, column));
    *value = cell != NULL ? darc_strdup(cell) : NULL;
    return DARC_OK;
}

/* Find the group of each of n recordings. */
static darc_status find_groups(campaign *c, int n, darc_err *err)
{
    const darc_options *o = &c->session->asked->options;
    const char *column = darc_option_text(o, DARC_OPT_GROUP);
    darc_status status = DARC_OK;
    bool told = false;
    c->shown.group_column = column;
    if (column == NULL)
        return DARC_OK;
    c->group = darc_calloc((size_t)n, sizeof *c->group);
    for (int i = 0; i < n && status == DARC_OK; i++) {
        status = tell_covariate(c->group + i, c, i, column, err);
        told = told || c->group[i] != NULL;
        if (c->group[i] == NULL)
            c->group[i] = darc_strdup("");
    }
    if (status == DARC_OK && !told)
        status = darc_fail(err, DARC_USAGE,
                           "group: no list has a column '%s' that tells of "
                           "these recordings",
                           column);
    if (status == DARC_OK && darc_option_given(o, DARC_OPT_BASELINE) &&
        c->group[c->reference][0] == '\0')
        status = darc_fail(err, DARC_USAGE,
                           "group: nothing is told of the baseline '%s' in "
                           "column '%s' of the list",
                           c->listed[c->reference], column);
    c->of = darc_calloc((size_t)n, sizeof *c->of);
    if (status == DARC_OK)
        c->groups = darc_told_number(c->of, c->group, n);
    return status;
}

/* A number, with a decimal comma if need be. */
static bool read_number(double *x, const char *s)
{
    const char *end = darc_number_read_exact(x, s, '.');
    if (*end == ',')
        end = darc_number_read_exact(x, s, ',');
    return end > s && *end == '\0' && isfinite(*x);
}

/* Find covariate r of each of n recordings. */
static darc_status find_covariate(campaign *c, int r, int n, darc_err *err)
{
    const char *column = c->columns.name[r];
    int missing = 0, first = -1;
    darc_status status = DARC_OK;
    for (int i = 0; i < n; i++) {
        double *x = c->covariate + i * c->columns.count + r;
        char *value = NULL;
        *x = NAN;
        DARC_NEED(tell_covariate(&value, c, i, column, err));
        if (value == NULL && missing++ == 0)
            first = i;
        if (value != NULL && !read_number(x, value))
            status = darc_fail(err, DARC_DATA,
                               "covariate: the list tells of '%s' the %s '%s', "
                               "which is no number",
                               c->listed[i], column, value);
        darc_free(value);
        DARC_NEED(status);
    }
    if (missing == n)
        return darc_fail(err, DARC_USAGE,
                         "covariate: no list has a column '%s' that tells of "
                         "these recordings",
                         column);
    if (isnan(c->covariate[c->reference * c->columns.count + r]))
        return darc_fail(err, DARC_USAGE,
                         "covariate: nothing is told of the baseline '%s' in "
                         "column '%s' of the list; choose another one with "
                         "--baseline",
                         c->listed[c->reference], column);
    if (missing > 0)
        darc_session_note(c->session,
                          "nothing is told of the %s of %d recording%s (%s%s): "
                          "undecided, and left out of the course",
                          column, missing, missing == 1 ? "" : "s",
                          c->listed[first], missing > 1 ? ", ..." : "");
    return DARC_OK;
}

static darc_status find_covariates(campaign *c, int n, darc_err *err)
{
    int q = c->columns.count;
    if (q > DARC_COVARIATES)
        return darc_fail(err, DARC_USAGE, "covariate: %d columns, more than %d",
                         q, DARC_COVARIATES);
    c->covariate = darc_calloc((size_t)(n * q) + 1, sizeof *c->covariate);
    for (int r = 0; r < q; r++)
        DARC_NEED(find_covariate(c, r, n, err));
    return DARC_OK;
}

/* Tell of the equations that are not followed beside others. */
static void note_left_out(darc_session *s)
{
    char why[256];
    int at = 0, *list = darc_calloc((size_t)s->io->count, sizeof *list);
    int followed = darc_drift_followed(list, s->io);
    for (int e = 0; e < s->io->count && followed > 0; e++) {
        if (at < followed && list[at] == e) {
            at++;
            continue;
        }
        darc_drift_say_left_out(why, sizeof why, s->io, e);
        darc_session_note(s, "%s", why);
    }
    darc_free(list);
}

/* Set x and by, which it keeps, to what is asked of every recording. */
static void set_question(darc_question *x, darc_criteria *by,
                         const darc_session *s)
{
    darc_session_criteria(by, s);
    *x = (darc_question){.model = s->model,
                         .io = s->io,
                         .lost = s->lost.parameters,
                         .by = by,
                         .budget = s->budget};
}

void darc_campaign_fit(darc_campaign *shown)
{
    const darc_session *s = ((campaign *)shown)->session;
    darc_question x;
    darc_criteria by;
    set_question(&x, &by, s);
    by.threads = 1;
    darc_fleet_serve(s, &x);
}

void darc_campaign_deal(darc_campaign *shown, darc_fleet *fleet)
{
    ((campaign *)shown)->fleet = fleet;
}

static void take_notes(campaign *c)
{
    c->shown.notes = c->session->notes;
    c->shown.note = (const char *const *)c->session->note;
    c->shown.detail = c->session->detail;
}

static darc_status hold_campaign(campaign *c, darc_err *err)
{
    darc_session *s = c->session;
    int n = c->archived ? c->archive.entries : c->files.files;
    c->count = n;
    if (n == 0)
        return darc_fail(err, DARC_DATA, "a campaign without recordings");
    c->listed = darc_calloc((size_t)n, sizeof *c->listed);
    for (int i = 0; i < n; i++)
        c->listed[i] =
            c->archived ? c->archive.entry[i].file : c->files.file[i];
    if (c->archived)
        c->reference = c->archive.reference;
    else if (c->reference < 0)
        c->reference = 0;
    DARC_NEED(find_groups(c, n, err));
    DARC_NEED(find_covariates(c, n, err));
    darc_drift_source source = {.recordings = n,
                                .groups = c->groups,
                                .group = c->of,
                                .covariates = c->columns.count,
                                .covariate = c->covariate,
                                .reference = c->reference,
                                .threads = c->fleet != NULL
                                               ? c->fleet->places
                                               : darc_session_threads(s),
                                .user = c,
                                .load = load_one,
                                .keep = c->archived ? keep_one : NULL,
                                .so_far = show_so_far};
    note_left_out(s);
    take_notes(c);
    darc_criteria by;
    darc_question x;
    set_question(&x, &by, s);
    by.threads = source.threads / n; /* recordings come first */
    darc_status status = darc_drift_run(&c->drift, &x, &source, err);
    c->compared = status == DARC_OK;
    if (status == DARC_OK && c->archived)
        status = darc_archive_settle(&c->archive, err);
    return status;
}

darc_status darc_campaign_run(darc_campaign *shown, darc_err *err)
{
    campaign *c = (campaign *)shown;
    const darc_options *o = &c->session->asked->options;
    const char *db = darc_option_text(o, DARC_OPT_DB);
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    forget(c);
    darc_session_drop(c->session);
    darc_status status = read_list(c, err);
    c->reference = -1; /* the first of the files that is the baseline */
    for (int i = c->files.files - 1; i >= 0 && baseline != NULL; i--)
        if (strcmp(c->files.file[i], baseline) == 0)
            c->reference = i;
    if (status == DARC_OK && baseline != NULL && c->reference < 0) {
        darc_listing_insert(&c->files, 0, baseline);
        c->reference = 0;
    }
    if (status == DARC_OK && db != NULL)
        status = open_archive(c, db, err);
    if (status == DARC_OK)
        status = hold_campaign(c, err);
    if (status != DARC_OK) {
        forget(c);
        return status;
    }
    darc_campaign_set(shown, &c->drift, c->listed,
                      (const char *const *)c->group);
    darc_told_note(c->session, shown, &c->drift);
    take_notes(c);
    return DARC_OK;
}

const char *darc_campaign_text(darc_campaign *shown, const char *format)
{
    static const char *const name[] = {"text", "json", "csv", "html"};
    campaign *c = (campaign *)shown;
    int f = 0;
    while (f < 4 && strcmp(format, name[f]) != 0)
        f++;
    darc_text_reset(c->text);
    if (f == 4)
        return NULL;
    if (!c->compared)
        return "";
    const darc_options *o = &c->session->asked->options;
    if (f == 0)
        darc_campaign_print(c->text, shown,
                            darc_option_given(o, DARC_OPT_QUIET),
                            darc_option_given(o, DARC_OPT_VERBOSE));
    else if (f == 1)
        darc_campaign_json(c->text, shown);
    else if (f == 2)
        darc_campaign_csv(c->text, shown);
    else {
        darc_page page;
        darc_settings_page(&page, o);
        darc_page_campaign(c->text, shown, &page);
        darc_settings_clear(&page);
    }
    return c->text->s;
}
