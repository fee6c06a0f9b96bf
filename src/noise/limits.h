/* limits.h - the numbers that decide in this room, and what fixed them.
 *
 * (1) Percentage of recordings whose noise is called white, at 300, 1000, 3000
 * and 20000 samples, by `make bench BENCH=noise ARGS="600 1"`: six kinds of
 * signals of 5 to 50 samples a period, noise of 0.1 to 5 % of the RMS.
 *
 *   white          31.5  60.2  58.7  51.3
 *   AR .5           0.2   1.3   0.3   0.0
 *   AR .9           0.0   0.2   0.0   0.0
 *   AR .99          0.2   0.3   0.0   0.0
 *   low-pass .05    0.0   0.3   0.0   0.0
 *   low-pass .3     0.3   0.3   0.0   0.0
 *   pink            1.2   0.7   0.0   0.0
 *   random walk     0.2   0.0   0.0   0.0
 *   hum            17.7  47.3  45.3  42.3
 *   t3             33.0  58.2  55.7  50.8
 *   multiplies     27.3  57.8  55.8  49.0
 *   rounding       26.7  47.5  47.7  41.2
 *
 * White noise, by signals (decays after blows and steps through an RC reach
 * beyond half of Nyquist; harmonics of oscillators may be hum that folds):
 *
 *   sines          75.0  98.0  98.0  99.0
 *   multisine      65.0  98.0 100.0  99.0
 *   decays         17.0   7.0   4.0   0.0
 *   predator       15.0  80.0  78.0  59.0
 *   van der Pol    12.0  75.0  71.0  39.0
 *   RC steps        0.0   2.0   0.0   0.0
 */
#pragma once

/* ---- recordings ---------------------------------------------------------- */

enum {
    /* Samples without a gap: 64 leave some 20 independent values. */
    DARC_NOISE_SAMPLES = 64,

    /* Samples of a stretch.  Stretches of up to two thirds of the recording
     * part the lines of periodic signals, which show white noise between them:
     * at 1000 samples it is seen in 66 of 100 cases of (1), with stretches of
     * a third in 49. */
    DARC_STRETCH_LEAST = 32,
    DARC_STRETCH_MOST = 8192,

    /* Longest stretches: between one and two of so many parts of a recording;
     * and those that show where the bulk of the power lies to test functions,
     * of which a dozen have room in a recording. */
    DARC_STRETCH_PARTS = 3,
    DARC_BULK_PARTS = 13,

    /* Stretches: 40 know a level to 0.4 % and take 13 ms for 1e6 samples of
     * three signals, of 30 ms for all that is read off these. */
    DARC_STRETCHES_MOST = 40
};

/* ---- lines in spectra ---------------------------------------------------- */

enum {
    /* Bins on either side of one for the quartile: where lines stand 13 bins
     * apart, nine of them belong to a line. */
    DARC_LINE_REACH = 16,

    /* Bins that a line may be wide, and half the main lobe of the window. */
    DARC_LINE_WIDTH = 12,
    DARC_LINE_SKIRT = 4
};

/* Harmonics of hum that count, from the second: what rectifiers and iron cores
 * make most of.  A third harmonic of .3 of a line, folded into the band of an
 * epidemic of 3000 samples, 5 a period, made a right structure inconsistent in
 * 10 of 10 recordings. */
enum { DARC_HUM_HARMONIC = 3 };

/* Harmonics of a periodic signal that may be taken for hum: so many bins from
 * where they should be (half a bin of the first is one and a half of the
 * third), up to so many times Nyquist (chosen).  Where every multiple up to the
 * fifth counted, whatever lies below it, peaks of multisines passed for the
 * pitch of hum, and 6 of 40 right structures of 3000 samples were inconsistent;
 * 2 now. */
enum { DARC_OWN_NEAR = 2, DARC_OWN_TURNS = 4 };

/* A line is a mode that fades, and no hum, where it is as many times as strong
 * in the first half of a recording as in the second, and as noise: what noise
 * alone makes of the few values of a line stays below (F of 4 and 4 degrees of
 * freedom: one of 1000 lines). */
#define DARC_FADING 50

/* White noise makes a line somewhere in its spectrum with this chance. */
#define DARC_LINE_P 0.01

/* Differences of all of a recording hold so many times as much as those of its
 * quieter half: it acts at times only. */
#define DARC_QUIET_LOUD 10

/* ---- the shelf ----------------------------------------------------------- */

/* The last part below Nyquist may hold the edge of a decimator. */
#define DARC_TOP 0.98

/* Ordinates with which the shelf begins, a standard deviation of 18 %, and of
 * each block below, 29 %. */
#define DARC_TOP_ORDINATES 32
#define DARC_BLOCK_ORDINATES 12

/* Share of the spectrum with which it begins at most, where ordinates are few:
 * those of 64 to 200 samples reached into signals of 10 samples a period, which
 * passed for noise of up to half their RMS.  With a half that was so below 80
 * samples, and at 5 samples a period below 350; an eighth gains nothing below
 * 200. */
#define DARC_TOP_MOST 0.25

/* A block of white noise ends the shelf with this chance; there are up to 40.
 * At 0.01 white noise was found in 3 of 100 cases fewer. */
#define DARC_END_P 0.001

/* The shelf begins above the last block that holds signal by this factor, half
 * a block.  Of 1.0 to 1.2 none is better by more than 2 of 100 cases. */
#define DARC_GUARD 1.1

/* Noise as red as AR(.5) or pink noise is excluded by this many standard
 * deviations of the slope, 99.2 % to one side: at 2 the rates of coloured noise
 * rise above 1 %, at 3 white noise of 300 samples is found in 5 of 100 cases
 * fewer. */
#define DARC_RED_SIGMAS 2.4

/* With these, 99 % to one side, the level inside the band must not be above
 * that of the shelf by more than this factor, which a test of a few hundred
 * moments would not see. */
#define DARC_LEAN_SIGMAS 2.33
#define DARC_LEAN_MOST 1.1

/* Squared relative deviation from the slope, times the averages of a bin: 1 for
 * noise; the 99 % quantile of white noise is 2.0, 1.6, 1.4 and 1.1 at 300,
 * 1000, 3000 and 20000 samples, lines too close to be parted give 5 to 200. */
#define DARC_SCATTER_MOST 3

/* A course is white noise at all frequencies where red noise is excluded by so
 * many standard deviations, from this bin of a spectrum of differences on, and
 * there is no more of it below. */
#define DARC_ALL_SIGMAS 3.3
#define DARC_ALL_BEGIN 5

/* Share of it below which a density does not count; parts of its spectrum
 * (chosen). */
#define DARC_ALL_LEAST 1e-12
enum { DARC_ALL_PARTS = 3 };

/* ---- levels that a signal switches between ------------------------------- */

/* Levels stand farther apart than this share of the range, or else, where there
 * are many, the next, and than the values of one do, by this factor; each holds
 * this share of all (chosen).  Ten levels with noise of 3 % of the RMS are
 * told; at 8 levels at most they were not, and L of a motor 12 % high.  At 32,
 * and at half and twice of the narrow share, 240 verdicts are the same. */
enum { DARC_LEVELS_MOST = 16 };
#define DARC_LEVELS_GAP 0.05
#define DARC_LEVELS_NARROW 0.02
#define DARC_LEVELS_APART 0.5
#define DARC_LEVELS_LEAST 0.02

/* Level of the test that the noise is the same on each. */
#define DARC_LEVELS_P 1e-4

/* Level at which noise on levels is said to act on other signals; at .1 and
 * .001 the same verdicts on 216 recordings but one. */
#define DARC_LEVELS_ACT 0.01

/* ---- amounts ------------------------------------------------------------- */

/* No sensor shows less than this fraction of the RMS of a signal; errors of
 * integration and sampling come first. */
#define DARC_NOISE_FLOOR 1e-6

/* Below this fraction what is flat is what a writer rounded, or a filter left:
 * 16 bits make 1e-5 of the RMS.  Low-pass noise of .1 to 5 %, fourth order,
 * .05 of Nyquist, printed with 6 digits, sinks below it in 14 % of recordings
 * of 3000 samples. */
#define DARC_NOISE_CREDIBLE 1e-5

/* What is stronger than this share of the variance of a signal, 22 % of its sd,
 * is taken for a signal without a band, however flat: steps through an RC that
 * are held for 4 samples end in a flat spectrum.  At .02 noise of 5 % of a
 * signal whose mean is twice its sd is not seen; at .05 coloured noise of 300
 * samples is called white in up to 2.5 of 100 recordings, in 0.5 otherwise; of
 * 1000 and more samples in 1. */
#define DARC_NOISE_SHARE 0.05

/* Steps whose rounding, of variance step^2 / 12, makes more than this share of
 * the noise's variance are named: they can be seen then. */
#define DARC_ROUNDED_SHARE 0.3

/* ---- differences --------------------------------------------------------- */

/* Estimates of neighbouring orders that differ by less stand on the floor;
 * a smooth signal falls faster: at 20 samples a period by 2 sin(pi/20) / 2
 * = 1 / 6.4 an order, at 6 samples a period by 1/2. */
#define DARC_DIFFERENCES_STEP 1.15

/* As many orders in a row make a floor (chosen). */
#define DARC_DIFFERENCES_FLOOR 4

/* ---- inputs that a controller computed ----------------------------------- */

/* A PID controller with a filtered derivative has two poles, and sees three
 * samples of each output, maybe a sample ago.  Beside it stands what this much
 * of the input's own past tells. */
enum {
    DARC_CONTROLLER_POLES = 2,
    DARC_CONTROLLER_TAPS = 4,
    DARC_CONTROLLER_OWN = 8
};

/* Outputs at most, samples at least, and samples looked at, evenly spread: a
 * dozen coefficients are known to a few percent (chosen). */
enum {
    DARC_CONTROLLER_OUTPUTS = 8,
    DARC_CONTROLLER_SAMPLES = 300,
    DARC_CONTROLLER_SEEN = 4096
};

/* What is left is this share, at most, of what the noise of the outputs makes
 * of it, of what the input's own past leaves, and of what an output leaves
 * without memory.  Of inputs that were measured it is 1 and more of the first,
 * but for the few percent that a dozen coefficients take off 300 samples; of a
 * rotary pendulum with a controller .001. */
#define DARC_CONTROLLER_SHARE 0.1

/* What a current tells of the torque that was computed from it holds at all
 * samples, but for faults; what a state feedback tells does so while its set
 * point stands: a share (chosen). */
#define DARC_CONTROLLER_STATIC 0.95

/* Least trimmed squares [Rou84]: drawn starts, of which one in four misses all
 * steps of a set point where these are at every tenth sample; samples by which
 * starts are judged; passes over the share of samples that fit best (chosen);
 * and the share of a column that the others leave, at least: rounding. */
enum {
    DARC_CONTROLLER_TRIALS = 64,
    DARC_CONTROLLER_GLANCE = 512,
    DARC_CONTROLLER_PASSES = 3
};
#define DARC_CONTROLLER_KEPT 0.75
#define DARC_CONTROLLER_PIVOT 1e-12

/* ---- recordings at rest -------------------------------------------------- */

enum {
    DARC_REST_MOST = 1 << 17, /* samples: 10 ms a signal */
    DARC_REST_ORDER = 25,     /* and a tenth of the samples */
    DARC_KERNEL_MOST = 4096   /* taps */
};

/* Noise below this share of a value is its rounding: the sensor stands still.
 */
#define DARC_REST_STILL 1e-12

/* ---- faults of data ------------------------------------------------------ */

/* Standard deviations of noise: a spike is farther off than FAR, its neighbours
 * are nearer than NEAR; white noise reaches 8 once in 1e15.  What differs by
 * SEEN from six neighbours is looked at: one sample in 1000 of white noise, and
 * a spike of 20 beside another.  More than SHARE are no spikes but a course,
 * and so is it if more than MOST are far off. */
#define DARC_SPIKE_FAR 8.0
#define DARC_SPIKE_NEAR 4.5
#define DARC_SPIKE_SEEN 5.0
#define DARC_SPIKE_SHARE 0.05
#define DARC_SPIKE_MOST 0.25

/* Spikes are larger than this share of the spread of a signal: below, what is
 * computed without noise has corners. */
#define DARC_SPIKE_LEAST 2e-3

/* Up to so many samples beside a jump of another signal nothing is a spike: a
 * response that bends at once looks like one (of a cell at 41 samples a step, 9
 * of 9 jumps). */
enum { DARC_SPIKE_BESIDE = 2 };

/* A code stands so many spreads of all other values off these. */
#define DARC_CODE_FAR 10.0

/* Zeros in a row that a cable makes; shares of the samples above are a course.
 */
enum { DARC_ZEROS_LONGEST = 64 };
#define DARC_ZEROS_SHARE 0.1

/* Equal samples in a row, at least, that stick; neighbours elsewhere are equal
 * in at most this share, and the noise before and behind is at least this part
 * of that of the whole, which is at least LOUD of the spread, and FINE times
 * their least step. */
enum { DARC_STUCK_LEAST = 10 };
#define DARC_STUCK_EQUAL 0.2
#define DARC_STUCK_NOISY 0.3
#define DARC_STUCK_LOUD 1e-6
#define DARC_STUCK_CHANCE 1e-6
#define DARC_STUCK_FINE 2.0

/* A course that stops at a limit would have gone on by so many standard
 * deviations of its noise; so many ends show it, at least; or so many samples
 * pile up there, more than within two standard deviations beside. */
#define DARC_CLIPPED_BEYOND 6.0
enum { DARC_CLIPPED_ENDS = 3, DARC_CLIPPED_PILE = 10 };

/* Of a turn: the range of an angle that wraps, at least; steps between jumps,
 * at most; and what a jump may differ from a turn. */
#define DARC_TURN_RANGE 0.9
#define DARC_TURN_STEP 0.25
#define DARC_TURN_OFF 0.05

/* A line is named that stands above what is beside it, in each third of a
 * recording at this part of the most, and is more than this share of a signal.
 */
#define DARC_LINE_ABOVE 8.0
#define DARC_LINE_STEADY 0.6
#define DARC_LINE_LEAST 1e-3

/* Lines that a spectrum may have for any of them to be named: more are those of
 * noise that is narrow; and the samples that are looked at. */
enum { DARC_LINES_ALL = 16, DARC_LINE_PLACES = 8192 };
