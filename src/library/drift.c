#include "darc/drift.h"

#include "base/attempt.h"
#include "base/carrier.h"
#include "base/mem.h"
#include "data/part.h"
#include "data/table.h"
#include "library/campaign.h"
#include "library/recording.h"
#include "report/campaign.h"

#include <assert.h>
#include <string.h>

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
    if (c->archived && a->entry[i].hash[0] == '\0')
        DARC_NEED(darc_digest_file(a->entry[i].hash, a->entry[i].file, err));
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

static darc_status open_campaign(darc_campaign **out, const darc_model *model,
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

darc_status darc_campaign_open(darc_campaign **out, const darc_model *model,
                               const darc_options *options,
                               const darc_budget *budget, darc_err *err)
{
    darc_status status;
    DARC_NEED(darc_model_refuse_dead_times(model, "drift", err));
    DARC_ATTEMPT(status, open_campaign(out, model, options, budget, err), err);
    return status;
}

/* Drop what a run has left. */
static void forget(campaign *c)
{
    if (c->told != NULL) { /* all lies there */
        c->shown.recordings = 0;
        c->shown.recording = NULL;
        c->shown.held_against = NULL;
    }
    darc_apart_free(c->told);
    c->told = NULL;
    c->shown.notes = 0;
    darc_campaign_clear(&c->shown);
    if (c->drifted)
        darc_drift_clear(&c->drift);
    if (c->group != NULL)
        DARC_FREE_EACH(c->group, c->count);
    DARC_FREE(c->group, c->of, c->covariate, (void *)c->listed);
    c->covariate = NULL;
    c->group = NULL;
    c->of = NULL;
    c->listed = NULL;
    c->groups = 0;
    if (c->archived)
        darc_archive_close(&c->archive);
    c->compared = c->drifted = c->archived = false;
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

/* Insert recording i of another listing, told of as it is, under a name. */
static void insert_again(darc_listing *l, int at, const char *name,
                         const darc_listing *from, int i)
{
    darc_listing_insert(l, at, name);
    l->held[at] = from->held[i];
    for (int k = 0; k < from->columns; k++)
        darc_listing_tell(l, at, from->column[k],
                          darc_listing_cell(from, i, k));
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
        for (int i = 0; i < named.files; i++)
            insert_again(&l, i, named.file[i], &named, i);
        c->files = l;
        l = named;
    }
    darc_listing_clear(&l);
    c->read = status == DARC_OK;
    return status;
}

/* Insert a recording, which may be in memory, or tell of the last one. */
static darc_status add(darc_listing *l, const char *file,
                       const darc_recording *held, const char *column,
                       const char *value)
{
    if (column != NULL) {
        darc_listing_tell(l, l->files - 1, column, value);
        return DARC_OK;
    }
    darc_listing_insert(l, l->files, file);
    l->held[l->files - 1] = held;
    return DARC_OK;
}

static void try_listing(darc_campaign *shown, const char *file,
                        const darc_recording *held, const char *column,
                        const char *value)
{
    campaign *c = (campaign *)shown;
    darc_status status;
    DARC_ATTEMPT_ON(status, add(&c->files, file, held, column, value), NULL);
    c->lacks = c->lacks || status != DARC_OK;
}

void darc_campaign_read(darc_campaign *c, const char *file)
{
    try_listing(c, file, NULL, NULL, NULL);
}

void darc_campaign_add(darc_campaign *c, const darc_recording *recording)
{
    try_listing(c, recording->samples.name, recording, NULL, NULL);
}

void darc_campaign_tell(darc_campaign *c, const char *column, const char *value)
{
    campaign *own = (campaign *)c;
    assert(own->files.files > 0 || own->lacks);
    if (!own->lacks)
        try_listing(c, NULL, NULL, column, value);
}

/* Put the recordings of the database before and among the files. */
static darc_status open_archive(campaign *c, const char *db, darc_err *err)
{
    for (int i = 0; i < c->files.files; i++)
        if (c->files.held[i] != NULL)
            return darc_fail(err, DARC_USAGE,
                             "--db: '%s' lies in memory; recordings that are "
                             "stored come from files",
                             c->files.file[i]);
    DARC_NEED(darc_archive_open(&c->archive, db, c->session, err));
    c->archived = true;
    c->archive.fleet = c->fleet;
    return darc_archive_arrange(&c->archive, &c->files, c->reference, err);
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

void darc_campaign_fit(darc_campaign *shown)
{
    const darc_session *s = ((campaign *)shown)->session;
    darc_question x;
    darc_criteria by;
    int *equation = darc_session_ask(&x, s, &by);
    by.threads = 1;
    darc_fleet_serve(s, &x);
    darc_free(equation);
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
    DARC_NEED(darc_campaign_groups(c, n, err));
    DARC_NEED(darc_campaign_covariates(c, n, err));
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
    int *equation = darc_session_ask(&x, s, &by);
    by.threads = source.threads / n; /* recordings come first */
    darc_status status = darc_campaign_follow(c, &x, &source, err);
    darc_free(equation);
    c->drifted = status == DARC_OK;
    if (status == DARC_OK && c->archived)
        status = darc_archive_settle(&c->archive, err);
    return status;
}

/* Put the parts of each file in its place, told of as it is. */
static darc_status list_each(campaign *c, const char *column, darc_err *err)
{
    darc_listing l = {.files = 0};
    const darc_listing *from = &c->files;
    darc_status status = DARC_OK;
    if (column == NULL || c->parted == from->files)
        return DARC_OK;
    for (int i = 0; i < from->files && status == DARC_OK; i++) {
        darc_parts p = {0};
        bool whole = i < c->parted || from->held[i] != NULL;
        if (!whole)
            status = darc_parts_add(&p, from->file[i], column, err);
        for (int k = 0; k < (whole ? 1 : p.count); k++)
            insert_again(&l, l.files, whole ? from->file[i] : p.name[k], from,
                         i);
        darc_parts_clear(&p);
    }
    if (status == DARC_OK) {
        DARC_SWAP(darc_listing, c->files, l);
        c->parted = c->files.files;
    }
    darc_listing_clear(&l);
    return status;
}

static darc_status run(campaign *c, darc_err *err)
{
    const darc_options *o = &c->session->asked->options;
    const char *db = darc_option_text(o, DARC_OPT_DB);
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    const char *column = c->session->set.load.each;
    darc_status status = read_list(c, err);
    DARC_THEN(list_each(c, column, err));
    c->reference = -1; /* the first of the files that is the baseline */
    for (int i = c->files.files - 1; i >= 0 && baseline != NULL; i--)
        if (strcmp(c->files.file[i], baseline) == 0)
            c->reference = i;
    if (status == DARC_OK && baseline != NULL && c->reference < 0) {
        darc_listing_insert(&c->files, 0, baseline);
        c->reference = 0;
        c->parted += column != NULL;
    }
    if (status == DARC_OK && db != NULL)
        status = open_archive(c, db, err);
    DARC_THEN(hold_campaign(c, err));
    if (status != DARC_OK) {
        forget(c);
        return status;
    }
    darc_campaign_set(&c->shown, &c->drift, c->listed,
                      (const char *const *)c->group);
    darc_campaign_note(c->session, &c->shown, &c->drift);
    take_notes(c);
    return DARC_OK;
}

static void carry_drift(darc_carrier *c, darc_campaign **x)
{
    darc_carry(c, x, sizeof **x);
    darc_carry_campaign(c, *x);
}

static darc_status answer_campaign(darc_answer *a, void *user,
                                   const darc_budget *budget, darc_err *err)
{
    campaign *c = user;
    darc_campaign *shown = &c->shown;
    c->session->budget = budget;
    DARC_NEED(run(c, err));
    carry_drift(&(darc_carrier){.to = a}, &shown);
    if (c->archived) /* what is stored is complete */
        darc_archive_close(&c->archive);
    return DARC_OK;
}

static darc_status run_apart(campaign *c, darc_err *err)
{
    size_t n;
    darc_campaign *there;
    DARC_NEED(
        darc_apart(&c->told, &n, answer_campaign, c, c->session->budget, err));
    carry_drift(&(darc_carrier){.at = c->told}, &there);
    c->shown = *there;
    return DARC_OK;
}

darc_status darc_campaign_run(darc_campaign *shown, darc_err *err)
{
    campaign *c = (campaign *)shown;
    forget(c);
    darc_session_drop(c->session);
    if (c->lacks)
        return darc_fail(err, DARC_LIMIT,
                         "memory was short when a recording was added");
    DARC_NEED(darc_apart_suits(c->session->budget) ? run_apart(c, err)
                                                   : run(c, err));
    c->compared = true;
    return DARC_OK;
}

static void put_campaign(darc_text_t out, void *what, const char *format)
{
    const campaign *c = what;
    const darc_options *o = &c->session->asked->options;
    darc_page page;
    if (*format == 't') {
        darc_campaign_print(out, &c->shown,
                            darc_option_given(o, DARC_OPT_QUIET),
                            darc_option_given(o, DARC_OPT_VERBOSE));
    } else if (*format == 'j') {
        darc_campaign_json(out, &c->shown);
    } else if (*format == 'c') {
        darc_campaign_csv(out, &c->shown);
    } else {
        darc_settings_page(&page, o, format);
        darc_page_campaign(out, &c->shown, &page);
        darc_settings_clear(&page);
    }
}

const char *darc_campaign_text(darc_campaign *shown, const char *format)
{
    campaign *c = (campaign *)shown;
    bool known = darc_settings_write(format) || strcmp(format, "csv") == 0;
    return !known         ? NULL
           : !c->compared ? ""
                          : darc_text_attempt(c->text, put_campaign, c, format);
}
