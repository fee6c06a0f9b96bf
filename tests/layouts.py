#!/usr/bin/env python3
"""Write texts as the programs of many makers lay them out, each harmed in many
ways, and beside them what may be read of each.

    layouts.py DIRECTORY

DIRECTORY/cases.txt has for each file a line "FILE HARM MUST LINE SIGNALS ROWS",
lines of the names, and rows "MAY TIME VALUE...": MUST 1: it opens; LINE: where
it is harmed; MAY 1: the row may be lost; nan: there is no value."""
import copy
import math
import re
import sys

N = 24
HARMED = 9  # a row; main says which


class Layout:
    """Lines above; rows of cells; times in s; names and columns of signals."""

    def __init__(self, maker, head, rows, times, signals, sep=",", mark=".",
                 names=None, tail="", time=0, ends="", read=1):
        self.maker, self.rows, self.times = maker, rows, list(times)
        self.head = head.split("\n")
        self.signals = signals  # name: column
        self.sep, self.mark, self.time, self.ends = sep, mark, time, ends
        self.names = len(self.head) - 1 if names is None else names
        self.tail = tail.split("\n") if tail else []
        self.read = read  # 0: it is refused, with what to do
        self.may = [0] * len(rows)
        self.raw = {}  # lines in place of rows
        self.want = [[self.number(r[c]) for c in signals.values()]
                     for r in rows]

    def number(self, cell):
        x = cell.strip().strip('"').replace(self.mark, ".")
        return float(re.match(r"[-+0-9.eE]+", x).group())

    def line(self, r):
        return self.raw.get(r, self.sep.join(self.rows[r]) + self.ends)

    def lines(self):
        return self.head + [self.line(r) for r in range(len(self.rows))] + \
            self.tail

    def place(self, r):
        return len(self.head) + 1 + r

    def column(self, k=0):
        return list(self.signals.values())[k]

    def lose(self, r):
        for x in (self.rows, self.times, self.want, self.may):
            del x[r]

    def insert(self, r, cells):
        """A row of which nothing may be read."""
        self.rows.insert(r, cells)
        self.times.insert(r, None)
        self.want.insert(r, None)
        self.may.insert(r, None)


def a(i):
    return 2.5 + 1.75 * math.sin(.61 * i) + .001 * (i * 7 % 10)


def b(i):
    return -120 * math.cos(.37 * i + .4) + .01 * (i * 3 % 10)


def table(time, *cells):
    return [[time(i)] + [c(i) for c in cells] for i in range(N)]


def f(form, what):
    return lambda i: form % what(i)


def comma(cell):
    return lambda i: cell(i).replace(".", ",")


def clock(i, step, form="%02d:%02d:%02d", begin=35990):
    s = begin + step * i
    return form % (s // 3600, s // 60 % 60, s % 60)


def even(step):
    return [step * i for i in range(N)]


A, B = f("%.3f", a), f("%.2f", b)
AE, BE = f("%.5E", a), f("%.5E", b)
uneven = [round(.05 * i * (1 + .04 * i), 4) for i in range(N)]


def makers():
    yield Layout(
        "labview", "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\n"
        "Decimal_Separator\t.\nMulti_Headings\tNo\nX_Columns\tOne\n"
        "Time_Pref\tRelative\nOperator\tlab\nDate\t2026/02/03\n"
        "Time\t10:11:12.5\n***End_of_Header***\t\nChannels\t2\t\t\n"
        "Samples\t24\t24\t\nDate\t2026/02/03\t2026/02/03\t\n"
        "Time\t10:11:12.5\t10:11:12.5\t\nY_Unit_Label\tN\tmm\t\n"
        "X_Dimension\tTime\tTime\t\nX0\t0.0000000000000000E+0\t"
        "0.0000000000000000E+0\t\nDelta_X\t0.010000\t0.010000\t\n"
        "***End_of_Header***\t\t\t\nX_Value\tForce\tTravel\tComment",
        table(f("%.6f", lambda i: i * .01), f("%.6f", a), f("%.6f", b)),
        even(.01), {"Force": 1, "Travel": 2}, "\t")
    yield Layout(
        "campbell", '"TOA5","tower","CR1000X","12345","CR1000X.Std.03","p.CR1X"'
        ',"1234","Fast"\n"TIMESTAMP","RECORD","Wind_Avg","Press"\n'
        '"TS","RN","m/s","kPa"\n"","","Avg","Smp"',
        table(lambda i: '"2026-02-03 %s"' % clock(i, 10), str, A, B), even(10),
        {"Wind_Avg": 2, "Press": 3}, names=1)
    yield Layout(
        "tektronix", "Model,MSO24\nFirmware Version,1.30\n\nWaveform Type,ANALOG"
        ",\nPoint Format,Y,\nHorizontal Units,s,\nHorizontal Scale,4e-06,\n"
        "Sample Interval,1.6e-08,\nRecord Length,24,\nVertical Units,V,V\n"
        "Label,,\nTIME,CH1,CH2",
        table(f("%.5E", lambda i: 1.6e-8 * (i - 12)), AE, BE), even(1.6e-8),
        {"CH1": 1, "CH2": 2})
    yield Layout("keysight", "x-axis,1,2\nsecond,Volt,Volt",
                 table(f("%+.8E", lambda i: 2e-6 * i - 4e-5), f("%+.5E", a),
                       f("%+.5E", b)), even(2e-6), {"1": 1, "2": 2}, names=0)
    yield Layout("rigol", "Time(s),CH1(V),CH2(V)",
                 table(f("%.6E", lambda i: 5e-5 * i - 6e-4), AE, BE),
                 even(5e-5), {"CH1": 1, "CH2": 2})
    yield Layout(
        "lecroy", "LECROYHDO4054,1234,Waveform\nSegments,1,SegmentSize,24\n"
        "Segment,TrigTime,TimeSinceSegment1\n#1,03-Feb-2026 10:00:00,0\n"
        "Time,Ampl", table(f("%.8f", lambda i: 1e-4 * i - 1e-3), f("%.6f", a)),
        even(1e-4), {"Ampl": 1})
    yield Layout(
        "siglent", "Record Length,Analog:24,,\nSample Interval,Analog:0.0001,,\n"
        "Vertical Units,CH1:V,CH2:V,\nHorizontal Units,s,,\n"
        "Model Number,SDS2104X,,\nSource,CH1,CH2,\nSecond,Volt,Volt",
        table(f("%.10f", lambda i: 1e-4 * i - .002), f("%.5f", a),
              f("%.5f", b)), even(1e-4), {"CH1": 1, "CH2": 2}, names=5)
    yield Layout("picoscope", "Time,Channel A,Channel B\n(ms),(V),(mV)\n",
                 table(f("%.8f", lambda i: .2 * i - 1), f("%.8f", a),
                       f("%.8f", b)), even(2e-4),
                 {"Channel A": 1, "Channel B": 2}, names=0)
    yield Layout(
        "hobo", '"Plot Title: roof"\n"#","Date Time, GMT+01:00",'
        '"Temp, °C (LGR S/N: 1, SEN S/N: 1)","RH, % (LGR S/N: 1, SEN S/N: 1)",'
        '"Coupler Attached (LGR S/N: 1)"',
        [[str(i + 1), clock(i, 60, "02/03/26 %02d:%02d:%02d AM"), A(i), B(i),
          ""] for i in range(N)], even(60), {"Temp": 2, "RH": 3}, time=1)
    yield Layout(
        "graphtec", "Vendor,GRAPHTEC Corporation\nModel,GL840\n"
        "Sampling interval,500ms\nTotal data points,24\n"
        "Start time,2026/02/03,09:59:50\n\nAmp settings\n"
        "CH,Signal name,Input,Range,Filter,Span\n"
        "CH1,CH1,TEMP,TC_K,Off,1000.0,0.0,degC\n"
        "CH2,CH2,DC,10V,Off,10.000,0.000,V\n\nData\n"
        "Number,Date&Time,ms,CH1,CH2,Alarm\nNO.,Time,ms,degC,V,A1234567890",
        [[str(i + 1), "2026/02/03 " + clock(i // 2, 1), str(i % 2 * 500),
          "+" + A(i), f("%+.2f", b)(i), "LLLL"] for i in range(N)], even(.5),
        {"CH1": 3, "CH2": 4}, time=1, names=12)
    yield Layout(
        "yokogawa", '"Model","DL850"\n"BlockNumber",1\n"TraceName",CH1,CH2\n'
        '"BlockSize",24,24\n"VUnit",V,A\n"SampleRate",1000,1000\n'
        '"HUnit",s,s\n"HOffset",0,0\n"Date","2026/02/03","2026/02/03"\n'
        '"Time","10:00:00.1","10:00:00.1"\n',
        [["", f("%.4E", a)(i), f("%.4E", b)(i)] for i in range(N)],
        even(.001), {"CH1": 1, "CH2": 2}, time=None, names=2)
    yield Layout(
        "keithley", "Title,,,,\nModel,DAQ6510,,,\nChannels,101,102,,\n"
        "Reading,Unit,Range Digits,Disp Digits,Relative Time",
        [[AE(i), "Volt DC", "6.5", "6.5", "%.6f" % (i * .25)]
         for i in range(N)], even(.25), {"Reading": 0}, time=4)
    yield Layout(
        "arbin", "Data_Point,Date_Time,Test_Time(s),Step_Index,Current(A),"
        "Voltage(V)",
        [[str(i + 1), "2026-02-03 " + clock(i, 30), "%.4f" % (30.0002 * i), "1",
          B(i), A(i)] for i in range(N)], [30.0002 * i for i in range(N)],
        {"Current": 4, "Voltage": 5}, time=2)
    yield Layout(
        "biologic", "EC-Lab ASCII FILE\nNb header lines : 7\n\n"
        "Chronopotentiometry\n\nAcquisition started on : 02/03/2026 10:00:00\n"
        "mode\ttime/s\tEwe/V\tI/mA\t",
        [["1", ("%.7E" % t).replace(".", ","), comma(f("%.7E", a))(i),
          comma(f("%.7E", b))(i)] for i, t in enumerate(uneven)], uneven,
        {"Ewe": 2, "I": 3}, "\t", ",", time=1)
    yield Layout(
        "neware", "DataPoint,Cycle Index,Step Type,Time,Total Time,Current(A),"
        "Voltage(V),Date",
        [[str(i + 1), "1", "CC Chg", clock(i, 1, "%d:%02d:%02d", 0),
          clock(i, 1, "%d:%02d:%02d", 0), B(i), A(i),
          "2026-02-03 " + clock(i, 1)] for i in range(N)], even(1),
        {"Current": 5, "Voltage": 6}, time=4)
    yield Layout(
        "maccor", "Today's Date\t02/03/2026\tDate of Test:\t02/03/2026\t"
        "Filename:\tcell.012\tProcedure:\tform.000\n"
        "Rec#\tCyc#\tStep\tTest (Sec)\tStep (Sec)\tAmps\tVolts\tState\tES\t"
        "DPt Time",
        [[str(i + 1), "0", "1", "%.2f" % (5 * i), "%.2f" % (5 * i), B(i), A(i),
          "C", "1", "02/03/2026 " + clock(i, 5)] for i in range(N)], even(5),
        {"Amps": 5, "Volts": 6}, "\t", time=3)
    yield Layout(
        "vbox", "File created on 03/02/2026 at 10:00:00\n\n[header]\n"
        "satellites\ntime\nlatitude\nvelocity kmh\nheight\n\n[channel units]\n"
        "\n[comments]\nLog Rate (Hz) : 10.00\n\n[column names]\n"
        "sats time lat velocity height \n\n[data]",
        [["009", "1000%05.2f" % (.1 * i), "+03119.09973", "%07.3f" % a(i),
          "%+09.2f" % b(i)] for i in range(N)], even(.1),
        {"velocity": 3, "height": 4}, " ", time=1, names=14)
    yield Layout(
        "motec", '"Format","MoTeC CSV File",,,"Workbook","a"\n"Venue","track",,'
        ',"Worksheet","b"\n"Sample Rate","50.000","Hz",,"Duration","0.46","s"\n'
        '\n\n"Time","Ground Speed","Steering"\n"s","km/h","deg"\n\n',
        table(lambda i: '"%.3f"' % (i * .02), lambda i: '"%s"' % A(i),
              lambda i: '"%s"' % B(i)), even(.02),
        {"Ground Speed": 1, "Steering": 2}, names=5)
    yield Layout(
        "canalyzer", "Time[s];Bus::Engine::Speed[rpm];Bus::Engine::Torque[Nm]",
        table(f("%.6f", lambda i: 1.5 + .02 * i), A, B), even(.02),
        {"Bus::Engine::Speed": 1, "Bus::Engine::Torque": 2}, ";")
    yield Layout(
        "openmodelica", '"time","mass.s","mass.v"',
        [[repr(t), repr(round(a(i), 9)), repr(round(b(i), 8))]
         for i, t in enumerate(uneven)], uneven, {"mass.s": 1, "mass.v": 2})
    yield Layout(
        "ltspice", "time\tV(out)\tI(R1)",
        [["%.15e" % t, "%.6e" % a(i), "%.6e" % b(i)]
         for i, t in enumerate(uneven)], uneven, {"V(out)": 1, "I(R1)": 2},
        "\t")
    bar = "     +--------------------------+"
    yield Layout(
        "stata", bar + "\n     | time      speed    torque |\n" +
        bar.replace("+", "|"),
        [["%3d." % (i + 1), "|", "%4.1f" % (i * .5), "%9s" % A(i),
          "%9s" % B(i), "|"] for i in range(N)], even(.5),
        {"speed": 3, "torque": 4}, " ", names=1, tail=bar, time=2, read=0)
    yield Layout(
        "vmstat", "procs -----------memory---------- ---swap-- -----io---- "
        "-system-- ------cpu----- -----timestamp-----\n r  b   swpd   free   "
        "buff  cache   si   so    bi    bo   in   cs us sy id wa st           "
        "      UTC",
        [["%2d" % (i % 3), " 0", "     0", "%6d" % (812000 + 7 * i * i),
          " 23456", "345678", "   0", "   0", "    1", "%5d" % (100 * a(i)),
          "  30", "%4d" % (300 + b(i)), " 1", " 0", "99", " 0", " 0",
          "2026-02-03", clock(i, 1)] for i in range(N)], even(1),
        {"free": 3, "bo": 9, "cs": 11}, " ", time=17, names=1)
    yield Layout(
        "shimmer", '"sep=\t"\nS1_Timestamp_Unix_CAL\tS1_Accel_LN_X_CAL\t'
        "S1_GSR_CAL\t\nms\tm/(s^2)\tkOhms\t",
        table(f("%.3f", lambda i: 1770112800000 + 20 * i), f("%.10f", a),
              f("%.10f", b)), even(.02),
        {"S1_Accel_LN_X_CAL": 1, "S1_GSR_CAL": 2}, "\t", names=1, ends="\t")
    yield Layout(
        "phyphox", '"Time (s)","Acceleration x (m/s^2)","Absolute acceleration '
        '(m/s^2)"', table(f("%.9E", lambda i: .0123 + .01 * i), f("%.9E", a),
                          f("%.9E", b)), even(.01),
        {"Acceleration x": 1, "Absolute acceleration": 2})
    yield Layout(
        "torque", "GPS Time,Device Time, Longitude, Latitude,"
        "GPS Speed (Meters/second),Speed (OBD)(km/h),Engine RPM(rpm)",
        [["Tue Feb 03 %s GMT+01:00 2026" % clock(i, 1),
          "03-Feb-2026 %s.125" % clock(i, 1), "8.1", "50.2", "-", A(i), B(i)]
         for i in range(N)], even(1), {"Speed (OBD)": 5, "Engine RPM": 6},
        time=1)
    yield Layout(
        "garmin", "timestamp,position_lat [semicircles],speed [m/s],"
        "altitude [m],heart_rate [bpm]",
        [["2026-02-03T%sZ" % clock(i, 1), str(596523 + i), A(i), B(i), ""]
         for i in range(N)], even(1), {"speed": 2, "altitude": 3})
    yield Layout(
        "davis", "\t\tTemp\tOut\tWind\nDate\tTime\tOut\tHum\tSpeed",
        [["03.02.26", clock(i, 300, begin=36000)[:5], "%.1f" % (7 * a(i)),
          str(40 + i * 7 % 31), A(i)] for i in range(N)], even(300),
        {"Temp Out": 2, "Out Hum": 3, "Wind Speed": 4}, "\t", time=1)
    yield Layout(
        "units in cells", "Time,Level,Flow",
        [["2026-02-03 %s" % clock(i, 1), A(i) + " m", B(i) + " l/s"]
         for i in range(N)], even(1), {"Level": 1, "Flow": 2})
    yield Layout(
        "german", "Datum;Uhrzeit;Druck [bar];Weg [mm]",
        [["03.02.2026", clock(i, 1), comma(A)(i), comma(B)(i)]
         for i in range(N)], even(1), {"Druck": 2, "Weg": 3}, ";", ",", time=1)
    yield Layout(
        "american", "Timestamp,Pressure (psi),Position (in)",
        [[clock(i, 1, "2/3/2026 %d:%02d:%02d AM"), A(i), B(i)]
         for i in range(N)], even(1), {"Pressure": 1, "Position": 2})
    yield Layout(
        "catman", "catmanEasy\nDate\t03.02.2026\n\nTime\tForce\tTravel\ns\tkN\t"
        "mm", table(f("%.5f", lambda i: i * .02), f("%.5f", a), f("%.5f", b)),
        even(.02), {"Force": 1, "Travel": 2}, "\t", names=3)
    yield Layout(
        "pandas", ",speed,torque",
        [["2026-02-03 09:59:%06.3f" % (20 + .1 * i), A(i), B(i)]
         for i in range(N)], even(.1), {"speed": 1, "torque": 2})
    yield Layout(
        "simulink", "time,u,y\n, Unit: V, Unit: m\n"
        ", Type: double, Type: double\n, Interp: linear, Interp: zoh",
        table(f("%.4f", lambda i: .002 * i), f("%.6f", a), f("%.6f", b)),
        even(.002), {"u": 1, "y": 2}, names=0)
    yield Layout(
        "gamry", "EXPLAIN\nTAG\tCHRONOA\nTITLE\tLABEL\tstep\tTest\n"
        "AREA\tQUANT\t1.00000E+00\tSample Area (cm^2)\nCURVE\tTABLE\t24\n"
        "\tPt\tT\tVf\tIm\tOver\n\t#\ts\tV vs. Ref.\tA\tbits",
        [["", str(i), "%.4f" % (.5 * i), AE(i), BE(i), "..........."]
         for i in range(N)], even(.5), {"Vf": 3, "Im": 4}, "\t", names=5,
        time=2)
    yield Layout(
        "iostat", "Linux 6.1.0 (host)\t02/03/2026\t_x86_64_\t(2 CPU)\n\n"
        "Time\ttps\tkB_read/s",
        [["%s" % clock(i, 1), A(i), B(i)] for i in range(N)], even(1),
        {"tps": 1, "kB_read/s": 2}, "\t")


# ---- what becomes of files ---------------------------------------------------
def cells(x, change, signals=None):
    for r in x.rows:
        for c in signals or x.signals.values():
            r[c] = change(r[c])


def plain(x):
    return "\n".join(x.lines()) + "\n"


def bytes_of(change):
    def harm(x):
        return change(plain(x))
    return harm


def cut(x):
    x.may[-1] = 1
    x.want[-1] = [math.nan] * len(x.signals)
    last = max(x.signals.values())
    row = x.rows[-1][:last + 1]
    row[-1] = row[-1].strip('"')[:3]
    x.rows[-1] = row
    x.tail = []
    return "\n".join(x.head + [x.sep.join(r) + x.ends for r in x.rows[:-1]] +
                     [x.sep.join(row)])


def short(x):
    x.may[HARMED] = 1
    del x.rows[HARMED][x.column()]


def front(x):
    x.may[HARMED] = 1
    del x.rows[HARMED][0]


def more(x):
    x.may[HARMED] = 1
    x.rows[HARMED].insert(x.column(), "77.25" if x.mark == "." else "77,25")


def empty(x):
    c = x.column()
    x.rows[HARMED][c] = '""' if x.rows[HARMED][c][0] == '"' else ""
    x.want[HARMED][0] = math.nan


def word(text):
    def harm(x):
        x.rows[HARMED][x.column()] = text
        x.want[HARMED][0] = math.nan
    return harm


def no_time(x):
    x.rows[HARMED][x.time] = ""
    x.may[HARMED] = 1


def header_twice(x):
    x.head.insert(x.names, x.head[x.names])


def header_again(x):
    x.raw[HARMED] = "\n" + x.head[x.names] + "\n" + x.line(HARMED)


def blank_lines(x):
    return plain(x).replace("\n", "\n\n")


def trailing(x):
    x.ends = x.sep + x.ends


def remark(x):
    x.raw[HARMED] = "# valve opened\n" + x.line(HARMED)


def garbage(x):
    x.raw[HARMED] = x.line(HARMED) + "\n*** link lost, retry ***"


def swapped(x):
    k = HARMED
    for way in (x.rows, ):
        way[k], way[k + 1] = way[k + 1], way[k]
    x.may[k] = x.may[k + 1] = 1


def equal_times(x):
    x.rows[HARMED][x.time] = x.rows[HARMED - 1][x.time]
    x.may[HARMED] = x.may[HARMED - 1] = 1
    x.want[HARMED - 1] = [None] * len(x.signals)


def appended(name, cell):
    def harm(x):
        x.head[x.names] = x.head[x.names].rstrip(x.sep) + x.sep + name
        for k in range(x.names + 1, len(x.head)):
            x.head[k] += x.sep if x.sep in x.head[k] else ""
        for i, r in enumerate(x.rows):
            r.append(cell(i))
    return harm


def doubled_names(x):
    first, *rest = x.signals
    if rest:
        x.head[x.names] = x.head[x.names].replace(rest[0], first)
        for w in x.want:
            w[1:] = []
        x.signals = {first: x.signals[first]}


def thousands(x):
    """Values of 1,202.5 and below, in quotes where commas part cells."""
    other = "," if x.mark == "." else "."
    c = x.column()
    k = list(x.signals).index(list(x.signals)[0])
    for i, r in enumerate(x.rows):
        v = round(9000 + 500 * a(i), 2)
        text = "{:,.2f}".format(v).replace(",", "~").replace(".", x.mark)
        text = text.replace("~", other)
        r[c] = '"%s"' % text if x.sep == "," else text
        x.want[i][k] = v


def other_mark(x):
    c = x.column()
    other = "," if x.mark == "." else "."
    r = x.rows[HARMED]
    r[c] = r[c].replace(x.mark, other)
    if x.sep == "," and r[c][0] != '"':
        r[c] = '"%s"' % r[c]
    x.may[HARMED] = 1


def quoted(x):
    x.rows = [['"%s"' % c.strip().strip('"') for c in r] for r in x.rows]


def spaces(x):
    x.rows = [["  %s " % c for c in r] for r in x.rows]


def gap(x):
    for _ in range(4):
        x.lose(HARMED)


def exponents(mark):
    def harm(x):
        def one(cell):
            m = re.match(r'("?)([-+]?)([0-9.,]+)(?:[eE]([-+]\d+))?(.*)$',
                         cell.strip())
            return m.group(1) + m.group(2) + m.group(3) + "%s%+03d" % (
                mark, int(m.group(4) or 0)) + m.group(5)
        cells(x, one)
    return harm


def signs(x):
    cells(x, lambda c: c if c.strip()[0] in '-+"' else "+" + c.strip())


def unit_behind(x):
    cells(x, lambda c: c[:-1] + ' kN"' if c[-1] == '"' else c + " kN",
          [x.column()])


def split(x):
    x.may[HARMED] = 1
    r, c = x.rows[HARMED], x.column()
    x.raw[HARMED] = x.sep.join(r[:c]) + "\n" + x.sep.join(r[c:])


def joined(x):
    x.may[HARMED] = x.may[HARMED + 1] = 1
    x.raw[HARMED] = x.line(HARMED) + x.line(HARMED + 1)
    x.rows[HARMED + 1] = []
    lines = x.lines()
    del lines[x.place(HARMED + 1) - 1]
    return "\n".join(lines) + "\n"


def torn(x):
    """A row that begins in the one before: a buffer was lost."""
    x.may[HARMED] = x.may[HARMED + 1] = 1
    x.want[HARMED] = x.want[HARMED + 1] = [None] * len(x.signals)
    one, two = x.line(HARMED), x.line(HARMED + 1)
    x.raw[HARMED] = one[:2 * len(one) // 3] + two[len(two) // 2:]
    x.rows[HARMED + 1] = []
    lines = x.lines()
    del lines[x.place(HARMED + 1) - 1]
    return "\n".join(lines) + "\n"


def nuls(x):
    x.may[HARMED] = 1
    x.raw[HARMED] = "\0" * len(x.line(HARMED))


def summary(x):
    x.tail += ["", "Summary", x.sep.join(["Max", "3", "4"]),
               x.sep.join(["Min", "1", "2"])]


def no_end(x):
    return plain(x)[:-1]


def twice(x):
    """A row is written twice: its time does not increase."""
    x.raw[HARMED] = x.line(HARMED) + "\n" + x.line(HARMED)


# name: what is done, whether it must open all the same
HARMS = {
    "none": (lambda x: None, 1),
    "cut": (cut, 0),
    "short": (short, 0),
    "front": (front, 0),
    "more": (more, 0),
    "empty": (empty, 1),
    "error": (word("ERROR"), 0),
    "over": (word("OVER"), 0),
    "nan": (word("NaN"), 1),
    "dashes": (word("---"), 1),
    "no time": (no_time, 0),
    "header twice": (header_twice, 0),
    "header again": (header_again, 0),
    "crlf": (bytes_of(lambda s: s.replace("\n", "\r\n")), 1),
    "cr": (bytes_of(lambda s: s.replace("\n", "\r")), 1),
    "mark": (bytes_of(lambda s: "\ufeff" + s), 1),
    "utf16": (bytes_of(lambda s: ("\ufeff" + s).encode("utf-16-le")), 1),
    "blank lines": (blank_lines, 1),
    "trailing": (trailing, 1),
    "remark": (remark, 1),
    "garbage": (garbage, 0),
    "swapped": (swapped, 0),
    "equal times": (equal_times, 0),
    "text column": (appended("State", lambda i: ("run", "stop")[i // 7 % 2]),
                    0),
    "empty column": (appended("Spare", lambda i: ""), 0),
    "doubled names": (doubled_names, 0),
    "thousands": (thousands, 0),
    "other mark": (other_mark, 0),
    "quoted": (quoted, 0),
    "spaces": (spaces, 0),
    "gap": (gap, 1),
    "exponents": (exponents("E"), 1),
    "fortran": (exponents("D"), 1),
    "signs": (signs, 1),
    "unit behind": (unit_behind, 0),
    "split": (split, 0),
    "joined": (joined, 0),
    "torn": (torn, 0),
    "nuls": (nuls, 0),
    "summary": (summary, 0),
    "no end": (no_end, 1),
    "twice": (twice, 0),
}


def applies(x, name):
    blanks = x.sep == " "
    if blanks and name in ("empty", "trailing", "empty column", "spaces",
                           "quoted", "no time", "unit behind"):
        return False
    if x.ends and name == "trailing":
        return False
    if x.time is None and name in ("no time", "swapped", "equal times", "gap",
                                   "twice"):
        return False
    if x.maker == "units in cells" and name in ("exponents", "fortran",
                                                "unit behind"):
        return False
    return True


def main(out):
    global HARMED
    made = 0
    with open(out + "/cases.txt", "w") as list_of:
        for k, x in enumerate(makers()):
            for n, (name, (harm, must)) in enumerate(HARMS.items()):
                if not applies(x, name):
                    continue
                HARMED = (9, 2, 16, 5)[(k + n) % 4]
                y = copy.deepcopy(x)
                text = harm(y)
                text = plain(y) if text is None else text
                if isinstance(text, str):
                    text = text.encode()
                file = "%s_%s" % (x.maker.replace(" ", "_"),
                                  name.replace(" ", "_"))
                with open("%s/%s.txt" % (out, file), "wb") as f:
                    f.write(text)
                rows = [r for r in zip(y.may, y.times, y.want) if r[1]
                        is not None]
                list_of.write("%s.txt %s %d %d %d %d\n" % (
                    file, name.replace(" ", "_"), must * x.read, y.place(HARMED),
                    len(y.signals), len(rows)))
                list_of.write("".join("%s\n" % s for s in y.signals))
                for may, t, want in rows:
                    list_of.write("%d %r%s\n" % (may, t, "".join(
                        " %s" % ("any" if v is None else repr(v))
                        for v in want)))
                made += 1
    print(made)


main(sys.argv[1])
