#include "trajectory/seek.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/columns.h"
#include "trajectory/lead.h"
#include "trajectory/linear.h"
#include "trajectory/scales.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

static size_t cut_of(const darc_match *m)
{
    size_t every = 1;
    for (int r = 0; r < m->runs; r++)
        if (m->run[r].n / DARC_SEEK_PIECES > every)
            every = m->run[r].n / DARC_SEEK_PIECES;
    return every;
}

/* Improve m in pieces, then in one. */
static darc_status improve(darc_match *m, bool signs, int steps, darc_err *err)
{
    static const double gap[] = {.3, .03, .003};
    darc_status status = DARC_OK;
    if (m->run->piece > 0)
        return darc_match_lead(m, signs, steps, err);
    if (darc_match_cut(m, cut_of(m), true))
        for (int k = 0; k < 3 && status == DARC_OK; k++) {
            m->gap = gap[k];
            status = darc_match_run(m, DARC_SEEK_STEPS, signs, err);
            if (m->square == HUGE_VAL)
                break;
        }
    if (status != DARC_OK || !darc_match_cut(m, 0, false))
        m->square = HUGE_VAL;
    else
        status = darc_match_run(m, steps, signs, err);
    return status;
}

/* Whether a parameter went to where no draw begins, and is not known there: a
 * model with one of its parameters at infinity may be the next best within a
 * wide region. */
static bool strays(darc_match *m, const darc_scales *at)
{
    double reach = pow(10, DARC_SEEK_DECADES);
    bool far = false, lost = false;
    for (int k = 0; k < m->columns; k++)
        far |= fabs(m->theta[k]) > reach * at->parameter[k];
    if (!far)
        return false;
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, m);
    double dof = fmax((double)l.rows - l.rank, 1);
    for (int k = 0; k < m->columns && good; k++) {
        double variance = l.inverse[k * l.columns + k] * m->square / dof;
        lost |= fabs(m->theta[k]) > reach * at->parameter[k] &&
                (l.unseen[k] > DARC_LINEAR_UNSEEN ||
                 !(sqrt(variance) < DARC_SEEK_KNOWN * fabs(m->theta[k])));
    }
    darc_linear_match_clear(&l);
    return lost || !good;
}

/* Whether a draw's match is to be kept: one that strayed is no better than
 * another of the same sum of squares. */
static bool is_better(darc_match *one, darc_match *best, const darc_scales *at)
{
    return one->square < best->square ||
           (one->square < best->square * (1 + DARC_SEEK_SAME) &&
            strays(best, at) && !strays(one, at));
}

/* Leave no others of a larger sum of squares than `most`. */
static void drop_others(darc_sought *s, double most)
{
    for (int i = s->others - 1; i >= 0; i--)
        if (s->other[i].square > most) {
            darc_match_clear(s->other + i);
            s->other[i] = s->other[--s->others];
        }
}

/* Whether no parameter of both differs by more than DARC_SEEK_APART. */
static bool is_near(const darc_match *a, const darc_match *b)
{
    bool near = true;
    for (int k = 0; k < a->columns; k++)
        near = near && fabs(a->theta[k] - b->theta[k]) <=
                           DARC_SEEK_APART * fabs(a->theta[k] + b->theta[k]);
    return near;
}

void darc_seek_keep(darc_sought *s, darc_match *m)
{
    double worst = 0;
    for (int i = 0; i < s->others; i++) {
        worst = fmax(worst, s->other[i].square);
        if (is_near(s->other + i, m))
            return;
    }
    if (s->others == DARC_SEEK_OTHERS && m->square < worst)
        drop_others(s, nextafter(worst, 0));
    if (s->others == DARC_SEEK_OTHERS)
        return;
    DARC_ROOM(s->other, s->others);
    s->other[s->others++] = *m;
    *m = (darc_match){.flow = NULL};
}

/* Hand over where the search stands, for the case that time ends it. */
static void show_so_far(const darc_sought *s, const darc_match *m, int most)
{
    const darc_flow *w = m->flow;
    darc_text_t out = DARC_TEXT;
    darc_budget_progress(m->budget,
                         &(darc_progress){.stage = "matching trajectories",
                                          .done = s->draws,
                                          .total = most});
    for (int k = 0; k < w->params; k++)
        darc_text_printf(out, "%s%s = %.3g", k > 0 ? ", " : "",
                         w->names->symbol[w->param[k]].name, m->theta[k]);
    darc_text_puts(out, " (best match so far, its errors are not known)\n");
    if (m->square < HUGE_VAL && w->params > 0)
        darc_budget_partial(m->budget, out->s);
    darc_text_clear(out);
}

/* Make draws until the best comes again and again, and did not stray. */
static darc_status draw_all(darc_sought *s, darc_match *m, darc_scales *at,
                            bool brisk, darc_err *err)
{
    darc_match one;
    darc_status status = DARC_OK;
    bool astray = false;
    int enough = s->all              ? DARC_SEEK_DRAWS
                 : m->run->piece > 0 ? DARC_TRAJECTORY_MET
                                     : DARC_SEEK_MET;
    int most = at->near != NULL ? DARC_SEEK_BESIDE : DARC_SEEK_DRAWS;
    m->square = HUGE_VAL;
    drop_others(s, -1);
    int least = m->run->piece > 0 ? 0 : DARC_SEEK_LEAST;
    for (; s->draws < most && (s->draws < least || s->met < enough || astray);
         s->draws++) {
        darc_match_init(&one, m->flow, m->run, m->runs, NULL, m->budget);
        one.shooter.brisk = brisk;
        one.ends = DARC_SEEK_ENDS;
        memcpy(one.size, at->state, (size_t)m->flow->n * sizeof *one.size);
        darc_scales_draw(&one, at, s->draws);
        status = improve(&one, s->draws < DARC_SEEK_POSITIVE,
                         2 * DARC_SEEK_STEPS, err);
        if (s->draws >= DARC_SEEK_POSITIVE)
            one.square *= DARC_SEEK_NEGATIVE;
        if (status == DARC_OK && one.square < HUGE_VAL) {
            bool same = one.square < m->square * (1 + DARC_SEEK_SAME) &&
                        one.square > m->square * (1 - DARC_SEEK_SAME);
            s->met = same ? s->met + 1 : one.square < m->square ? 1 : s->met;
            if (is_better(&one, m, at)) {
                darc_match_set(m, &one);
                m->square = one.square;
                astray = strays(m, at);
            }
            if (one.square < m->square * DARC_SEEK_OTHER)
                darc_seek_keep(s, &one);
            drop_others(s, m->square * DARC_SEEK_OTHER);
        }
        darc_match_clear(&one);
        if (status != DARC_OK)
            break;
        show_so_far(s, m, most);
    }
    return status;
}

/* Return -2 log likelihood, growth at its price. */
static double surprise_of(const darc_sought *s, int outputs)
{
    double sum = 0;
    for (int j = 0; j < outputs; j++)
        sum += s->level[j].surprise +
               (s->level[j].grows > 0 ? DARC_LEVEL_GROWS : 0) +
               (s->level[j].runs > 0 ? DARC_LEVEL_GROWS : 0);
    return sum;
}

/* Find levels and the match in turns, but end where these are so much less
 * likely than `least`, and hardly likelier from turn to turn. */
static darc_status take_turns(darc_sought *s, darc_match *m, double least,
                              darc_err *err)
{
    double before = HUGE_VAL;
    for (int turn = 0; turn < DARC_LEVEL_TURNS; turn++) {
        double change = darc_level_take(s->level, m, &s->taken);
        double now = surprise_of(s, m->flow->outputs);
        if (now - least >
            DARC_LEVEL_HOPELESS + DARC_LEVEL_TURNS * (before - now))
            break;
        DARC_NEED(darc_match_run(m, DARC_SEEK_LAST, false, err));
        if (change < DARC_LEVEL_SETTLED)
            break;
        before = now;
    }
    return DARC_OK;
}

darc_status darc_seek_levels(darc_sought *s, darc_match *m, darc_err *err)
{
    return take_turns(s, m, HUGE_VAL, err);
}

darc_status darc_seek_grown(darc_sought *s, darc_match *m, const double *grows,
                            double all, double least, darc_err *err)
{
    for (int j = 0; j < m->flow->outputs; j++) {
        s->level[j].grows = grows != NULL ? grows[j] : all;
        s->level[j].held = true;
    }
    DARC_NEED(take_turns(s, m, least, err));
    for (int j = 0; j < m->flow->outputs; j++)
        s->level[j].held = false;
    return DARC_OK;
}

/* A match with even weights misses small samples by as much as large ones, so
 * that growth does not show in what it leaves: it is matched with each, and the
 * likeliest is taken. */
darc_status darc_seek_growth(darc_sought *s, darc_match *m, darc_err *err)
{
    static const double grows[] = {1, 4, 30};
    int q = m->flow->outputs;
    darc_match best;
    darc_status status;
    double *chosen = darc_calloc((size_t)q + 1, sizeof *chosen), least = 0;
    bool open = m->run->piece == 0;
    darc_match_like(&best, m);
    DARC_TRY(darc_seek_grown(s, m, NULL, 0, HUGE_VAL, err));
    DARC_TRY(darc_seek_levels(s, m, err));
    for (int j = 0; j < q; j++)
        open = open && !s->level[j].known && !s->level[j].exact;
    for (int k = -1; k < 3 && open; k++) {
        if (k >= 0)
            DARC_TRY(darc_seek_grown(s, m, NULL, grows[k], least, err));
        if (k >= 0 && surprise_of(s, q) - least > DARC_LEVEL_HOPELESS) {
            darc_match_set(m, &best);
            continue;
        }
        if (k >= 0)
            DARC_TRY(darc_seek_levels(s, m, err));
        double now = surprise_of(s, q);
        if (!(m->square < HUGE_VAL) || (k >= 0 && !(now < least)))
            continue;
        least = now;
        darc_match_set(&best, m);
        for (int j = 0; j < q; j++)
            chosen[j] = s->level[j].grows;
    }
    if (open) {
        darc_match_set(m, &best);
        DARC_TRY(darc_seek_grown(s, m, chosen, 0, HUGE_VAL, err));
    }
done:
    darc_match_clear(&best);
    darc_free(chosen);
    return status;
}

/* Go on to all recordings from the first ones; in pieces where their states
 * do not lead there. */
static darc_status go_on(darc_match *m, const darc_match *part, darc_scales *at,
                         darc_err *err)
{
    size_t n = (size_t)m->flow->n, rows = 0, few = 0;
    for (int r = 0; r < m->runs; r++) {
        rows += darc_match_rows(m, r);
        few += r < part->runs ? darc_match_rows(m, r) : 0;
    }
    for (int turn = 0; turn < 2; turn++) {
        darc_scales_draw(m, at, 0);
        memcpy(m->theta, part->theta, (size_t)m->columns * sizeof *m->theta);
        for (int r = 0; r < m->runs; r++)
            if (turn > 0 || r < part->runs)
                memcpy(m->pieces[r].x, part->pieces[r < part->runs ? r : 0].x,
                       n * sizeof(double));
        if (turn > 0)
            return improve(m, false, DARC_SEEK_LAST, err);
        DARC_NEED(darc_match_run(m, DARC_SEEK_LAST, false, err));
        if (m->square / (double)rows <=
            DARC_SEEK_ALIKE * part->square / (double)few)
            break;
    }
    return DARC_OK;
}

/* Draw on the first recordings, steps amid samples, and go on to all from
 * there. */
static darc_status draw_first(darc_sought *s, darc_match *m, darc_scales *at,
                              darc_err *err)
{
    int some = m->runs < DARC_SEEK_PART ? m->runs : DARC_SEEK_PART;
    darc_match part;
    darc_status status;
    for (int r = 0; r < m->runs; r++)
        m->run[r].still = true;
    darc_match_init(&part, m->flow, m->run, some, NULL, m->budget);
    s->draws = s->met = 0;
    DARC_TRY(draw_all(s, &part, at, true, err));
    if (!(part.square < HUGE_VAL)) {
        s->draws = 0;
        DARC_TRY(draw_all(s, &part, at, false, err));
    }
    m->square = HUGE_VAL;
    for (int r = 0; r < m->runs; r++)
        m->run[r].still = false;
    if (part.square < HUGE_VAL)
        DARC_TRY(go_on(m, &part, at, err));
done:
    darc_match_clear(&part);
    return status;
}

/* Draw with the weights as they are, and let m be what is better. */
static darc_status draw_again(darc_sought *s, darc_match *m, darc_scales *at,
                              darc_err *err)
{
    darc_match other;
    darc_status status;
    darc_match_init(&other, m->flow, m->run, m->runs, NULL, m->budget);
    memcpy(other.size, m->size, (size_t)m->flow->n * sizeof *m->size);
    DARC_TRY(draw_first(s, &other, at, err));
    if (other.square < m->square) {
        darc_match_set(m, &other);
        DARC_TRY(darc_match_run(m, DARC_SEEK_LAST, false, err));
    } else if (m->square < other.square * (1 - DARC_SEEK_SAME)) {
        s->met = 1;
    }
done:
    darc_match_clear(&other);
    return status;
}

darc_status darc_seek_draw(darc_sought *s, darc_match *m, unsigned long seed,
                           darc_err *err)
{
    darc_scales at;
    darc_scales_init(&at, m, NULL);
    darc_random_init(&at.random, seed, 0x6167);
    darc_status status = draw_again(s, m, &at, err);
    darc_scales_clear(&at);
    return status;
}

darc_status darc_seek(darc_sought *s, darc_match *m, const double *sd,
                      const double *near, unsigned long seed, darc_err *err)
{
    const darc_flow *w = m->flow;
    darc_status status;
    darc_scales at;
    *s = (darc_sought){.level = NULL};
    s->level = darc_calloc((size_t)w->outputs + 1, sizeof *s->level);
    darc_random_init(&at.random, seed, 0x7261);
    darc_level_guess(s->level, m, sd);
    darc_scales_init(&at, m, near);
    memcpy(m->size, at.state, (size_t)w->n * sizeof *m->size);
    DARC_TRY(draw_first(s, m, &at, err));
    if (!(m->square < HUGE_VAL))
        goto done;
    DARC_TRY(darc_seek_growth(s, m, err));
    if (strays(m, &at)) {
        DARC_TRY(draw_again(s, m, &at, err));
        DARC_TRY(darc_seek_growth(s, m, err));
    }
done:
    darc_scales_clear(&at);
    return status;
}

double darc_sought_surprise(const darc_sought *s, int outputs)
{
    double sum = 0;
    for (int j = 0; j < outputs; j++)
        sum += s->level[j].surprise;
    return sum;
}

void darc_sought_clear(darc_sought *s)
{
    drop_others(s, -1);
    DARC_FREE(s->level, s->other);
    *s = (darc_sought){.level = NULL};
}
