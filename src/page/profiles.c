/* profiles.c - the profile likelihoods of parameters, drawn. */
#include "page/evidence.h"
#include "page/svg.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 360,
    HEIGHT = 160,
    LEFT = 40,
    BOTTOM = HEIGHT - 36,
    POINTS = 81
};

/* Return the fall at v, whose root is linear between points, as that of a
 * normal likelihood. */
static double fall_at(const darc_profile_curve *c, double v)
{
    int k = 1;
    while (k + 1 < c->points && c->value[k] < v)
        k++;
    double a = sqrt(fmax(c->fall[k - 1], 0)), b = sqrt(fmax(c->fall[k], 0));
    double part = (v - c->value[k - 1]) / (c->value[k] - c->value[k - 1]);
    return pow(a + part * (b - a), 2);
}

/* Return how far the curve is drawn from its best point on one side: to where
 * it is `most`, or ends. */
static double end_of(const darc_profile_curve *c, int best, int side,
                     double most)
{
    int k = best;
    while (k + side >= 0 && k + side < c->points && c->fall[k] < most)
        k += side;
    if (!(c->fall[k] > most))
        return c->value[k];
    double a = sqrt(fmax(c->fall[k - side], 0)), b = sqrt(c->fall[k]);
    return c->value[k - side] +
           (sqrt(most) - a) / (b - a) * (c->value[k] - c->value[k - side]);
}

static void draw_profile(darc_text_t out, const darc_profile_curve *c,
                         const char *unit)
{
    double v[POINTS], fall[POINTS], most = DARC_PROFILE_DRAWN * c->limit;
    int best = 0;
    for (int k = 1; k < c->points; k++)
        best = c->fall[k] < c->fall[best] ? k : best;
    double from = end_of(c, best, -1, most), to = end_of(c, best, 1, most);
    if (!(from < to))
        return;
    bool log = from > 0 && to > DARC_PROFILE_DECADE * from;
    darc_svg_scale x = {log ? log10(from) : from, log ? log10(to) : to, LEFT,
                        WIDTH - 8, log};
    darc_svg_scale y = {0, most, BOTTOM, 8, false};
    for (int i = 0; i < POINTS; i++) {
        double at = x.from + (x.to - x.from) * i / (POINTS - 1);
        v[i] = log ? pow(10, at) : at;
        fall[i] = fall_at(c, v[i]);
    }
    darc_html_put(out, "<figure>\n<figcaption><b>%s</b></figcaption>\n",
                  c->name);
    darc_svg_begin(out, WIDTH, HEIGHT,
                   "Profile likelihood of %s, %.4g to %.4g, best at %.4g",
                   c->name, from, to, c->value[best]);
    darc_svg_axes(out, &x, &y, unit, false);
    darc_html_put(out, "<path class=\"dash ssoft\" d=\"M%q %qH%q\"/>\n",
                  (double)LEFT, darc_svg_at(&y, c->limit), x.high);
    darc_svg_curve(out, "a", &x, &y,
                   &(darc_svg_points){v, fall, POINTS, false});
    darc_html_put(out, "<circle class=\"fa\" cx=\"%q\" cy=\"%q\" r=\"4\"/>\n",
                  darc_svg_at(&x, c->value[best]), y.low);
    darc_svg_end(out, 0);
}

void darc_profiles_put(darc_sheet *s, const darc_report *r)
{
    if (r->profiles == 0)
        return;
    darc_sheet_section(s, "profiles", "Profiles");
    darc_html_put(s->out, DARC_PAGE_PROFILES, 1 - r->decision.alpha);
    for (int i = 0; i < r->profiles; i++) {
        const char *unit = "";
        for (int k = 0; k < r->values; k++)
            if (strcmp(r->value[k].function, r->profile[i].name) == 0 &&
                r->value[k].unit != NULL)
                unit = r->value[k].unit;
        draw_profile(s->out, r->profile + i, unit);
    }
    darc_text_puts(s->out, "</div>\n");
}
