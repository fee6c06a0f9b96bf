/* option_list.h - the table of all options, from which their identifiers,
 * parsing, --help and completions are made.
 *
 * A row says identifier, name, then what its kind has: the argument ("P", or
 * the words of a choice, split at '|'), the bounds of a number, the default as
 * text (NULL: none); at last the commands it belongs to (sets of DARC_CMD_...
 * are named in options.c) and its help.  PAIRS are NAME=VALUE,... or NAME,...;
 * they may be given again and add up.
 */
#ifndef DARC_CLI_OPTION_LIST_H
#define DARC_CLI_OPTION_LIST_H

#define DARC_OPTION_LIST(FLAG, TEXT, PAIRS, CHOICE, REAL, WHOLE)               \
    CHOICE(FOR, "--for", "structure|equal|changed", NULL, DARC_CMD_ELIMINATE,  \
           "the relation of this test")                                        \
    PAIRS(CHANGED, "--changed", "P[,P...]",                                    \
          DARC_CMD_ELIMINATE | DARC_CMD_CHECK,                                 \
          "parameters that differ between the recordings")                     \
    PAIRS(KEEP, "--keep", "NAME[,NAME...]", DARC_CMD_ELIMINATE,                \
          "eliminate everything but these names")                              \
    TEXT(RANKING, "--ranking", "\"x1 x2 >> m c >> y\"", NULL, MODEL,           \
         "blocks to eliminate, highest first")                                 \
    CHOICE(FORM, "--form", "expanded|matrix|io|support", NULL,                 \
           DARC_CMD_ELIMINATE, "form of the result")                           \
    FLAG(ALL_COMPONENTS, "--all-components", DARC_CMD_ELIMINATE,               \
         "the singular components too")                                        \
    CHOICE(FORMAT, "--format", "text|latex|json|c|python", "text",             \
           DARC_CMD_ELIMINATE, "language of the result")                       \
    FLAG(SUMMARY, "--summary", DARC_CMD_ELIMINATE,                             \
         "orders, terms and degrees, not the equations")                       \
    CHOICE(ENGINE, "--engine", "auto|general|project|linear", "auto", MODEL,   \
           "elimination engine")                                               \
    CHOICE(METHOD, "--method", "weak|pointwise|auto", "auto", DECIDE,          \
           "how the relation is held against data")                            \
    REAL(ALPHA, "--alpha", "P", 1e-12, 0.5, "0.01", DATA,                      \
         "false-alarm probability of one test")                                \
    REAL(TOLERANCE, "--tolerance", "R", 0, 1e3, "0",                           \
         DECIDE | DARC_CMD_COMPARE,                                            \
         "defect that does not matter, a fraction (0.02 = 2 %)")               \
    PAIRS(NOISE, "--noise", "NAME=SD,...", DECIDE,                             \
          "known noise of a signal, in its unit")                              \
    TEXT(NOISE_FROM, "--noise-from", "DATA", NULL, DECIDE,                     \
         "recording at rest, whose spectra are the noise")                     \
    PAIRS(MAP, "--map", "NAME=COLUMN,...",                                     \
          DATA | DARC_CMD_SIMULATE | DARC_CMD_DATA,                            \
          "the model's name for a column")                                     \
    PAIRS(SCALE, "--scale", "NAME=F,...", DATA | DARC_CMD_DATA,                \
          "factor into the model's unit")                                      \
    TEXT(TIME, "--time", "COLUMN", NULL, DATA | DARC_CMD_DATA, "time column")  \
    REAL(RATE, "--rate", "HZ", 1e-12, 1e12, NULL, DATA | DARC_CMD_DATA,        \
         "sampling rate where there is no time column")                        \
    REAL(FROM, "--from", "T", -1e300, 1e300, NULL, DATA | DARC_CMD_DATA,       \
         "begin of the part used, s")                                          \
    REAL(TO, "--to", "T", -1e300, 1e300, NULL, DATA | DARC_CMD_DATA,           \
         "end of the part used, s")                                            \
    TEXT(AGAINST, "--against", "TERM[,TERM...]", NULL, DARC_CMD_CHECK,         \
         "test against these missing terms")                                   \
    TEXT(DIFF, "--diff", "central2|central4|central6|sg:WINDOW,DEGREE",        \
         "central4", DECIDE, "derivative of the pointwise method")             \
    TEXT(BASELINE, "--baseline", "DATA", NULL, DARC_CMD_DRIFT,                 \
         "reference recording instead of the first")                           \
    TEXT(DB, "--db", "FILE.sqlite", NULL, DARC_CMD_DRIFT,                      \
         "keep the fits; hold recordings against those kept")                  \
    PAIRS(PARAM, "--param", "m=300,...", DARC_CMD_SIMULATE,                    \
          "values of the parameters")                                          \
    PAIRS(INIT, "--init", "x=1,...", DARC_CMD_SIMULATE,                        \
          "initial values of states, 0 where not given")                       \
    TEXT(INPUT, "--input", "NAME=SIGNAL", NULL, DARC_CMD_SIMULATE,             \
         "an input, each once: FILE.csv, constant:V,\n"                        \
         "                            step:AMPL,T, sine:AMPL,HZ[,PHASE],\n"    \
         "                            chirp:AMPL,HZ0,HZ1,T, "                  \
         "multisine:RMS,HZ0,HZ1,\n"                                            \
         "                            road:CLASS,M/S; sums with +")            \
    REAL(T_END, "--t-end", "S", 1e-12, 1e12, "10", DARC_CMD_SIMULATE,          \
         "end of the simulation, s")                                           \
    REAL(SIM_RATE, "--rate", "HZ", 1e-12, 1e12, "1000", DARC_CMD_SIMULATE,     \
         "samples per second")                                                 \
    REAL(SIM_NOISE, "--noise", "R", 0, 1e6, "0", DARC_CMD_SIMULATE,            \
         "white noise on outputs, relative to their RMS")                      \
    PAIRS(SIM_KEEP, "--keep", "NAME[,NAME...]", DARC_CMD_SIMULATE,             \
          "write these signals only")                                          \
    TEXT(OUTPUT, "-o", "OUT.csv", "-", DARC_CMD_SIMULATE,                      \
         "file for the recording")                                             \
    PAIRS(COLUMNS, "--columns", "NAME[,NAME...]", DARC_CMD_COMPARE,            \
          "outputs to compare; all that every file has")                       \
    PAIRS(FEATURES, "--features", "NAME[,NAME...]|none", DARC_CMD_COMPARE,     \
          "features that count; where not given, all if the reference is a "   \
          "step response")                                                     \
    REAL(TARGET, "--target", "V", -1e300, 1e300, NULL, DARC_CMD_COMPARE,       \
         "set point, for the steady-state error")                              \
    PAIRS(REFERENCE, "--reference", "FILE[,FILE...]", DARC_CMD_COMPARE,        \
          "further reference runs; all are averaged")                          \
    FLAG(PAIRED, "--paired", DARC_CMD_COMPARE,                                 \
         "run k of both was made under the same conditions")                   \
    FLAG(SPECTRA, "--spectra", DARC_CMD_COMPARE, "power spectra too")          \
    PAIRS(NOMINAL, "--nominal", "NAME=V,...", DARC_CMD_COMPARE,                \
          "size of a signal whose reference is near zero")                     \
    REAL(LAMBDA_PROXIMITY, "--lambda-proximity", "L", 1e-9, 1e9, "0.5",        \
         DARC_CMD_COMPARE, "of exp(-lambda Theil)")                            \
    REAL(LAMBDA_SHAPE, "--lambda-shape", "L", 1e-9, 1e9, "0.5",                \
         DARC_CMD_COMPARE, "of the grey relational degree")                    \
    REAL(LAMBDA_FEATURE, "--lambda-feature", "L", 1e-9, 1e9, "0.5",            \
         DARC_CMD_COMPARE, "of exp(-lambda relative error)")                   \
    FLAG(CHECKLIST, "--checklist", DARC_CMD_COMPARE,                           \
         "validation in four steps, and what is still to do")                  \
    PAIRS(VARIED, "--varied", "REFERENCE,SIMULATION", DARC_CMD_COMPARE,        \
          "both after the same change of a parameter")                         \
    PAIRS(CALIBRATED, "--calibrated", "FILE[,FILE...]", DARC_CMD_COMPARE,      \
          "recordings that were used to calibrate")                            \
    TEXT(TABLE, "--table", "FILE.csv", NULL, DARC_CMD_COMPARE,                 \
         "weigh computed consistencies, one run a row")                        \
    REAL(ACCEPT, "--accept", "C", 0, 1, NULL, DARC_CMD_COMPARE,                \
         "exit code 1 below this consistency")                                 \
    TEXT(JSON, "--json", "FILE", NULL,                                         \
         ALL & ~(unsigned)(DARC_CMD_SIMULATE | DARC_CMD_DEMO |                 \
                           DARC_CMD_ELIMINATE),                                \
         "report; - is standard output")                                       \
    TEXT(HTML, "--html", "FILE", NULL, DATA | DARC_CMD_CREDIBILITY,            \
         "report as one page for a browser; - is standard output")             \
    TEXT(CSV, "--csv", "FILE", NULL, DARC_CMD_CHECK | DARC_CMD_DRIFT,          \
         "residual series")                                                    \
    REAL(TIMEOUT, "--timeout", "S", 0.01, 1e9, NULL, ALL,                      \
         "stop after S seconds with what is known so far")                     \
    REAL(MEMORY, "--memory", "MB", 1, 1e9, NULL, ALL,                          \
         "stop when more memory is needed")                                    \
    WHOLE(THREADS, "--threads", "N", 1, 1024, NULL, ALL,                       \
          "threads; all cores where not given")                                \
    WHOLE(SEED, "--seed", "N", 0, 1e15, "1", ALL, "seed of everything random") \
    FLAG(QUIET, "--quiet", ALL, "only the verdict")                            \
    FLAG(VERBOSE, "--verbose", ALL, "what was done, and how it was checked")   \
    FLAG(NO_PROGRESS, "--no-progress", ALL, "no progress line on a terminal")

#endif
