/* The colours of the page against WCAG 2.2, level AA: text has 4.5 : 1 to what
 * is behind it, what a plot is read by 3 : 1; in light, in dark, on paper. */
#include "tests.h"

#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double rgb[3], alpha;
} colour;

static darc_text_t css;

/* Set c to the first `--NAME: ...` behind `from`. */
static void read_colour(colour *c, const char *from, const char *name)
{
    char key[40], hex[3] = "";
    snprintf(key, sizeof key, "--%s: ", name);
    const char *s = strstr(from, key);
    ck_assert_msg(s != NULL, "no colour %s", key);
    s += strlen(key);
    c->alpha = 1;
    if (*s != '#') {
        ck_assert_int_eq(sscanf(s, "rgba(%lf, %lf, %lf, %lf)", &c->rgb[0],
                                &c->rgb[1], &c->rgb[2], &c->alpha),
                         4);
        return;
    }
    size_t digits = strspn(s + 1, "0123456789abcdef") / 3;
    ck_assert(digits == 1 || digits == 2);
    for (size_t k = 0; k < 3; k++) {
        hex[0] = s[1 + k * digits];
        hex[1] = s[k * digits + digits];
        c->rgb[k] = (double)strtol(hex, NULL, 16);
    }
}

/* Relative luminance, as WCAG defines it. */
static double luminance(const double *rgb)
{
    static const double share[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double x = rgb[k] / 255;
        sum += share[k] *
               (x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(const colour *a, const colour *b)
{
    double shown[3];
    for (int k = 0; k < 3; k++)
        shown[k] = a->alpha * a->rgb[k] + (1 - a->alpha) * b->rgb[k];
    double x = luminance(shown), y = luminance(b->rgb);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static void check(const char *scheme, const char *name, double alpha,
                  const char *behind, double least)
{
    colour a, b;
    read_colour(&a, scheme, name);
    read_colour(&b, scheme, behind);
    a.alpha *= alpha;
    ck_assert_msg(contrast(&a, &b) >= least, "%s on %s: %.2f, at %.14s", name,
                  behind, contrast(&a, &b), scheme);
}

/* Check every colour that stands in a rule `property: var(--NAME)`, but those
 * that are behind others or for decoration alone. */
static void check_rules(const char *scheme, const char *property, double least)
{
    static const char *const behind[] = {"paper", "wash", "band", "line",
                                         "grid"};
    char name[40], wash[48];
    size_t n = strlen(property);
    int rules = 0;
    for (const char *s = strstr(css->s, property); s != NULL;
         s = strstr(s + 1, property)) {
        if ((s[-1] != ' ' && s[-1] != '{') ||
            sscanf(s + n, " var(--%39[a-z-])", name) != 1)
            continue;
        bool decorates = strstr(name, "-wash") != NULL;
        for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
            decorates = decorates || strcmp(name, behind[i]) == 0;
        if (decorates)
            continue;
        rules++;
        check(scheme, name, 1, "paper", least);
        check(scheme, name, 1, "wash", least);
        snprintf(wash, sizeof wash, "--%s-wash", name);
        if (strstr(scheme, wash) != NULL)
            check(scheme, name, 1, wash + 2, least);
    }
    ck_assert_int_gt(rules, 0);
}

static double opacity_of(const char *rule)
{
    const char *s = strstr(css->s, rule);
    ck_assert_ptr_nonnull(s);
    s = strstr(s, "opacity: ");
    ck_assert_ptr_nonnull(s);
    return strtod(s + 9, NULL);
}

START_TEST(colours_stand_out)
{
    static const char *const begins[] = {
        ":root {", "(prefers-color-scheme: dark) {", "@media print {"};
    static const char *const curves[] = {"a",    "b",   "c",   "d",
                                         "good", "bad", "open"};
    darc_text_init(css);
    test_read_file(css, "src/page/assets/page.css");
    for (int k = 0; k < 3; k++) {
        const char *scheme = strstr(css->s, begins[k]);
        ck_assert_ptr_nonnull(scheme);
        check_rules(scheme, "color:", 4.5);
        check_rules(scheme, "fill:", 3);
        check_rules(scheme, "stroke:", 3);
        check_rules(scheme, "background:", 3);
        check(scheme, "edge", 1, "paper", 3); /* of bands and buttons */
        for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
            check(scheme, curves[i], opacity_of(".interval {"), "paper", 3);
        check(scheme, "ink", opacity_of("svg .zero {"), "paper", 3);
        static const char *const text[] = {"soft", "ink"};
        static const char *const washes[] = {"good-wash", "bad-wash",
                                             "open-wash"};
        for (int i = 0; i < 6; i++)
            check(scheme, text[i % 2], 1, washes[i / 2], 4.5);
    }
    darc_text_clear(css);
}
END_TEST

static void find_opacity(const char *path, const char *name)
{
    darc_text_t source = DARC_TEXT;
    test_read_file(source, path);
    ck_assert_msg(strstr(source->s, "opacity") == NULL,
                  "%s: opacities stand in page.css", name);
    darc_text_clear(source);
}

START_TEST(opacities_stand_in_the_stylesheet)
{
    ck_assert_int_gt(test_walk("src/page", ".c", find_opacity), 5);
}
END_TEST

Suite *suite_contrast(void)
{
    Suite *s = suite_create("contrast");
    TCase *t = tcase_create("contrast");
    tcase_add_test(t, colours_stand_out);
    tcase_add_test(t, opacities_stand_in_the_stylesheet);
    suite_add_tcase(s, t);
    return s;
}
