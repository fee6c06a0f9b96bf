/* Tables as the programs of many makers write them: each has the same eight
 * values in one column. */
#include "tests.h"

#include "recording.h"

#include "base/text.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

enum { ROWS = 8, WAYS = 20 };

static const double expected[ROWS] = {2.841, 2.993, 2.677, 2.045,
                                      1.392, 1.027, 1.123, 1.633};

static const struct {
    const char *maker, *text;
    double step; /* s */
    const char *signal, *unit;
} layouts[] = {
    {"Arbin",
     "Data_Point,Date_Time,Test_Time(s),Current(A),Voltage(V)\n"
     "1,02/03/2026 10:00:00,0.0000,2.000,2.841\n"
     "2,02/03/2026 10:00:01,1.0000,2.645,2.993\n"
     "3,02/03/2026 10:00:02,2.0000,2.987,2.677\n"
     "4,02/03/2026 10:00:03,3.0000,2.866,2.045\n"
     "5,02/03/2026 10:00:04,4.0000,2.339,1.392\n"
     "6,02/03/2026 10:00:05,5.0000,1.654,1.027\n"
     "7,02/03/2026 10:00:06,6.0000,1.134,1.123\n"
     "8,02/03/2026 10:00:07,7.0000,1.025,1.633\n",
     1, "Voltage", "V"},
    {"BioLogic",
     "EC-Lab ASCII FILE\nNb header lines : 4\n"
     "Acquired on : 02/03/2026 10:00:00\nmode\ttime/s\tEwe/V\t<I>/mA\t\n"
     "1\t0.000000E+00\t2.000\t2.841\n1\t5.000000E-01\t2.645\t2.993\n"
     "1\t1.000000E+00\t2.987\t2.677\n1\t1.500000E+00\t2.866\t2.045\n"
     "1\t2.000000E+00\t2.339\t1.392\n1\t2.500000E+00\t1.654\t1.027\n"
     "1\t3.000000E+00\t1.134\t1.123\n1\t3.500000E+00\t1.025\t1.633\n",
     0.5, "<I>", "mA"},
    {"Novonix",
     "[Summary]\nCell: 12\n[End Summary]\n[Data]\n"
     "Date and Time,Step Time (h),Potential (V)\n"
     "2026-02-03 10:00:00,0.00000,2.841\n"
     "2026-02-03 10:01:00,0.01667,2.993\n"
     "2026-02-03 10:02:00,0.03333,2.677\n"
     "2026-02-03 10:03:00,0.05000,2.045\n"
     "2026-02-03 10:04:00,0.06667,1.392\n"
     "2026-02-03 10:05:00,0.08333,1.027\n"
     "2026-02-03 10:06:00,0.10000,1.123\n"
     "2026-02-03 10:07:00,0.11667,1.633\n",
     60, "Potential", "V"},
    {"PicoLog",
     ",Ch1 Ave. (C),Ch2 Ave. (V)\n"
     "2026-02-03T10:00:00+01:00,2.000,2.841\n"
     "2026-02-03T10:00:01+01:00,2.645,2.993\n"
     "2026-02-03T10:00:02+01:00,2.987,2.677\n"
     "2026-02-03T10:00:03+01:00,2.866,2.045\n"
     "2026-02-03T10:00:04+01:00,2.339,1.392\n"
     "2026-02-03T10:00:05+01:00,1.654,1.027\n"
     "2026-02-03T10:00:06+01:00,1.134,1.123\n"
     "2026-02-03T10:00:07+01:00,1.025,1.633\n",
     1, "Ch2 Ave.", "V"},
    {"Keysight",
     "x-axis,1\nsecond,Volt\n-1.50000E+00,2.841\n-1.00000E+00,2.993\n"
     "-5.00000E-01,2.677\n+0.00000E+00,2.045\n+5.00000E-01,1.392\n"
     "+1.00000E+00,1.027\n+1.50000E+00,1.123\n+2.00000E+00,1.633\n",
     0.5, "1", "Volt"},
    {"Rohde & Schwarz",
     "in s,C1 in V\n-1.50000E+00,2.841\n-1.00000E+00,2.993\n"
     "-5.00000E-01,2.677\n0.00000E+00,2.045\n5.00000E-01,1.392\n"
     "1.00000E+00,1.027\n1.50000E+00,1.123\n2.00000E+00,1.633\n",
     0.5, "C1", "V"},
    {"Tektronix",
     "Model,MSO\nSample Interval,0.5\n\nTIME,CH1\n-1.50000E+00,2.841\n"
     "-1.00000E+00,2.993\n-5.00000E-01,2.677\n0.00000E+00,2.045\n"
     "5.00000E-01,1.392\n1.00000E+00,1.027\n1.50000E+00,1.123\n"
     "2.00000E+00,1.633\n",
     0.5, "CH1", ""},
    {"Tektronix, settings beside",
     "Record Length,8,,  0.000,  2.841,\n"
     "Sample Interval,5e-1,,  0.500,  2.993,\n"
     "Source,CH2,,  1.000,  2.677,\nVertical Units,A,,  1.500,  2.045,\n"
     "Horizontal Units,s,,  2.000,  1.392,\n,,,  2.500,  1.027,\n"
     ",,,  3.000,  1.123,\n,,,  3.500,  1.633,\n",
     0.5, "CH2", "A"},
    {"Rigol",
     "X,CH1,Start,Increment,\nSequence,Volt,-1.0,0.5\n0,2.841,\n"
     "1,2.993,\n2,2.677,\n3,2.045,\n4,1.392,\n5,1.027,\n6,1.123,\n"
     "7,1.633,\n",
     0.5, "CH1", "Volt"},
    {"MoTeC",
     "\"Format\",\"MoTeC CSV File\",,\n\"Sample Rate\",\"2\",\"Hz\",\n\n"
     "\"Time\",\"Speed\",\"Throttle\"\n\"s\",\"km/h\",\"%\"\n\n"
     "\"0.000\",\"2.000\",\"2.841\"\n\"0.500\",\"2.645\",\"2.993\"\n"
     "\"1.000\",\"2.987\",\"2.677\"\n\"1.500\",\"2.866\",\"2.045\"\n"
     "\"2.000\",\"2.339\",\"1.392\"\n\"2.500\",\"1.654\",\"1.027\"\n"
     "\"3.000\",\"1.134\",\"1.123\"\n\"3.500\",\"1.025\",\"1.633\"\n",
     0.5, "Throttle", "%"},
    {"OpenModelica",
     "\"time\",\"h\",\"der(h)\",\n0.0,2.000,2.841,\n0.5,2.645,2.993,\n"
     "1.0,2.987,2.677,\n1.5,2.866,2.045,\n2.0,2.339,1.392,\n"
     "2.5,1.654,1.027,\n3.0,1.134,1.123,\n3.5,1.025,1.633,\n",
     0.5, "der(h)", ""},
    {"ngspice",
     "Index   time            v(out)          i(r1)\n"
     "-----------------------------\n0\t0.000000e+00\t2.000\t2.841\t\n"
     "1\t5.000000e-01\t2.645\t2.993\t\n2\t1.000000e+00\t2.987\t2.677\t\n"
     "3\t1.500000e+00\t2.866\t2.045\t\n4\t2.000000e+00\t2.339\t1.392\t\n"
     "5\t2.500000e+00\t1.654\t1.027\t\n6\t3.000000e+00\t1.134\t1.123\t\n"
     "7\t3.500000e+00\t1.025\t1.633\t\n",
     0.5, "i(r1)", ""},
    {"LTspice",
     "time\tV(out)\tI(R1)\n0.000000000e+00\t2.000\t2.841\n"
     "5.000000000e-01\t2.645\t2.993\n1.000000000e+00\t2.987\t2.677\n"
     "1.500000000e+00\t2.866\t2.045\n2.000000000e+00\t2.339\t1.392\n"
     "2.500000000e+00\t1.654\t1.027\n3.000000000e+00\t1.134\t1.123\n"
     "3.500000000e+00\t1.025\t1.633\n",
     0.5, "I(R1)", ""},
    {"Dewesoft",
     "Data file: a.d7d\nSample rate: 2 Hz\n\n"
     "Time (s)\tAI 1 (g)\tAI 2 (N)\n0.0000\t2.000\t2.841\n"
     "0.5000\t2.645\t2.993\n1.0000\t2.987\t2.677\n1.5000\t2.866\t2.045\n"
     "2.0000\t2.339\t1.392\n2.5000\t1.654\t1.027\n3.0000\t1.134\t1.123\n"
     "3.5000\t1.025\t1.633\n",
     0.5, "AI 2", "N"},
    {"imc",
     "Zeit\tKraft\r\ns\tN\r\n0,000\t2,841\r\n0,500\t2,993\r\n"
     "1,000\t2,677\r\n1,500\t2,045\r\n2,000\t1,392\r\n2,500\t1,027\r\n"
     "3,000\t1,123\r\n3,500\t1,633\r\n",
     0.5, "Kraft", "N"},
    {"Excel, German",
     "Datum/Uhrzeit;Druck [bar]\r\n03.02.26 10:00;2,841\r\n"
     "03.02.26 10:01;2,993\r\n03.02.26 10:02;2,677\r\n"
     "03.02.26 10:03;2,045\r\n03.02.26 10:04;1,392\r\n"
     "03.02.26 10:05;1,027\r\n03.02.26 10:06;1,123\r\n"
     "03.02.26 10:07;1,633\r\n",
     60, "Druck", "bar"},
    {"Excel, American",
     "Timestamp,Pressure (psi)\r\n2/3/2026 23:56,2.841\r\n"
     "2/3/2026 23:57,2.993\r\n2/3/2026 23:58,2.677\r\n"
     "2/3/2026 23:59,2.045\r\n2/4/2026 0:00,1.392\r\n"
     "2/4/2026 0:01,1.027\r\n2/4/2026 0:02,1.123\r\n"
     "2/4/2026 0:03,1.633\r\n",
     60, "Pressure", "psi"},
    {"Excel, mm:ss",
     "Time,y\n59:56.0,2.841\n59:57.0,2.993\n59:58.0,2.677\n"
     "59:59.0,2.045\n00:00.0,1.392\n00:01.0,1.027\n00:02.0,1.123\n"
     "00:03.0,1.633\n",
     1, "y", ""},
    {"ArduPilot",
     "TimeUS,Roll,Pitch\n81230000,2.000,2.841\n81730000,2.645,2.993\n"
     "82230000,2.987,2.677\n82730000,2.866,2.045\n83230000,2.339,1.392\n"
     "83730000,1.654,1.027\n84230000,1.134,1.123\n84730000,1.025,1.633\n",
     0.5, "Pitch", ""},
    {"rostopic",
     "%time,field.header.frame_id,field.x\n"
     "1700000000123456789,base,2.841\n1700000000623456789,base,2.993\n"
     "1700000001123456789,base,2.677\n1700000001623456789,base,2.045\n"
     "1700000002123456789,base,1.392\n1700000002623456789,base,1.027\n"
     "1700000003123456789,base,1.123\n1700000003623456789,base,1.633\n",
     0.5, "field.x", ""},
    {"HOBO",
     "\"Plot Title: a\"\n"
     "\"#\",\"Date Time, GMT+01:00\",\"Temp, \302\260C (LGR S/N: 1)"
     "\",\"Stopped\"\n1,02/03/26 11:50:00 PM,2.841,\n"
     "2,02/03/26 11:51:00 PM,2.993,\n3,02/03/26 11:52:00 PM,2.677,\n"
     "4,02/03/26 11:53:00 PM,2.045,\n5,02/03/26 11:54:00 PM,1.392,\n"
     "6,02/03/26 11:55:00 PM,1.027,\n7,02/03/26 11:56:00 PM,1.123,\n"
     "8,02/03/26 11:57:00 PM,1.633,\n",
     60, "Temp", "\302\260C"},
    {"Neware",
     "DataPoint,Step Type,Total Time,Voltage(V),Date\n"
     "1,CC,0:00:00,2.841,2026-02-03 10:00:00\n"
     "2,CC,0:00:01,2.993,2026-02-03 10:00:01\n"
     "3,CC,0:00:02,2.677,2026-02-03 10:00:02\n"
     "4,CC,0:00:03,2.045,2026-02-03 10:00:03\n"
     "5,CC,0:00:04,1.392,2026-02-03 10:00:04\n"
     "6,CC,0:00:05,1.027,2026-02-03 10:00:05\n"
     "7,CC,0:00:06,1.123,2026-02-03 10:00:06\n"
     "8,CC,0:00:07,1.633,2026-02-03 10:00:07\n",
     1, "Voltage", "V"},
    {"Maccor",
     "Date of Test:\t02/03/2026\nRec\tTestTime\tVoltage [V]\tMD\n"
     "1\t0d 00:00:00\t2.841\tR\n2\t0d 00:00:02\t2.993\tR\n"
     "3\t0d 00:00:04\t2.677\tR\n4\t0d 00:00:06\t2.045\tR\n"
     "5\t0d 00:00:08\t1.392\tR\n6\t0d 00:00:10\t1.027\tR\n"
     "7\t0d 00:00:12\t1.123\tR\n8\t0d 00:00:14\t1.633\tR\n",
     2, "Voltage", "V"},
    {"Gamry",
     "EXPLAIN\nTAG\tCHRONOA\nCURVE\tTABLE\t8\n\tPt\tT\tVf\tOver\n"
     "\t#\ts\tV vs. Ref.\tbits\n\t0\t0.0\t2.841\t....\n"
     "\t1\t0.5\t2.993\t....\n\t2\t1.0\t2.677\t....\n"
     "\t3\t1.5\t2.045\t....\n\t4\t2.0\t1.392\t....\n"
     "\t5\t2.5\t1.027\t....\n\t6\t3.0\t1.123\t....\n"
     "\t7\t3.5\t1.633\t....\n",
     0.5, "Vf", "V vs. Ref."},
    {"Torque",
     "Device Time, Longitude,Speed (OBD)(km/h)\n"
     "03-Feb-2026 10:00:00.125,-,2.841\n"
     "03-Feb-2026 10:00:01.125,-,2.993\n"
     "03-Feb-2026 10:00:02.125,-,2.677\n"
     "03-Feb-2026 10:00:03.125,-,2.045\n"
     "03-Feb-2026 10:00:04.125,-,1.392\n"
     "03-Feb-2026 10:00:05.125,-,1.027\n"
     "03-Feb-2026 10:00:06.125,-,1.123\n"
     "03-Feb-2026 10:00:07.125,-,1.633\n",
     1, "Speed (OBD)", "km/h"},
    {"Campbell",
     "\"TOA5\",\"s\",\"CR6\"\n\"TIMESTAMP\",\"RECORD\",\"AirTC_Avg\"\n"
     "\"TS\",\"RN\",\"Deg C\"\n\"\",\"\",\"Avg\"\n"
     "\"2026-02-03 10:00:00\",0,2.841\n\"2026-02-03 10:00:01\",1,2.993\n"
     "\"2026-02-03 10:00:02\",2,2.677\n\"2026-02-03 10:00:03\",3,2.045\n"
     "\"2026-02-03 10:00:04\",4,1.392\n\"2026-02-03 10:00:05\",5,1.027\n"
     "\"2026-02-03 10:00:06\",6,1.123\n\"2026-02-03 10:00:07\",7,1.633\n",
     1, "AirTC_Avg", "Deg C"},
    {"LabVIEW, no X",
     "LabVIEW Measurement\t\nX_Columns\tNo\t\n***End_of_Header***\t\t\n"
     "Y_Unit_Label\tN\t\nX0\t0,0E+0\t\nDelta_X\t5,0E-1\t\n"
     "***End_of_Header***\t\t\nX_Value\tHammer\tComment\n\t2,841\n"
     "\t2,993\n\t2,677\n\t2,045\n\t1,392\n\t1,027\n\t1,123\n\t1,633\n",
     0.5, "Hammer", "N"},
    {"VBOX",
     "[header]\ntime\nvelocity kmh\n\n[column names]\n"
     "sats time velocity \n\n[data]\n009 104158.00 2.841\n"
     "009 104158.50 2.993\n009 104159.00 2.677\n009 104159.50 2.045\n"
     "009 104200.00 1.392\n009 104200.50 1.027\n009 104201.00 1.123\n"
     "009 104201.50 1.633\n",
     0.5, "velocity", "km/h"},
    {"EnergyPlus",
     "Date/Time,Room:Air [C](Hourly)\n 08/01  21:00:00,2.841\n"
     " 08/01  22:00:00,2.993\n 08/01  23:00:00,2.677\n"
     " 08/01  24:00:00,2.045\n 08/02  01:00:00,1.392\n"
     " 08/02  02:00:00,1.027\n 08/02  03:00:00,1.123\n"
     " 08/02  04:00:00,1.633\n",
     3600, "Room:Air", "C"},
    {"weather year",
     "123456,\"NORTH\",ZZ,-5.0,40.1\n"
     "Date (MM/DD/YYYY),Time (HH:MM),GHI (W/m^2),source\n"
     "01/01/1999,21:00,2.841,B\n01/01/1999,22:00,2.993,B\n"
     "01/01/1999,23:00,2.677,B\n01/01/1999,24:00,2.045,B\n"
     "01/02/1999,01:00,1.392,B\n01/02/1999,02:00,1.027,B\n"
     "01/02/1999,03:00,1.123,B\n01/02/1999,04:00,1.633,B\n",
     3600, "GHI", "W/m^2"},
    {"Dymola",
     "#1\nchar Aclass(3,11)\nAtrajectory\n1.1\n\nchar names(2,5)\n"
     "Time \nh    \n\nfloat data(8,2)\n 0.0 2.841\n 0.5 2.993\n"
     " 1.0 2.677\n 1.5 2.045\n 2.0 1.392\n 2.5 1.027\n 3.0 1.123\n"
     " 3.5 1.633\n",
     0.5, "h", ""},
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static darc_load_options o;
static darc_err err;

static void setup(void)
{
    darc_load_options_init(&o);
    darc_err_init(&err);
}

START_TEST(each_layout_opens)
{
    darc_table *t = NULL;
    const char *text = layouts[_i].text;
    darc_status status = recording_load(&t, text, strlen(text), &o, &err);
    ck_assert_msg(status == DARC_OK, "%s: %s", layouts[_i].maker, err.message);
    int s = darc_table_find(t, layouts[_i].signal);
    ck_assert_msg(s >= 0, "%s: no %s", layouts[_i].maker, layouts[_i].signal);
    ck_assert_str_eq(t->signal[s].unit, layouts[_i].unit);
    ck_assert_uint_eq(t->samples, ROWS);
    ck_assert_double_eq_tol(t->dt, layouts[_i].step, 1e-3 * t->dt);
    for (int k = 0; k < ROWS; k++)
        ck_assert_double_eq(t->signal[s].value[k], expected[k]);
    darc_table_free(t);
}
END_TEST

/* Harm the text in one of many ways: a line or a cell is lost, doubled, cut or
 * replaced. */
static void mutilate(darc_text_t out, const char *text, int way)
{
    const char *line[64], *end = text;
    int lines = 0;
    for (; *end != '\0'; lines++, end = strchr(end, '\n') + 1)
        line[lines] = end;
    line[lines] = end;
    int harmed = lines - 1 - way % 5;
    for (int i = 0; i < lines; i++) {
        size_t n = (size_t)(line[i + 1] - line[i]);
        const char *last = line[i] + strcspn(line[i], ",;\t ");
        if (i != harmed)
            darc_text_write(out, line[i], n);
        else if (way / 5 == 0) /* the line is lost in part */
            darc_text_printf(out, "%.*s\n", (int)(last - line[i]), line[i]);
        else if (way / 5 == 1) /* twice */
            darc_text_printf(out, "%.*s%.*s", (int)n, line[i], (int)n, line[i]);
        else if (way / 5 == 2) /* without its first cell */
            darc_text_write(out, last + 1, n - 1 - (size_t)(last - line[i]));
        else
            darc_text_printf(out, "oops%.*s",
                             (int)(n - (size_t)(last - line[i])), last);
    }
}

/* A harmed table opens with the numbers that it has, or with a message. */
START_TEST(never_other_numbers)
{
    for (int way = 0; way < WAYS; way++) {
        darc_text_t text = DARC_TEXT;
        darc_table *t = NULL;
        mutilate(text, layouts[_i].text, way);
        darc_err_init(&err);
        darc_status status = recording_load(&t, text->s, text->len, &o, &err);
        int s = t != NULL ? darc_table_find(t, layouts[_i].signal) : -1;
        ck_assert(status == DARC_OK || strstr(err.message, "error: ") != NULL);
        for (size_t k = 0; s >= 0 && k < t->samples; k++) {
            double x = t->signal[s].value[k];
            bool there = isnan(x);
            for (int i = 0; i < ROWS; i++)
                there = there || x == expected[i];
            ck_assert_msg(there, "%s, way %d: %g", layouts[_i].maker, way, x);
        }
        darc_table_free(t);
        darc_text_clear(text);
    }
}
END_TEST

Suite *suite_layouts(void)
{
    Suite *s = suite_create("layouts");
    TCase *c = tcase_create("layouts");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_loop_test(c, each_layout_opens, 0, LAYOUTS);
    tcase_add_loop_test(c, never_other_numbers, 0, LAYOUTS);
    suite_add_tcase(s, c);
    return s;
}
