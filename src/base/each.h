/* each.h - the same done to each of up to eight things, in the order listed.
 *
 *     DARC_EACH(darc_text_clear, head, body);
 *     DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
 */
#pragma once

/* Call f(x) for each x listed; f(x, in). */
#define DARC_EACH(f, ...) DARC_EACH_BY(DARC_CALL, f, 0, __VA_ARGS__)
#define DARC_EACH_IN(f, in, ...) DARC_EACH_BY(DARC_CALL_IN, f, in, __VA_ARGS__)

#define DARC_CALL(f, in, x) f(x)
#define DARC_CALL_IN(f, in, x) f(x, in)

/* Call f(list + k), or f(list[k]), for each k from 0 to n - 1; f(.., in). */
#define DARC_ALL(f, list, n) DARC_COUNT(n, f((list) + k_))
#define DARC_ALL_IN(f, in, list, n) DARC_COUNT(n, f((list) + k_, in))
#define DARC_ALL_OF(f, list, n) DARC_COUNT(n, f((list)[k_]))
#define DARC_ALL_OF_IN(f, in, list, n) DARC_COUNT(n, f((list)[k_], in))
#define DARC_COUNT(n, call)                                                    \
    do                                                                         \
        for (long k_ = 0; k_ < (long)(n); k_++)                                \
            call;                                                              \
    while (0)

/* Let the n items of a list have that value. */
#define DARC_FILL(list, n, value) DARC_COUNT(n, (list)[k_] = (value))

/* Exchange two things of a type. */
#define DARC_SWAP(type, a, b)                                                  \
    do {                                                                       \
        type swap_ = (a);                                                      \
        (a) = (b);                                                             \
        (b) = swap_;                                                           \
    } while (0)

/* Halve low .. high, numbers of a type, until they are neighbours: `holds`, of
 * the number k between, is true up to low, and no more from high on. */
#define DARC_BISECT(type, low, high, k, holds)                                 \
    while ((high) - (low) > 1) {                                               \
        const type k = (low) + ((high) - (low)) / 2;                           \
        *((holds) ? &(low) : &(high)) = k;                                     \
    }

/* Let members of *to be those of *from. */
#define DARC_SAME(to, from, ...)                                               \
    DARC_EACH_BY(DARC_SAME_ONE, to, from, __VA_ARGS__)
#define DARC_SAME_ONE(to, from, member) ((to)->member = (from)->member)

/* Do the next step where all went well so far: `status` is what it returns. */
#define DARC_THEN(call)                                                        \
    do {                                                                       \
        if (status == DARC_OK)                                                 \
            status = (call);                                                   \
    } while (0)

/* The macro m(f, in, x) for each x listed, as one expression. */
#define DARC_EACH_BY(m, f, in, ...)                                            \
    (DARC_NINTH(__VA_ARGS__, DARC_BY8, DARC_BY7, DARC_BY6, DARC_BY5, DARC_BY4, \
                DARC_BY3, DARC_BY2, DARC_BY1, 0)(m, f, in, __VA_ARGS__))
#define DARC_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define DARC_BY1(m, f, in, x) m(f, in, x)
#define DARC_BY2(m, f, in, x, ...) m(f, in, x), DARC_BY1(m, f, in, __VA_ARGS__)
#define DARC_BY3(m, f, in, x, ...) m(f, in, x), DARC_BY2(m, f, in, __VA_ARGS__)
#define DARC_BY4(m, f, in, x, ...) m(f, in, x), DARC_BY3(m, f, in, __VA_ARGS__)
#define DARC_BY5(m, f, in, x, ...) m(f, in, x), DARC_BY4(m, f, in, __VA_ARGS__)
#define DARC_BY6(m, f, in, x, ...) m(f, in, x), DARC_BY5(m, f, in, __VA_ARGS__)
#define DARC_BY7(m, f, in, x, ...) m(f, in, x), DARC_BY6(m, f, in, __VA_ARGS__)
#define DARC_BY8(m, f, in, x, ...) m(f, in, x), DARC_BY7(m, f, in, __VA_ARGS__)
