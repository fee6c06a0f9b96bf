#include "scene.h"

#include <check.h>

static void open_frame(scene *s)
{
    darc_names_t names;
    darc_ranking_t rk;
    darc_names_init(names);
    for (const char *c = s->plan->names; *c != '\0'; c++)
        darc_names_add(names, (char[]){*c, '\0'},
                       *c == 'u' ? DARC_INPUT : DARC_OUTPUT);
    s->signals = names->count;
    darc_ranking_init(rk, names->count);
    darc_jet_init(s->jet, names, rk, (int[]){4, 4, 4});
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

static void open_equations(scene *s)
{
    for (int q = 0; q < SCENE_EQUATIONS && s->plan->part[q][0] != NULL; q++) {
        darc_dpolys_t part;
        darc_dpolys_init(part);
        for (int j = 0; j < SCENE_PARTS && s->plan->part[q][j] != NULL; j++)
            case_part(part, s->plan->part[q][j], s->jet);
        ck_assert_int_eq(
            darc_total_init(s->total + q, part, s->jet, true, NULL), DARC_OK);
        darc_dpolys_clear(part, s->jet);
        s->equations++;
    }
}

static void open_signals(scene *s)
{
    const scene_plan *p = s->plan;
    size_t n = (size_t)p->samples;
    for (int k = -p->half; k <= p->half; k++)
        s->kernel[k + p->half] = p->sd / (1 + k * k);
    s->partial = calloc(n, sizeof(double));
    for (int i = 0; i < s->signals; i++) {
        s->column[i].value = calloc(n, sizeof(double));
        for (size_t t = 0; t < n; t++)
            s->column[i].value[t] = p->at(i, (double)t * p->dt);
        s->channel[i] = (darc_weak_channel){.taps = 2 * p->half + 1,
                                            .kernel = s->kernel,
                                            .dof = HUGE_VAL,
                                            .real = 1};
        s->source[i] = (darc_weak_source){i, 1, NULL, 0};
        s->signal[i] = (darc_weak_signal){.value = s->column[i].value,
                                          .sources = p->sd > 0,
                                          .source = s->source + i,
                                          .sd = p->sd};
    }
    for (size_t t = 0; t < n && p->derived > 0; t++)
        s->partial[t] = p->slope(s->column[0].value[t]);
    if (p->derived > 0)
        s->source[p->derived] = (darc_weak_source){0, 1, s->partial, 0};
}

void scene_open(scene *s, const scene_plan *plan)
{
    *s = (scene){.plan = plan};
    open_frame(s);
    open_equations(s);
    open_signals(s);
    s->segment.end = (size_t)plan->samples;
    s->table = (darc_table){.file = "scene",
                            .samples = s->segment.end,
                            .dt = plan->dt,
                            .signals = s->signals,
                            .signal = s->column,
                            .segments = 1,
                            .segment = &s->segment};
    s->data = (darc_weak_data){.table = &s->table,
                               .signal = s->signal,
                               .channel = s->channel,
                               .channels = plan->sd > 0 ? s->signals : 0,
                               .support = plan->support,
                               .smooth = plan->smooth,
                               .piece = plan->piece};
    scene_remake(s);
}

void scene_remake(scene *s)
{
    const darc_total_struct *total[SCENE_EQUATIONS] = {s->total, s->total + 1};
    darc_err err;
    darc_err_init(&err);
    darc_weak_free(s->weak);
    darc_status status =
        darc_weak_new(&s->weak, total, s->equations, &s->data, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

void scene_close(scene *s)
{
    darc_weak_free(s->weak);
    for (int q = 0; q < s->equations; q++)
        darc_total_clear(s->total + q);
    for (int i = 0; i < s->signals; i++)
        free(s->column[i].value);
    free(s->partial);
    darc_jet_clear(s->jet);
}

void scene_disturb(scene *s, double (*derive)(double y), uint64_t *state)
{
    const scene_plan *p = s->plan;
    int n = p->samples, h = p->half;
    double *z = calloc((size_t)(n + 2 * h), sizeof *z);
    for (int i = 0; i < s->signals; i++) {
        double *y = s->column[i].value;
        for (int t = 0; t < n + 2 * h; t++)
            z[t] = case_normal(state);
        for (int t = 0; t < n; t++) {
            bool derived = i > 0 && i == p->derived;
            y[t] =
                derived ? derive(s->column[0].value[t]) : p->at(i, t * p->dt);
            for (int k = 0; k <= 2 * h && !derived; k++)
                y[t] += s->kernel[k] * z[t + k];
        }
    }
    free(z);
}
