/* tests.h - the list of suites: one line per tests/test_NAME.c, sorted. */
#ifndef DARC_TESTS_H
#define DARC_TESTS_H

#include <check.h>

#define DARC_SUITES(X)                                                         \
    X(archive)                                                                 \
    X(branch)                                                                  \
    X(broken)                                                                  \
    X(budget)                                                                  \
    X(chain)                                                                   \
    X(chunks)                                                                  \
    X(code)                                                                    \
    X(coeffrel)                                                                \
    X(compare)                                                                 \
    X(contrast)                                                                \
    X(credibility)                                                             \
    X(csv)                                                                     \
    X(csvout)                                                                  \
    X(derive)                                                                  \
    X(differ)                                                                  \
    X(dpoly)                                                                   \
    X(dpoly_diff)                                                              \
    X(dpoly_lead)                                                              \
    X(dpoly_text)                                                              \
    X(drift)                                                                   \
    X(elim)                                                                    \
    X(eliminate)                                                               \
    X(emit)                                                                    \
    X(engine)                                                                  \
    X(examples)                                                                \
    X(expr)                                                                    \
    X(factors)                                                                 \
    X(feature)                                                                 \
    X(field)                                                                   \
    X(formats)                                                                 \
    X(frame)                                                                   \
    X(gls)                                                                     \
    X(golden)                                                                  \
    X(groebner)                                                                \
    X(help)                                                                    \
    X(html)                                                                    \
    X(identify)                                                                \
    X(interval)                                                                \
    X(ioeq)                                                                    \
    X(isolate)                                                                 \
    X(jet)                                                                     \
    X(json)                                                                    \
    X(lanes)                                                                   \
    X(measured)                                                                \
    X(model)                                                                   \
    X(modular)                                                                 \
    X(names)                                                                   \
    X(noise)                                                                   \
    X(noisemodel)                                                              \
    X(number)                                                                  \
    X(parallel)                                                                \
    X(page)                                                                    \
    X(pdiv)                                                                    \
    X(pointwise)                                                               \
    X(practice)                                                                \
    X(primality)                                                               \
    X(prime)                                                                   \
    X(program)                                                                 \
    X(project)                                                                 \
    X(ranking)                                                                 \
    X(recordings)                                                              \
    X(reached)                                                                 \
    X(relation)                                                                \
    X(residual)                                                                \
    X(rewrite)                                                                 \
    X(rigs)                                                                    \
    X(ritt)                                                                    \
    X(rosenfeld)                                                               \
    X(sampled)                                                                 \
    X(samples)                                                                 \
    X(sensitivity)                                                             \
    X(series)                                                                  \
    X(resting)                                                                 \
    X(session)                                                                 \
    X(sha256)                                                                  \
    X(simulate)                                                                \
    X(solved)                                                                  \
    X(spark)                                                                   \
    X(spectrum)                                                                \
    X(spool)                                                                   \
    X(stats)                                                                   \
    X(status)                                                                  \
    X(suggest)                                                                 \
    X(survey)                                                                  \
    X(terminal)                                                                \
    X(text)                                                                    \
    X(theil)                                                                   \
    X(token)                                                                   \
    X(total)                                                                   \
    X(tower)                                                                   \
    X(wave)                                                                    \
    X(weak)                                                                    \
    X(weakdoubt)                                                               \
    X(weakcheck)                                                               \
    X(weights)

#define DARC_SUITE_DECLARE(name) Suite *suite_##name(void);
DARC_SUITES(DARC_SUITE_DECLARE)
#undef DARC_SUITE_DECLARE

#endif
