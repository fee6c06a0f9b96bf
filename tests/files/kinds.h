/* kinds.h - a file of each kind, and what test_kinds.c says of it. */

/* a cell too many, where rows end in an empty one: nothing shifts */
{"t,u,y,note\n0,1,2,\n1,3,4,\n2,7,5,6,\n3,8,9,\n4,8,9,\n",
 "...:4:9: error: 5 cells where the header in line 1 has 4"},
    {"t,u,y\n0,1,2,\n1,3,4,\n2,5,6,\n", "3 1; u [] 1..5, y [] 2..6"},
    /* a last number that was cut is none */
    {"t,y\n0,1.25\n1,1.35\n2,1.45\n3,1.55\n4,1.6",
     "4 1; y [] 1.25..1.55; "
     "line 6 has no end, its last number seems to be cut: not read"},
    {"t,y\n0,1.25e-01\n1,1.35e-01\n2,1.45e-01\n3,1.55e-01\n4,1.65e-0",
     "4 1; y [] 0.125..0.155; line 6 has no"},
    {"t,y\n0,1.2\n1,1.35\n2,1.45\n3,1.55\n4,1.6", "5 1; y [] 1.2..1.6"},
    {"t,y\n0,125\n1,135\n2,145\n3,155\n4,16",
     "4 1; y [] 125..155; line 6 has no"},
    {"t,y\n0,1003\n1,1002\n2,1001\n3,1000\n4,999", "5 1; y [] 1003..999"},
    {"t,y\n0,95\n1,105\n2,115\n3,125\n4,1", "4 1; y [] 95..125; line 6 has no"},
    {"t,y\n0,16\n1,12\n2,14\n3,11\n4,0", "5 1; y [] 16..0"},
    {"t,y\n0,125\n1,135\n2,145\n3,155\n4,16\n", "5 1; y [] 125..16"},
    {"t,y\n0,1.2e-5\n1,1.3e-5\n2,1.4e-5\n3,1.5e-5\n4,1.6",
     "4 1; y [] 1.2e-05..1.5e-05; line 6 has no"},
    {"t,y\n0,1.2e-4\n1,1.2e-4\n2,1.1e-4\n3,1.1e-4\n4,0.0001",
     "5 1; y [] 0.00012..0.0001"},
    /* what stands below the rows has a number, but more words */
    {"Step Time Temp\n0 0.5 300\n1 1.0 301\n2 1.5 302\n"
     "Loop time of 3.5 on 1 procs\n\nPerformance: 1000 tau/day\n",
     "3 0.5; Step [] 0..2, Temp [] 300..302; line 5 and"},
    /* whole numbers that count ms, us, or what the settings say */
    {"Timestamp,y\n123450,1\n123460,2\n123470,3\n",
     "3 0.01; y [] 1..3; time 'Timestamp' is taken as ms, in steps of 10; "
     "--scale \"Timestamp=1\": s, =1e-06: us"},
    {"time,y\n84000123,1\n84002123,2\n84004123,3\n",
     "3 0.002; y [] 1..3; time 'time' is taken as us"},
    {"time,y\n0,1\n10,2\n20,3\n",
     "3 10; y [] 1..3; time 'time' is taken as s, in steps of 10"},
    {"time,y\n0,1\n200,2\n400,3\n", "3 200; y [] 1..3; time 'time' is taken as "
                                    "s, in steps of 200"},
    {"// Sample rate: 100.0Hz\nCounter\tSampleTimeFine\ty\n5\t1200000\t1\n"
     "6\t1200100\t2\n7\t1200200\t3\n",
     "...y [] 1..3; time 'SampleTimeFine' counts 0.0001 s, by the step of "
     "0.01"},
    /* letters of Central and of Western Europe */
    {"\xc8"
     "as [s];Tlak v\xf8"
     "etena [kPa]\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; Tlak v\xc5\x99"
     "etena [kPa] 1.5..1.7"},
    {"Czas (s);Pr\xb9"
     "d (A)\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; Pr\xc4\x85"
     "d [A] 1.5..1.7"},
    {"Temps (s);D\xe9"
     "bit p\xe8re (m\xb3/h)\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; D\xc3\xa9"
     "bit p\xc3\xa8re [m\xc2\xb3/h] 1.5..1.7"},
    {"\xef\xbb\xbft [s],T [\xb0"
     "C]\n0.0,1\n0.1,2\n0.2,3\n",
     "3 0.1; T [\xc2\xb0"
     "C] 1..3; the file begins with the mark of UTF-8, but its letters are "
     "not: read as those of CP1252"},
    {"\xef\xbb\xbft [s],T [\xc2\xb0"
     "C]\n0.0,1\n0.1,2\n0.2,3\n",
     "3 0.1; T [\xc2\xb0"
     "C] 1..3"},
    /* those of others: Cyrillic, Chinese, Japanese, with a note */
    {"\xc2\xf0\xe5\xec\xff;\xd2\xee\xea\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; Ток [] 1.5..1.7; time is column 1, 'Время' (--time names "
     "another); letters (bytes c2 f0 e5 ...) are neither UTF-8 nor "
     "Windows-1252 as far as can be told: read as CP1251"},
    {"t;\xce\xc2\xb6\xc8\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; 温度 [] 1.5..1.7; letters (bytes ce c2 b6 ...) are neither UTF-8 "
     "nor Windows-1252 as far as can be told: read as GBK"},
    {"t;\x93\x64\x88\xb3\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; 電圧 [] 1.5..1.7; letters (bytes 93 64 88 ...) are neither UTF-8 "
     "nor Windows-1252 as far as can be told: read as CP932"},
    {"\xf7\xd2\xc5\xcd\xd1;y\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; y [] 1.5..1.7; time is column 1, 'Время' (--time names another); "
     "letters (bytes f7 d2 c5 ...) are neither UTF-8 nor Windows-1252 as far "
     "as "
     "can be told: read as KOI8-R"},
    {"czas;\xbf\xf3\xb3ty;\x9fr\xf3"
     "d\xb3o\n0,0;1,5;1\n0,1;1,6;2\n",
     "2 0.1; żółty [] 1.5..1.6, źródło [] 1..2; time is column 1"},
    /* key=value in each cell */
    {"t=0.0 u=2.5 y=1\nt=0.1 u=2.6 y=2\nt=0.2 u=2.7 y=3\n",
     "3 0.1; u [] 2.5..2.7, y [] 1..3"},
    {"log of pump 3\nt:0.0, u[V]:2.5, y:1\nt:0.1, u[V]:2.6, y:2\n"
     "t:0.2, u[V]:2.7, y:3\n",
     "3 0.1; u [V] 2.5..2.7, y [] 1..3"},
    {"ts=2026-02-03T10:00:00Z msg=\"loop done\" u=2.5\n"
     "ts=2026-02-03T10:00:01Z msg=\"loop done\" u=2.6\n"
     "ts=2026-02-03T10:00:02Z msg=\"loop done\" u=2.7\n",
     "3 1; u [] 2.5..2.7; text, not read: msg"},
    {"2026-02-03 10:00:00,250 INFO pump u=2.5 y=1\n"
     "2026-02-03 10:00:00,500 INFO pump u=2.6 y=2\n"
     "2026-02-03 10:00:00,750 INFO pump u=2.7 y=3\n",
     "3 0.25; u [] 2.5..2.7, y [] 1..3"},
    {"t=0 u=2 y=1\nt=1 y=2 u=2\nt=2 u=2 y=3\n",
     "...; keys and values (\"u=2.1\") stand in other columns from line to "
     "line"},
    {"t=0 u=2 y=1\nt=1 u=2 y=2\nt=2 u=2 y=3\nt=3 u=2 y=3\nt=4 u=2 y=3\n"
     "t=5 u=2 y=3\nt=6 u=2 y=3\nt=7 u=2 y=3\nt=8 y=4 u=2\nt=9 u=2 y=3\n",
     "...:9:5: error: 'y=4' in column 'u' is not a number"},
    /* JSON behind a mark */
    {"\xef\xbb\xbf{ \"t\": [0, 1], \"y\": [1, 2]}\n",
     "...error: this is JSON, which darc"},
    {"[\n      {\"t\": 0, \"y\": 1}]\n", "...error: this is JSON, which darc"},
    /* names one below the other */
    {"Sig1\tTime (min)\nSig2\tForce (N)\nDate\t03-Feb-26\nStartOfData\n"
     "0.0\t2.5\n0.5\t2.6\n1.0\t2.7\n",
     "3 30; Force [N] 2.5..2.7; columns are named by lines above"},
    {"# Column 1: time (s)\n# Column 2: force (N)\n0.0 2.5\n0.5 2.6\n1 2.7\n",
     "3 0.5; force [N] 2.5..2.7; columns are named"},
    {"Log : 2\nChannel : Speed\nID : 384\n\nChannel : Load\nID : 224\n\n"
     "10:00:00.0,2.5,1\n10:00:00.5,2.6,2\n10:00:01.0,2.7,3\n",
     "3 0.5; Speed [] 2.5..2.7, Load [] 1..3; time is column 1, 'c1'"},
    {"run 7\n\nTime [s]\nForce [N]\n0.0\t2.5\n0.5\t2.6\n1.0\t2.7\n",
     "3 0.5; Force [N] 2.5..2.7; columns are named"},
    {"# by GROMACS\n@    xaxis  label \"Time (ps)\"\n@TYPE xy\n"
     "@ s0 legend \"Temp\"\n@ s1 legend \"p\"\n0.0 2.5 1\n2.0 2.6 2\n"
     "4.0 2.7 3\n",
     "3 2e-12; Temp [] 2.5..2.7, p [] 1..3; columns are named"},
    {"# nvalues = 3\n# name 0 = timeS: Time [seconds]\n# name 1 = p: P [db]\n"
     "# span 0 = 0, 1\n# span 1 = 2, 3\n*END*\n 0.0  2.5\n 0.5  2.6\n"
     " 1.0  2.7\n",
     "3 0.5; p: P [db] 2.5..2.7; columns are named"},
    {"Step 1: heat\nStep 2: cool\nStep 3: hold\n\n0.0\t2.5\n0.5\t2.6\n",
     "...error: no time column"},
    {"% Version:   COMSOL 6.1\n% Date:   Feb 3\n% Table:   Table 1\n"
     "% Time (s)       Temp (K), Point: (1, 2) Heat flux (W/m^2), max\n"
     "0.0              2.5                     1\n"
     "0.5              2.6                     2\n"
     "1.0              2.7                     3\n",
     "3 0.5; Temp (K), Point: (1, 2) [K] 2.5..2.7, Heat flux (W/m^2), max "
     "[W/m^2] 1..3"},
    {"% Version: COMSOL 6.1.0\n% by blanks\n0.0 2.5 1\n0.5 2.6 2\n1.0 2.7 3\n",
     "...columns: c1, c2, c3, called so since"},
    /* several lines of names */
    {",pump,pump\n,u,y\ntime,,\n0.0,2.5,1\n0.5,2.6,2\n1.0,2.7,3\n",
     "3 0.5; pump u [] 2.5..2.7, pump y [] 1..3"},
    {"time,pump,pump\n,u [V],y [A]\n0.0,2.5,1\n0.5,2.6,2\n1.0,2.7,3\n",
     "3 0.5; pump u [V] 2.5..2.7, pump y [A] 1..3"},
    {"time,hip,,knee,\n,X,Y,X,Y\ns,mm,mm,mm,mm\n0.0,1,2,3,4\n0.5,2,3,4,5\n"
     "1.0,3,4,5,6\n",
     "3 0.5; hip X [mm] 1..3, hip Y [mm] 2..4, knee X [mm] 3..5, knee Y"},
    {"CH,,,0001,0002\nTag,,,Feed,Tank\nTagNo.,,,,\nUnit,,,V,bar\n"
     "YYYY/MM/DD,hh:mm:ss,ms,,\n2026/02/03,10:00:00,000,1,2\n"
     "2026/02/03,10:00:00,500,2,3\n2026/02/03,10:00:01,000,3,4\n"
     "2026/02/03,10:00:01,500,4,5\n",
     "4 0.5; Feed [V] 1..4, Tank [bar] 2..5"},
    {"\"Pump 1\"\t\"Pump 2\"\nt0\t03.02.2026 10:00:00\ndt\t0.5\nY\tY\n1\t2\n"
     "2\t3\n3\t4\n",
     "3 0.5; Pump 1 [] 1..3, Pump 2 [] 2..4; time by 'dt' in line 3"},
    {"E(Volts)\tI(A)\tT(Seconds)\nEnd Comments\n1\t2\t0.0\n2\t3\t0.5\n"
     "3\t4\t1.0\n",
     "3 0.5; E [Volts] 1..3, I [A] 2..4; time is column 3"},
    {" TIME \tTair\tQheat\t\n HR \tC\tKJ/HR\t\n0.0\t1\t2\t\n0.5\t2\t3\t\n"
     "1.0\t3\t4\t\n",
     "3 1800; Tair [C] 1..3, Qheat [KJ/HR] 2..4"},
    {"Time interval :,2.00us,2.00us\n\nindex,CH1(V),CH2(V)\n0,1,2\n1,2,3\n"
     "2,3,4\n",
     "3 2e-06; index [] 0..2, CH1 [V] 1..3, CH2 [V] 2..4; time by"},
    {"'Elapsed time','MLII','V5'\n'seconds','mV','mV'\n0.0,1,2\n0.5,2,3\n"
     "1.0,3,4\n",
     "3 0.5; MLII [mV] 1..3, V5 [mV] 2..4"},
    /* points in time of two parts */
    {"'t','y'\n'[10:00:00.000 03/02/2026]',1\n'[10:00:00.500 03/02/2026]',2\n"
     "'[10:00:01.000 03/02/2026]',3\n",
     "3 0.5; y [] 1..3"},
    {"# period;y\n2026-02-03T10:00:00.0/2026-02-03T11:00:00.0;1\n"
     "2026-02-03T11:00:00.0/2026-02-03T12:00:00.0;2\n"
     "2026-02-03T12:00:00.0/2026-02-03T13:00:00.0;3\n",
     "3 3600; y [] 1..3"},
    {"NO_OF_FRAMES\t3\nFREQUENCY\t100\nTIME_STAMP\t2026-02-03, 10:00:00\n"
     "MARKER_NAMES\thip\tknee\n1\t2\t3\t4\t5\t6\n2\t3\t4\t5\t6\t7\n"
     "3\t4\t5\t6\t7\t8\n",
     "3 0.01; hip X [] 1..3, hip Y [] 2..4, hip Z [] 3..5, knee X [] 4..6"},
    {"1770112800.0, 1770112800.0\n32.0, 32.0\n1,2\n2,3\n3,4\n",
     "3 0.03125; c1 [] 1..3, c2 [] 2..4; time by 'the rate in the second row'"},
    {"1770112800.0\n4.0\n1\n2\n3\n", "3 0.25; c1 [] 1..3; time by"},
    /* a line in the middle goes wrong: the rows below it are seen */
    {"t,y\nFeb 03 2026 10:00:00,1\nFeb 03 2026 10:00:01,2\nlost\n"
     "Feb 03 2026 10:00:03,4\nFeb 03 2026 10:00:04,5\n",
     "...:4:1: error: 'lost' in column"},
    {"t [s];Kanal 1/bar;Kanal 2/bar;n 1/min\n0;1;2;3\n1;2;3;4\n2;3;4;5\n",
     "3 1; Kanal 1 [bar] 1..3, Kanal 2 [bar] 2..4, n [1/min] 3..5"},
    {"t (min:s);y\n00:00;1\n00:01;2\n00:02;3\n", "3 1; y [] 1..3"},
    {"Id\xf5 (s);Nyom\xe1s (bar)\n0,0;1,5\n0,1;1,6\n0,2;1,7\n",
     "3 0.1; Nyom\xc3\xa1s [bar] 1.5..1.7; time is column 1, 'Id\xc5\x91'"},
    /* numbers that stand for missing ones */
    {"t,y\n0,1\n1,-999\n2,3\n3,-999\n",
     "4 1; y [] 1..-999; 2 values of 'y' are -999: if that stands for missing "
     "ones, make them gaps: sed 's/-999\\b/nan/g' FILE >run.csv"},
    {"t,y\n0,1.00\n1,-999.00\n2,3.00\n", "...sed 's/-999\\.00\\b/nan/g' FILE"},
    {"t,y\n0,1\n1,9.9e37\n2,3\n", "3 1; y [] 1..3; 1 value of 'y' is 9.9e+37"},
    {"t,y\n0,-990\n1,-999\n2,-1005\n", "3 1; y [] -990..-1005"},
    /* units in cells */
    {"Time,V(1),I(R1)\n0.0us,2.5V,1mA\n0.5us,2.6V,2mA\n1.0us,2.7V,3mA\n",
     "3 5e-07; V(1) [V] 2.5..2.7, I(R1) [mA] 1..3"},
    {"time=0.0s, temp=2.5C, p=1bar\ntime=0.5s, temp=2.6C, p=2bar\n"
     "time=1.0s, temp=2.7C, p=3bar\n",
     "3 0.5; temp [C] 2.5..2.7, p [bar] 1..3"},
    {"Time,5V,12V\n0,4.9,11.8\n1,5.1,12.1\n2,5.0,12.0\n",
     "3 1; 5V [] 4.9..5, 12V [] 11.8..12"},
    /* lines that begin runs; a setting whose value stands below it, alone */
    {"time\tV(out)\nStep Information: R=1\n0\t1\n1\t2\n2\t3\n"
     "Step Information: R=2\n0\t4\n1\t5\n2\t6\n",
     "15 1; V(out) [] 1..6; line 7: time begins anew (1 time)"},
    {"interval,u\n0.5,\n,\ny,z\n1,2\n2,3\n3,4\n",
     "3 0.5; y [] 1..3, z [] 2..4; time by 'interval' in line 1"},
    {"interval,y\n0.5,1\n0.7,2\n0.9,3\n", "...:1:1: error: no time column"},
    {"interval,y\n0.5,1\n0.5,2\n0.5,3\n", "3 0.5; interval [] 0.5..0.5, y []"},
    /* the unit of a setting says whether it is a step or a rate */
    {"Sample rate: 5 s\nT (C),p\n1,2\n2,3\n3,4\n", "3 5; T [C] 1..3, p"},
    {"Logging interval: 5 min\nT,p\n1,2\n2,3\n3,4\n", "3 300; T [] 1..3"},
    {"Interval: 00:05:00\nT,p\n1,2\n2,3\n3,4\n", "3 300; T [] 1..3"},
    {"#CHANNEL:CH1\n#CLOCK=2.000uS\n#UNITS:V\n\n1.5\n2.5\n3.5\n",
     "3 2e-06; c1 [] 1.5..3.5; time by 'CLOCK=2.000uS' in line 2"},
    {"Time (mS),u\n0,1\n2,2\n4,3\n", "3 0.002; u [] 1..3"},
    /* s since a start, in brackets; keys behind it */
    {"[   12.345678] iio: a=1 b=4\n[   12.445678] iio: a=2 b=5\n"
     "[   12.545678] iio: a=3 b=6\n",
     "3 0.1; a [] 1..3, b [] 4..6"},
    {"t:100 v:1\nt:150 v:2\nt:200 v:3\n",
     "3 50; v [] 1..3; time 't' is taken as s, in steps of 50"},
    /* stamps of several groups above one another, with units (VCDS) */
    {"1 March\n,,Group A:,'003,,Group B:,'011\n"
     ",,Speed,EGR,,Boost,Boost (act.)\n,TIME,,,TIME,,\n"
     "Marker,STAMP, /min, mg/str,STAMP, mbar, mbar\n,0.1,1,2,0.3,3,4\n"
     ",0.6,2,3,0.8,4,5\n,1.1,3,4,1.3,5,6\n",
     "3 0.5; Speed [/min] 1..3, EGR [mg/str] 2..4, Boost [mbar] 3..5, Boost "
     "(act.) [mbar] 4..6; another clock: TIME_2, up to 0.2 s off "
     "(--time TIME_2: what is right of it by its own times)"},
    {"1 March\n,,Group A:,'003,,Group B:,'011\n,,Speed,EGR,,Boost,Boost "
     "(act.)\n"
     ",TIME,/min,mg/str,TIME,mbar,mbar\nMarker,STAMP,,,STAMP,,\n"
     ",0.1,1,2,0.3,3,4\n,0.6,2,3,0.8,4,5\n,1.1,3,4,1.3,5,6\n",
     "3 0.5; Speed [/min] 1..3, EGR [mg/str] 2..4, Boost [mbar] 3..5, "
     "Boost (act.) [mbar] 4..6; empty, not read: Marker; another clock: "
     "STAMP_2, up to 0.2 s off"},
    {"Time 1,A,Time 2,B\n0.5,1,0.5,3\n1.0,2,1.5,4\n1.5,3,2.5,5\n",
     "3 0.5; A [] 1..3, B [] 3..5; another clock: Time 2, up to 1 s "
     "off (--time Time 2: what is right of it by its own times)"},
    /* the first word of each name above it (Davis), by tabs or by place */
    {"\t\tTemp\tHi\tOut\t\tWind\nDate\tTime\tOut\tTemp\tTemp\tBar\tSpeed\n"
     "03/02/26\t11:55a\t1\t2\t3\t4\t5\n03/02/26\t12:00p\t2\t3\t4\t5\t6\n"
     "03/02/26\t12:05p\t3\t4\t5\t6\t7\n",
     "3 300; Temp Out [] 1..3, Hi Temp [] 2..4, Out Temp [] 3..5, Bar [] 4..6, "
     "Wind Speed [] 5..7\n"},
    {"                 Temp   Hi   Out       Wind\n"
     "  Date    Time    Out Temp  Temp  Bar Speed\n"
     "03/02/26 11:55a   1.5  2.5   3.5  4.5   5.5\n"
     "03/02/26 12:00p   2.5  3.5   4.5  5.5   6.5\n"
     "03/02/26 12:05p   3.5  4.5   5.5  6.5   7.5\n",
     "3 300; Temp Out [] 1.5..3.5, Hi Temp [] 2.5..4.5, Out Temp [] 3.5..5.5, "
     "Bar [] 4.5..6.5, Wind Speed [] 5.5..7.5"},
    /* what stands for a measurement that failed is a gap, with a note */
    {"t,u,v,y\n0,---OL---,1,1\n1,2,+OVER,2\n2,ERR,3,3\n3,4,4,4\n4,1.#INF,5,5\n",
     "5 1; u [] nan..nan, v [] 1..5, y [] 1..5; line 2: '---OL---' is a gap (4 "
     "such cells)\n"},
    {"t,Error,y\n0,nan(snan),1\n1,2,2\n2,3,3\n",
     "3 1; Error [] nan..3, y [] 1..3\n"},
    /* weeks of ISO 8601 over the end of years; names of rows of R */
    {"time;y\n2015-W53-5;1\n2015-W53-6;2\n2015-W53-7;3\n2016-W01-1;4\n",
     "4 86400; y [] 1..4\n"},
    {"time;y\n2026-W01-3T23:00:00Z;1\n2026-W01-4T00:00:00Z;2\n"
     "2026-01-01T01:00:00Z;3\n",
     "3 3600; y [] 1..3\n"},
    {"time;y\n2016-W53-1;1\n2016-W53-2;2\n", "...'2016-W53-1' in column"},
    {"\"t\" \"x\"\n\"1\" 0 1.5\n\"2\" 0.1 2.5\n\"3\" 0.2 3.5\n",
     "3 0.1; x [] 1.5..3.5\n"},
    /* "CH" above settings, names below them; a type is no unit; a unit within
     */
    {"\"CH\",\"1\",\"2\"\n\"Mode\",\"V\",\"Tc\"\n\"Offset\",\"0\",\"0\"\n"
     "\"Time\",\"a[V]\",\"b[C]\"\n0,1,2\n1,2,3\n2,3,4\n",
     "3 1; a [V] 1..3, b [C] 2..4\n"},
    {";Yield;Power\n;Counter;Analog\ndd/MM/yyyy HH:mm;kWh;kW\n"
     "03/02/2026 10:00;1;2\n03/02/2026 10:01;2;3\n03/02/2026 10:02;3;4\n",
     "3 60; Yield [kWh] 1..3, Power [kW] 2..4; "},
    {"Time (ms) Run #1,x (m) Run #1,T(%RH)\n0,1,2\n5,2,3\n10,3,4\n",
     "3 0.005; x (m) Run #1 [m] 1..3, T [%RH] 2..4\n"},
    /* a form of time below the names; time in other letters; a log's clock */
    {"Zeit;T1 / degC;n\nhh:mm:ss;;\n00:00:00;1;2\n00:00:30;2;3\n00:01:00;3;4\n",
     "3 30; T1 [degC] 1..3, n [] 2..4\n"},
    {"Время, мс;Ток\n0;1\n125;2\n250;3\n", "3 0.125; Ток [] 1..3; "},
    {"时间(毫秒),y\n0,1\n125,2\n250,3\n", "3 0.125; y [] 1..3; "},
    {"Time,CH1,CH2\nmilliseconds,V,V\n0,1,2\n1,2,3\n2,3,4\n",
     "3 0.001; CH1 [V] 1..3, CH2 [V] 2..4\n"},
    {"[   0.000] u=1.5 y=2.5\n[   0.500] u=1.6 y=2.6\n[   1.000] u=1.7 y=2.7\n",
     "3 0.5; u [] 1.5..1.7, y [] 2.5..2.7; "},
    /* what begins as the time does and is no clock */
    {"t,t1,t2,y\n0,20.5,21,1\n1,20.7,22,2\n2,20.9,23,3\n",
     "3 1; t1 [] 20.5..20.9, t2 [] 21..23, y [] 1..3\n"},
    {"Time,Time 1,y\n0,20.5,1\n1,20.7,2\n2,20.4,3\n",
     "3 1; Time 1 [] 20.5..20.4, y [] 1..3\n"},
    {"t,y,z\n0,[0.123],1\n1,[0.223],2\n2,[0.323],3\n",
     "3 1; z [] 1..3; text, not read: y\n"},
    {"time,analog,digital,error\n0,1,2,3\n1,2,3,4\n2,3,4,5\n",
     "3 1; analog [] 1..3, digital [] 2..4, error [] 3..5\n"},
    /* signs apart from digits, a unit where the scale rests (Sartorius) */
    {"10:00:00 N     -    0.0900 g\n10:00:01 N     +    0.0100 g\n"
     "10:00:02 N     +   12.1600 g\n",
     "3 1; c3 [] -0.09..12.16; text, not read: c2, c4; "},
    {"Time;Weight\n10:00:00;-   0.0900\n10:00:01;+   0.0100 g\n"
     "10:00:02;+  12.1600 g\n",
     "3 1; Weight [g] -0.09..12.16"},
    {"10:00:00 N - 1.0900\n10:00:01 N - 1.0100\n10:00:02 N - 1.16\n",
     "3 1; c4 [] 1.09..1.16; text, not read: c2; empty, not read: c3"},
    /* numbers without a name are told, an index is not */
    {"t [s],,y\n0,5,1\n1,7,2\n2,8,3\n",
     "3 1; y [] 1..3; column 2 has no name: not read"},
    {",t [s],y\n0,0,1\n1,1,2\n2,2,3\n", "3 1; y [] 1..3"},
    /* settings of each column between names and units; units above names */
    {"Zeit\tA\tB\nDate=1\tRange=10 V\tRange=5 V\ns\tV\tmA\n0\t1\t2\n1\t2\t3\n"
     "2\t3\t4\n",
     "3 1; A [V] 1..3, B [mA] 2..4"},
    {"Einheit;1/min;V\nZeit [ms];n;U\n0;1,5;2,5\n2;1,6;2,6\n4;1,7;2,7\n",
     "3 0.002; n [1/min] 1.5..1.7, U [V] 2.5..2.7"},
    /* what stands above names that begin with an empty one is none */
    {"Serial;12345;;\n;Date;[C] T;[%] H\n1;12.03.2026 10:00:00;2,5;3,5\n"
     "2;12.03.2026 10:01:00;2,6;3,4\n3;12.03.2026 10:02:00;2,7;3,3\n",
     "3 60; T [C] 2.5..2.7, H [%] 3.5..3.3"},
    {"t,1\n0,5\n1,6\n2,7\n", "3 1; 1 [] 5..7"},
    /* names behind a label */
    {"TITLE = \"a\"\nVARIABLES = \"t [s]\", \"CL [-]\"\nZONE T=\"b\", F=POINT\n"
     " 0.0 2.5\n 0.5 2.6\n 1.0 2.7\n",
     "3 0.5; CL [-] 2.5..2.7"},
    {"VARIABLES = \"Time\"\n\"CL\"\nZONE T=\"b\"\n I=3, J=1, F=POINT\n"
     " DT=(DOUBLE DOUBLE )\n 0.0 2.5\n 0.5 2.6\n 1.0 2.7\n",
     "3 0.5; CL [] 2.5..2.7"},
    {"channel names:\nV_0\tV_1\n\ndt:\n0.001\t0.001\n\ndata:\n1\t2\n2\t3\n"
     "3\t4\n",
     "3 0.001; V_0 [] 1..3, V_1 [] 2..4"},
    /* blanks in cells that tabs part are no separators */
    {"Today\t1/2/2026 10:00 AM\tFile:\ta\nRec\tCycle P\tCycle C\tTestTime\tMd\n"
     "1\t0\t1\t  0d 00:00:00.0\tC\n2\t0\t2\t  0d 00:01:00.0\tC\n"
     "3\t0\t3\t  0d 00:02:00.0\tC\n",
     "3 60; Rec [] 1..3, Cycle P [] 0..0, Cycle C [] 1..3"},
    /* units below their names, but for the first */
    {"Curve Name:\n  Sample\n\n Index     t      Ts  Value\n"
     "         [s]    [\xc2\xb0"
     "C]   [mW]\n 0   0.0   25.0   1.5\n"
     " 1   0.5   25.1   1.6\n 2   1.0   25.2   1.7\n",
     "3 0.5; Index [] 0..2, Ts [\xc2\xb0"
     "C] 25..25.2, Value [mW] 1.5..1.7"},
    /* the time of all counts, not that of steps, which begins anew */
    {"Time,Total Time,y\n00:00:00,00:00:00,1\n00:00:10,00:00:10,2\n"
     "00:00:00,00:00:20,3\n",
     "3 10; y [] 1..3"},
    {"step_time [s],test_time [s],y\n0,0,1\n10,10,2\n0,20,3\n",
     "3 10; step_time [s] 0..0, y [] 1..3"},
    /* a number and a length say where, not in which unit */
    {"unit,C,km/h\ntimestamp,T [2 m],v [10 m]\n20260312T0000,1,2\n"
     "20260312T0100,2,3\n20260312T0200,3,4\n",
     "3 3600; T [2 m] [C] 1..3, v [10 m] [km/h] 2..4"},
    /* the last number has no digits behind a mark, as all above have */
    {"t,y\n0,1.5\n1,2.25\n2,3.5\n3,4.75\n4,5.5\n5,0", "5 1; y [] 1.5..5.5"},
    /* what parts rows parts their names; none is made of blanks then */
    {"Stamp,Elapsed (s),DC Voltage (V)\n10:00:00,0,1,,\n10:00:01,1,2,,\n"
     "10:00:02,2,3,,\n",
     "...:2:15: error: 4 cells where the header in line 1 has 3"},
    /* days with blanks, in other languages; halves of a day */
    {"Idő;P\n2026. 03. 12. 10:00:00;1\n2026. 03. 12. 10:00:05;2\n"
     "2026. 03. 12. 10:00:10;3\n",
     "3 5; P [] 1..3"},
    {"Čas;P\n12. 3. 2026 10:00;1\n12. 3. 2026 10:01;2\n12. 3. 2026 10:02;3\n",
     "3 60; P [] 1..3"},
    {"time;y\n30-juil.-2026;1\n31-juil.-2026;2\n01-août-2026;3\n",
     "3 86400; y [] 1..3"},
    {"time;y\n28-mrt-2026;1\n29-mrt-2026;2\n30-mrt-2026;3\n",
     "3 86400; y [] 1..3"},
    {"Time;u\n12/3/2026 11:59:00 πμ;1\n12/3/2026 12:00:00 μμ;2\n"
     "12/3/2026 12:01:00 μμ;3\n",
     "3 60; u [] 1..3"},
    {"Time,u\n2026-03-12 오전 11:59:00,1\n2026-03-12 오후 12:00:00,2\n"
     "2026-03-12 오후 12:01:00,3\n",
     "3 60; u [] 1..3"},
    /* texts that differ in their last letters */
    {"entity_id,state,last_changed\nsensor.tank,1,2026-03-12T10:00:00Z\n"
     "sensor.feed,2,2026-03-12T10:00:01Z\nsensor.tank,3,2026-03-12T10:00:02Z\n"
     "sensor.feed,4,2026-03-12T10:00:03Z\n",
     "...'state' holds values of several signals, which 'entity_id' names"},
    {"\"time {s}\";\"mass\\x {m}\"\n0;1\n1;2\n2;3\n", "3 1; mass\\x [m] 1..3"},
    {"FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns\n",
     "...this is a text log of ArduPilot"},
    {"# Created by Octave 8.4.0\n# name: t\n", "...this is a text file of Oct"},
    {"A,1,1999\n2,1A,1D\n1,IA,A,,A,0.01,0,0,-32767,32767,100,1,P\n",
     "...this is the description of a COMTRADE record"},
    /* labels are none where rows have names; separators alone are no line */
    {"CH,Signal name,Input,Range\nCH1,Feed,DC,10V\nNumber,Time,CH1,CH2\n"
     "NO.,s,V,degC\n1,0,2,3\n2,1,3,4\n3,2,4,5\n",
     "3 1; Number [NO.] 1..3, CH1 [V] 2..4, CH2 [degC] 3..5"},
    {"File;run;\n;;\ndate;G;T\n;W/m2;degC\n;;\n12/03/90 00:00;1,5;2\n"
     "12/03/90 01:00;2,5;3\n12/03/90 02:00;3,5;4\n",
     "3 3600; G [W/m2] 1.5..3.5, T [degC] 2..4"},
    {"t;P\n0;2’500.5\n1;3’500.5\n2;4’500.5\n", "3 1; P [] 2500.5..4500.5"},
    {"t;P\n1;2.500\n2;3.500\n3;4.500\n",
     "3 1; P [] 2.5..4.5; numbers that have a mark have three digits"},
    {"t;P\n1;2.500\n2;3.500\n3;4.50\n", "3 1; P [] 2.5..4.5\n"},
    /* a unit in one cell of many is none of the column */
    {"t,y\n0,1\n1,2 mV\n2,3\n3,4\n4,5\n", "...'2 mV' in column 'y' is not"},
    {"Index   time   v(out)   i(r1)\n0\t0.0\t2.5\t\n1\t0.5\t1.6\t2.6\t\n"
     "2\t1.0\t1.7\t2.7\t\n3\t1.5\t1.8\t2.8\t\n4\t2.0\t1.9\t2.9\t\n",
     "...:2:11: error: 3 cells where the header in line 1 has 4"},
    {"t,u,v,w,y\nms,V,V,V\n0,1,2,3,4\n1,2,3,4,5\n2,3,4,5,6\n",
     "...:3:10: error: 5 cells where the header in line 2 has 4"},
    {"CURVE\n\tPt\tT\tVf\tOver\n\ts\tV vs. Ref.\tbits\n\t0\t0.0\t2.8\t....\n"
     "\t1\t0.5\t2.9\t....\n\t2\t1.0\t2.7\t....\n",
     "...the line of units has 3 cells where the header has 4"},
    /* an end without what ends the rows above, or the power that they have */
    {"t\ty\t\n0\t1.25\t\n1\t1.35\t\n2\t1.45\t\n3\t1.55\t\n4\t1.6",
     "4 1; y [] 1.25..1.55; line 6 has no end"},
    {"t\ty\n0\t1.2D-01\n1\t1.3D-01\n2\t1.4D-01\n3\t1.5D-01\n4\t1.6D-0",
     "4 1; y [] 0.12..0.15; line 6 has no end"},
    {"time;y\n202603121000;1.5\n202603121010;2.5\n202603121020;3.5\n"
     "202603121030;4.5\n2026031",
     "4 600; y [] 1.5..4.5; time 'time' is taken as yyyymmddhhmm"},
    /* the rows of the longer table, below its own names */
    {"Channel,Gain,Offset\n1,2,0.1\n2,3,0.2\n3,4,0.3\n\nTime,u,y\n0,1,2\n1,2,"
     "3\n"
     "2,3,4\n3,4,5\n4,5,6\n",
     "5 1; u [] 1..5, y [] 2..6"},
    {"Date,y\n12.03.2026 10:02,3\n12.03.2026 10:01,2\n12.03.2026 10:00,1\n",
     "...if the last row stands first, (head -n 1 FILE; tail -n +2 FILE | "
     "tac)"},
    /* a name that has a unit stands above no points in time */
    {"Time,n (RPM),T (C)\n,10:00:00,800,20\n,10:00:01,801,21\n"
     ",10:00:02,802,22\n",
     "...error: "},
    /* times that go as the settings say, but for a row */
    {"Interval(msec)\t600\nR.Time "
     "(min)\ty\n0.00\t1\n0.01\t2\n0.01\t3\n0.02\t4\n"
     "0.03\t5\n0.04\t6\n0.05\t7\n0.06\t8\n0.07\t9\n",
     "8 0.6; y [] 1..9; line 5: 1 row has the time of the row before"},
    /* minutes that end behind the first rows */
    {"time,v\n104158.0,1\n104158.5,2\n104159.0,3\n104159.5,4\ntime,v\n"
     "104200.0,5\n104200.5,6\n104201.0,7\n",
     "7 0.5; v [] 1..7; time 'time' is taken as s, or hhmmss from where"},
    /* a date above names that stand again tells no time */
    {"Begun:\t02/03/2026\nRec\tTestTime\ty\n1\t0d 00:00:00\t2\n"
     "2\t0d 00:00:02\t3\n3\t0d 00:00:04\t4\nBegun:\t02/03/2026\n"
     "Rec\tTestTime\ty\n4\t0d 00:00:06\t5\n5\t0d 00:00:08\t6\n",
     "5 2; Rec [] 1..5, y [] 2..6"},
    {"Rate,Time,HR (bpm),v,Note\n,1,00:00:00,120,5,\n,,00:00:01,121,6,\n"
     ",,00:00:02,122,7,\n,,00:00:03,123,8,\n",
     "...error: no time column"},
    /* rows of two devices in turn */
    {"time,device,T\n0,a,20\n1,b,40\n2,a,21\n3,b,41\n4,a,22\n5,b,42\n",
     "6 1; T [] 20..42; text, not read: device; 'device' changes from row"},
    /* one time alone, then the first again */
    {"time,y\n,1\n00:00:07,2\n,3\n00:00:00,4\n00:00:01,5\n00:00:02,6\n",
     "...does not increase"},
    {"Date,Time,Temp\nMMDDYY,HHMMSS,C\n031226,100058,1\n031226,100059,2\n"
     "031226,100100,3\n031226,100101,4\n",
     "4 1; Date [MMDDYY] 31226..31226, Temp [C] 1..4; time 'Time' is taken"},
    /* a cell too many in the first row: the names stay */
    {"Time\tT 600\tA 1\n0\t1\t2\t3\n1\t2\t3\n2\t3\t4\n3\t4\t5\n",
     "...:2:8: error: 4 cells where the header in line 1 has 3"},
    {"Log;3\nRate;x\n\nTime;u\n[s];[V]\n\n0,0;0,0;1,5\n0,1;1,6\n0,2;1,7\n"
     "0,3;1,8\n",
     "...:7:12: error: 3 cells where the header in line 4 has 2"},
    /* lines that begin with what they say in each cell (Simulink) */
    {"time,u,y\n,Type: double,Type: int8\n,Unit: V,Unit: m/s\n"
     ",Interp: zoh,Interp: linear\n0.0,1,2\n0.5,2,3\n1.0,3,4\n",
     "3 0.5; u [V] 1..3, y [m/s] 2..4\n"},
    {"time,u\n,Unit: V\n,BlockPath: a/b\n0.0,1\n0.5,2\n1.0,3\n",
     "3 0.5; u [V] 1..3\n"},
    /* values that go on from row to row are no columns */
    {"MOTION OF GROUND\nIN UNITS OF G\nNPTS=    14, DT=  .0100 SEC,\n"
     " .11E-02 .12E-02 .13E-02 .14E-02\n .15E-02 .16E-02 .17E-02 .18E-02\n"
     " .19E-02 .20E-02 .21E-02 .22E-02\n .23E-02 .24E-02\n",
     "...:4:1: error: the 14 values stand in rows of 4: tail -n +4 FILE | tr"},
    {"NPTS=    3, DT=  .0100 SEC,\n.11 .12 .13 .14\n.15 .16 .17 .18\n"
     ".19 .20 .21 .22\n",
     "3 0.01; c1 [] 0.11..0.19, c2 [] 0.12..0.2"},
    /* the first row goes wrong: it is told, not left out */
    {"Time,Flags,Value\n{a},2.8\n10:00:00,{b},2.9\n10:00:01,{b},3.0\n"
     "10:00:02,{b},3.1\n",
     "...:2:1: error: '{a}' in column 'Time' is not"},
    /* three numbers and dots: a clock where one is no day, or seconds go on */
    {"Data;Ora;y\n03/02/2026;10.00.50;1\n03/02/2026;10.01.00;2\n"
     "03/02/2026;10.01.10;3\n",
     "3 10; y [] 1..3; time is column 2, 'Ora'"},
    {"Data;Ora;y\n03/02/2026;10.02.03;1\n03/02/2026;10.02.04;2\n"
     "03/02/2026;10.02.05;3\n",
     "3 1; y [] 1..3; time is column 2, 'Ora'"},
    {"Datum;y\n03.02.26;1\n04.02.26;2\n05.02.26;3\n", "3 86400; y [] 1..3"},
    /* the begin of an interval; a second clock by its unit */
    {"MTU (CET),Load [MW]\n03.02.2026 00:00 - 03.02.2026 01:00,1\n"
     "03.02.2026 01:00 - 03.02.2026 02:00,2\n"
     "03.02.2026 02:00 - 03.02.2026 03:00,3\n",
     "3 3600; Load [MW] 1..3"},
    {"X[s],a[mV],X[s],b[g]\n0.0,1,0.0,5\n0.5,2,2.0,6\n1.0,3,,\n1.5,4,,\n",
     "4 0.5; a [mV] 1..4, b [g] 5..nan; another clock: X_2, up to 1.5 s off"},
    /* days of the year; whole days and parts of them beside */
    {"Year,DOY,HHMM,y\n2024,60,2330,1\n2024,60,2400,2\n2024,61,30,3\n"
     "2024,61,100,4\n",
     "4 1800; y [] 1..4; time is made of the columns 'Year', 'DOY', 'HHMM'"},
    {"YEAR DOY HR y\n2025 365 22 1\n2025 365 23 2\n2026 1 0 3\n",
     "3 3600; y [] 1..3; time is made of the columns 'YEAR', 'DOY', 'HR'"},
    {"DOY,y\n34.00,1\n34.25,2\n34.50,3\n", "3 21600; y [] 1..3"},
    {"Date,Time,y\n46056,0.5,1\n46056,0.75,2\n46057,0,3\n46057,0.25,4\n",
     "4 21600; y [] 1..4; time is made of the columns 'Date', 'Time'"},
    {"Time,y\n0.416666667,1\n0.416678241,2\n0.416689815,3\n",
     "3 1.1574e-05; y [] 1..3; time 'Time' is taken as s; it may be days"},
    /* clocks that are set for the summer, and one that goes back on Monday */
    {"Zeit;y\n25.10.2026 01:00;1\n25.10.2026 02:00;2\n25.10.2026 02:00;3\n"
     "25.10.2026 03:00;4\n",
     "4 3600; y [] 1..4; line 4: the clock was set by an hour"},
    {"Zeit;y\n25.10.2026 02:15;1\n25.10.2026 02:30;2\n25.10.2026 02:45;3\n"
     "25.10.2026 02:00;4\n25.10.2026 02:15;5\n",
     "5 900; y [] 1..5; line 5: the clock was set by an hour"},
    {"Time,y\n2026-03-08 01:00,1\n2026-03-08 01:30,2\n2026-03-08 03:00,3\n"
     "2026-03-08 03:30,4\n",
     "4 1800; y [] 1..4; line 4: the clock was set"},
    {"Zeit;y\n26.10.2026 01:00;0\n26.10.2026 02:15;1\n26.10.2026 "
     "02:30;2\n26.10.2026 02:45;3\n"
     "26.10.2026 02:00;4\n26.10.2026 02:15;5\n",
     "...error: time 3600 s does not increase"},
    /* a table on its side */
    {"Cycle,1,2,3,4\nTime [s],0,30,60,90\nA1,5,6,7,8\n",
     "...error: a row is the time, not a column"},
    /* settings: the loop of a flight controller, in us; an empty cell between
     */
    {"\"looptime\",\"250\"\n\"loopIteration\",\"time\",\"a[0]\"\n"
     "0,35682345,1\n1,35682595,2\n2,35682845,3\n",
     "3 0.00025; loopIteration [] 0..2, a[0] [] 1..3; time 'time' counts "
     "1e-06"},
    {"Time interval :,,4.0us\n\nindex,,U(mV)\n0,,1\n1,,2\n2,,3\n",
     "3 4e-06; index [] 0..2, U [mV] 1..3"},
    {"DIAEXTENDED  {@:ENGLISH\n#BEGINGLOBALHEADER\n1,WINDOWS\n",
     "...this is a header of DIAdem"},
    {"    -1\n    58\ntank\n", "...this is a universal file"},
    /* one time far ahead is wrong, not the row behind it that goes on */
    {"t,y\n5.0,1\n5.1,2\n5.2,3\n2.47e10,4\n5.4,5\n5.5,6\n",
     "...:6:1: error: time 5.4 s does not increase (24700000000 s in the row"},
    /* years of two digits in front, where a day is over */
    {"time;y\n'26-02-03 23:59:58;1\n'26-02-03 23:59:59;2\n"
     "'26-02-04 00:00:00;3\n'26-02-04 00:00:01;4\n",
     "4 1; y [] 1..4; days are read as year/month/day"},
    {"time,y\n02/03/04 12:00,1\n02/03/05 12:00,2\n02/03/06 12:00,3\n",
     "3 86400; y [] 1..3; days are read as year/month/day"},
    {"time,y\n03/02/26 12:00,1\n04/02/26 12:00,2\n05/02/26 12:00,3\n",
     "3 86400; y [] 1..3; days are read as day/month"},
    {"time;y\n26/02/03 12:00;1\n27/02/03 12:00;2\n28/02/03 12:00;3\n",
     "3 86400; y [] 1..3\n"},
    /* numbers that count ticks, days of astronomers, years by their step */
    {"Time,y\n134150000000000000,1\n134150000001000000,2\n"
     "134150000002000000,3\n",
     "3 0.0999994; y [] 1..3; time 'Time' is taken as 100 ns since 1601"},
    {"time,y\n2461075.25,1\n2461075.50,2\n2461075.75,3\n2461076.00,4\n",
     "4 0.25; y [] 1..4; time 'time' is taken as s; it may be days"},
    {"time,y\n1990.0417,1\n1990.1250,2\n1990.2083,3\n1990.2917,4\n",
     "4 0.0833286; y [] 1..4; time 'time' is taken as s; it may be years"},
    {"Sample Rate: 2 kS/s\nu,y\n1,2\n2,3\n3,4\n",
     "3 0.0005; u [] 1..3, y [] 2..4; time by 'Sample Rate'"},
    /* a constant speed is no day */
    {"Time,rpm,y\n0.0,30000,1\n0.1,30000,2\n0.2,30000,3\n",
     "3 0.1; rpm [] 30000..30000, y [] 1..3\n"},
    /* weekdays of any language, words before the clock, East Asia, Thailand */
    {"t;y\nvendredi 13 f\xc3\xa9vrier 2026 10:00:00;1,5\n"
     "vendredi 13 f\xc3\xa9vrier 2026 10:00:01;2,5\n",
     "2 1; y [] 1.5..2.5"},
    {"t;y\nDi 13.2.2026 klo 10.00.00;1,5\nDi 13.2.2026 klo 10.00.01;2,5\n",
     "2 1; y [] 1.5..2.5"},
    {"t,y\n2026年02月13日 10时00分00秒,1\n2026年02月13日 10时00分01秒,2\n",
     "2 1; y [] 1..2"},
    {"t,y\n2026년 2월 13일 오전 11:59:59,1\n2026년 2월 13일 오후 12:00:00,2\n",
     "2 1; y [] 1..2"},
    {"t,y\n２０２６/０２/１３ 10:00:00,1\n２０２６/０２/１３ 10:00:01,2\n",
     "2 1; y [] 1..2"},
    {"t,y\n29/2/2567 23:59:59,1\n1/3/2567 0:00:00,2\n", "2 1; y [] 1..2"},
    {"t;y\n13FEB2026:10:00:00.00;1\n13FEB2026:10:00:01.00;2\n", "2 1; y"},
    {"t;y\n2026-02-13 10h00m00s;1\n2026-02-13 10h00m01s;2\n", "2 1; y"},
    {"t;y\n2026_02_13_10_00_00;1\n2026_02_13_10_00_01;2\n", "2 1; y"},
    {"t;y\n2026 044 10:00:00;1\n2026 044 10:00:01;2\n", "2 1; y"},
    {"t;y\nT-00:00:01;1\nT+00:00:00;2\nT+00:00:01;3\n", "3 1; y [] 1..3"},
    {"t;y\n2025-W01-1T10:00:00;1\n2025-W01-2T10:00:00;2\n"
     "2025-W01-3T10:00:00;3\n",
     "3 86400; y [] 1..3"},
    {"label;t;y\nCell 01/02;0.0;1\nCell 01/03;0.1;2\nCell 01/04;0.2;3\n",
     "3 0.1; y [] 1..3; text, not read: label"},
    /* years in front of dots; no clock has 26 hours */
    {"t;y\n26.02.27;1\n26.02.28;2\n26.03.01;3\n",
     "3 86400; y [] 1..3; days are read as year/month/day"},
    {"t;y\n26.02.13 00:00;1\n26.02.14 00:00;2\n26.02.15 00:00;3\n",
     "3 86400; y [] 1..3; days are read as year/month/day"},
    {"t;y\n12.02.26 10:00;1\n13.02.26 10:00;2\n14.02.26 10:00;3\n",
     "3 86400; y [] 1..3\n"},
    {"t;y\n10.00.58;1\n10.00.59;2\n10.01.00;3\n10.01.01;4\n",
     "4 1; y [] 1..4; 23.59.59 is read as a clock"},
    /* fractions of a second without the zeros in front of them */
    {"t;y\n10:00:00.0;1\n10:00:00.50;2\n10:00:00.100;3\n10:00:00.150;4\n",
     "4 0.05; y [] 1..4; fractions of a second lack zeros in front"},
    {"t;y\n10:00:00.980;1\n10:00:00.990;2\n10:00:01.0;3\n10:00:01.10;4\n",
     "4 0.01; y [] 1..4; fractions of a second lack zeros in front"},
    {"t;y\n10:00:00.0;1\n10:00:00.125;2\n10:00:00.25;3\n10:00:00.375;4\n",
     "4 0.125; y [] 1..4\n"},
    {"t,y\n44.00001157,1\n44.00002315,2\n44.00003472,3\n44.00004630,4\n",
     "...time 't' is taken as s; it may be days"},
    {"t,y\n202602131000,1\n202602131030,2\n",
     "2 1800; y [] 1..2; time 't' is taken as yyyymmddhhmm"},
    {"t,y\n910 ms,1\n920 ms,2\n930 ms,3\n940 ms,4\n950 ms,5\n960 ms,6\n"
     "970 ms,7\n980 ms,8\n990 ms,9\n1 s,10\n1.01 s,11\n",
     "11 0.01; y [] 1..11; line 2: '910 m' has a power of ten"},
    {"t,y\n0.5,1\n1.0,2\n1 m,3\n2.0,4\n2.5,5\n",
     "...:4:1: error: '1 m' in column 't' is a point in time, where the rows "
     "above have numbers"},
    /* numbers of Mathematica, a minus as it is printed, #N/A in front */
    {"t,u,y\n0.,1.5*^-3,1*^20\n0.5,2.5*^-3,2*^20\n1.,3.5*^-3,3*^20\n",
     "3 0.5; u [] 0.0015..0.0035, y [] 1e+20..3e+20\n"},
    {"t,u\n0,−1.5\n1,−2.5\n2,3.5\n", "3 1; u [] -1.5..3.5\n"},
    {"Sample Rate: 10 Hz\nu,y\n1,2\n#N/A,3\n3,4\n4,5\n",
     "4 0.1; u [] 1..4, y [] 2..5"},
    /* a unit in brackets behind a setting; what counts steps is no time */
    {"Sampling Time,125,[us]\n\nNo,u\n,[V]\n1,2\n2,3\n3,4\n",
     "3 0.000125; No [] 1..3, u [V] 2..4"},
    {"Time_Iter,Cur_Time,u\n0,0.00,1\n1,0.01,2\n2,0.02,3\n",
     "3 0.01; Time_Iter [] 0..2, u [] 1..3"},
    {"SAMPLING_INTERVAL_S: 0.005\nUNITS: m\nSTREAM: X\n1.5\n2.5\n3.5\n",
     "...[m] 1.5..3.5; time by 'SAMPLING_INTERVAL_S' in line 1: 200 Hz"},
    {"Time[fs],T\n0.0,1\n0.5,2\n1.0,3\n", "3 5e-16; T [] 1..3"},
    /* units above names, in one line or below each name that stands there */
    {",m/s,bar\ntime,v,p\n0.0,1,2\n0.1,2,3\n0.2,3,4\n",
     "3 0.1; v [m/s] 1..3, p [bar] 2..4\n"},
    {"Location:\nLEVEL\nUNIT: m\nOffset: 0.0 m\nTEMP\nUNIT: °C\n"
     "Date,Time,LEVEL,TEMP\n2026/02/03,10:00:00,1,2\n"
     "2026/02/03,10:00:01,2,3\n2026/02/03,10:00:02,3,4\n",
     "3 1; LEVEL [m] 1..3, TEMP [°C] 2..4"},
    {"time,\"EMG,uV\",Temperature°C,Humidity%RH\n0.0,1,2,3\n0.1,2,3,4\n",
     "2 0.1; EMG [uV] 1..2, Temperature [°C] 2..3, Humidity [%RH] 3..4"},
    /* rows below those of steps and cycles */
    {"Cycle,Cap(mAh)\n,Step,Name\n,,Record,Time,U(V)\n1,10.2\n,1,CC\n"
     ",,1,0:00:00,1\n,,2,0:00:01,2\n,,3,0:00:02,3\n,,4,0:00:03,4\n,2,CV\n"
     ",,5,0:00:04,5\n,,6,0:00:05,6\n",
     "6 1; Record [] 1..6, U [V] 1..6; line 10: what has a value in the first "
     "2 columns is of a level above the rows: not read (1 line)"},
    /* no name has digits alone: a row that went wrong */
    {"1.2.3\n1.3\n1.4\n1.5\n", "...called so since the file has no header"},
    /* what may be the time, and the rate, is proposed */
    {"X,u\n0.0,5\n0.1,3\n0.2,4\n0.3,5\n", "...even: 'X' (--time \"X\")"},
    {"12 samples at 44.1 kHz\nu,y\n5,6\n6,4\n5,5\n",
     "...line 1 tells 44100 Hz (--rate 44100)"},
    {"TSERIES of X with 40 sps as SLIST\n5 6 7\n6 5 4\n3 2 4\n",
     "...awk 'NR>1{for(i=1;i<=NF;i++)print $i}' FILE >run.csv"},
    {"100 2 360 650000\n100.dat 212 200 11 1024 995 -22131 0 MLII\n",
     "...this is the header of a WFDB record"},
    {"Origin Time       2026/02/13 10:00:00\nStation Height(m) 40\n",
     "...this is a record of K-NET or KiK-net"},
    {"Time,y\n0950,1\n0955,2\n1000,3\n1005,4\n",
     "4 300; y [] 1..4; time 'Time' is taken as hhmm, by its digits"},
    {"state,t\n1.5,0\nunavailable,1\n2.5,2\n", "3 1; state [] 1.5..2.5"},
    /* a blank line among values of one column lacks one; none at the end */
    {"Sample Rate: 10 Hz\nu\n1\n2\n\n4\n5\n\n\n",
     "5 0.1; u [] 1..5; line 5: 'blank line' is a gap (1 such cell); time by"},
    {"Sample Rate: 10 Hz\nu\n1\n2\n\n\n",
     "2 0.1; u [] 1..2; time by 'Sample "
     "Rate' in line 1: 10 Hz (--rate gives another)\n"},
    {"Sample Rate: 10 Hz\nu\n\n1\n2\n\n4\n5\n",
     "...line 6: 'blank line' is a gap (1 such cell)"},
    /* words below names that stand again are no row (HWiNFO) */
    {"Date,Time,\"T [C]\",\"P [W]\",\n13.2.2026,10:00:00.1,20,1,\n"
     "13.2.2026,10:00:02.1,21,2,\n13.2.2026,10:00:04.1,22,3,\n"
     "Date,Time,\"T [C]\",\"P [W]\",\n,,\"CPU0\",\"Board\",\n",
     "3 2; T [C] 20..22, P [W] 1..3\n"},
    {"t,u,y\n0,1,2\n1,2,3\n2,3,4\nend,of,log\n",
     "3 1; u [] 1..3, y [] 2..4; line 5 and what is below are no rows"},
    {"t,u,y,z\n0,1,2,3\n1,2,3,4\n2,3,4,5\n3,foo,bar,4\n",
     "4 1; z [] 3..4; not read: u ('foo' in line 5 is no number); not "
     "read: y"},
    /* a time below whose name its unit says so (Victron) */
    {"a,,b,b\nDescription,Grid,U,I\n timestamp,W,V,A\n"
     "2026-02-13 10:00:00,1,2,3\n2026-02-13 10:01:00,2,3,4\n"
     "2026-02-13 10:02:00,3,4,5\n",
     "3 60; Grid [W] 1..3, U [V] 2..4, I [A] 3..5; time is column 1"},
    /* settings of a next recording are no rows by which columns are told */
    {"Delta_X\t0.1\nX_Value\tU\tComment\n0.0\t1\n0.1\t2\n\nChannels\t1\t\n"
     "Samples\t2\t\nX0\t10.0\t\nDelta_X\t0.1\t\nX_Dimension\tTime\t\n"
     "X_Value\tU\tComment\n10.0\t3\n10.1\t4\n",
     "102 0.1; U [] 1..4\n"},
    /* settings of two cells, apart from rows of more, are no names */
    {"Type,GENE\nUnits,g\n\n2026-02-13 10:00:00:000,1,2,3\n"
     "2026-02-13 10:00:00:010,2,3,4\n2026-02-13 10:00:00:020,3,4,5\n",
     "3 0.01; c2 [] 1..3, c3 [] 2..4, c4 [] 3..5"},
    {"Time,u\n0,1,2,3\n1,2,3,4\n2,3,4,5\n", "...4 cells where the header in"},
    /* units of time at the end of names; s of no century are none */
    {"Elapsed Hours,u\n0.0,1\n0.5,2\n1.0,3\n", "3 1800; u [] 1..3"},
    {"timestamp,u\n12345678901234,1\n12345683901234,2\n12345688901234,3\n",
     "3 0.005; u [] 1..3; time 'timestamp' is taken as ns, in steps of 5e+06"},
    {"time,u\n5123456789,1\n5123461789,2\n5123466789,3\n",
     "3 0.005; u [] 1..3; time 'time' is taken as us"},
    {"time,u\n1770976800,1\n1770976810,2\n1770976820,3\n", "3 10; u [] 1..3\n"},
    /* blanks in quotes are a gap (PerfMon); "=" before quotes is Excel's */
    {"\"Time\",\"u\"\n\"0\",\" \"\n\"1\",\"2.5\"\n\"2\",\"3.5\"\n",
     "3 1; u [] nan..3.5\n"},
    {"time,u\n=\"2026-02-13 10:00:00\",=\"1.5\"\n"
     "=\"2026-02-13 10:00:01\",=\"2.5\"\n",
     "2 1; u [] 1.5..2.5"},
    {"Time [1e-3 s],u\n0,1\n5,2\n10,3\n",
     "...(s, ms, us, ns, min, h; --scale \"Time=F\": it counts F s)"},
    /* rows in brackets: lines of JSON, arrays of NumPy */
    {"t\tu\ty\n[0.0, 1.5, 2.5],\n[0.1, 1.6, 2.4],\n[0.2, 1.7, 2.3]\n",
     "3 0.1; u [] 1.5..1.7, y [] 2.5..2.3"},
    {"t u y\n[[0.  1.5 2.5]\n [0.1 1.6 2.4]\n [0.2 1.7 2.3]]\n",
     "3 0.1; u [] 1.5..1.7, y [] 2.5..2.3"},
    /* what helps: a rate in words, an index without a name, other programs */
    {"# {\"sampling rate\": 1000}\n5 6 7\n6 5 4\n3 2 4\n",
     "...line 1 tells 1000 Hz (--rate 1000)"},
    {"  t   u   y\n0  0.0  1.5  20\n1  0.1  1.75  21\n2  0.2  2.5  22\n",
     "...sed '1s/^/n /' FILE"},
    {"-[ RECORD 1 ]---\nts | 2026-02-13 10:00:00\nu  | 1\n",
     "...this is a table of psql"},
    {"******* 1. row *******\nts: 2026-02-13 10:00:00\n u: 1\n",
     "...this is a table of MySQL"},
    {"          u          y\n\n1770976800: 1.5e+00 2.5e+00\n"
     "1770977100: 1.6e+00 2.4e+00\n",
     "...this is a table of rrdtool fetch"},
    {"A = [\n0 1.5 2.5\n0.1 1.6 2.4\n0.2 1.7 2.3\n];\n",
     "...columns: c1, c2, c3, called so"},
    /* days of Excel whose digits may be a clock's */
    {"Time,y\n45321.40000000,1\n45321.40001157,2\n45321.40002315,3\n"
     "45321.40003472,4\n",
     "4 0.999936; y [] 1..4; time 'Time' is taken as days, as Excel and "
     "MATLAB"},
    {"Time,y\n45321.400000,1\n45321.400012,2\n45321.400023,3\n"
     "45321.400035,4\n",
     "...time 'Time' is taken as s; it may be days"},
    /* a prefix between a number and its unit, or behind it */
    {"time,P,U\n0,998 W,2 V\n1,1.02 kW,900 mV\n2,987 W,950 mV\n",
     "3 1; P [W] 998..987, U [V] 2..0.95; line 3: '1.02 k' has a "
     "power of ten: m 1e-3"},
    {"time,v,i\n0,2.5k,1m\n10u,3.5k,2m\n20u,1MEG,3m\n",
     "3 1e-05; v [] 2500..1e+06, i [] 0.001..0.003; line 2: '2.5k'"},
    {"time,T,v\n0,300K,1u\n1,301K,2u\n2,303K,3u\n",
     "3 1; T [K] 300..303, v [] 1e-06..3e-06; line 2: '1u'"},
    {"time,y\n0,0\n1,1.02\n2,980m\n3,970m\n4,960m\n",
     "5 1; y [] 0..0.96; line 4: '980m' has a power of ten"},
    {"time,y\n0,0\n1,980\n2,1.02K\n3,1.03K\n4,1.04K\n",
     "...:3:3: error: '980' in column 'y' has another unit than the rows"},
    {"time;y\n0,5u;1,5k\n1u;2,5k\n1,5u;3,5k\n", "3 5e-07; y [] 1500..3500;"},
    {"time,R\n0,1k\n1,2k\n2,2M\n3,2k\n", "...:4:3: error: '2M' in column 'R'"},
    {"time,P [kW]\n0,998 W\n1,987 W\n2,903 W\n",
     "...no column besides time; text, not read: P"},
    {"time,y\n0m,1\n5m,2\n10m,3\n", "3 300; y [] 1..3\n"},
    /* days and a clock */
    {"Elapsed,y\n0:23:59:00,1\n1:00:00:00,2\n1:00:01:00,3\n",
     "3 60; y [] 1..3; time is column 1, 'Elapsed', by the points in time in "
     "it (--time names another); 1:02:03:04 is read as a day and a clock\n"},
    {"time,y\n0.23:59:59,1\n1.00:00:00,2\n1.00:00:01,3\n", "3 1; y [] 1..3\n"},
    {"time,y\n1-23:59:59,1\n2-00:00:00,2\n2-00:00:01,3\n", "3 1; y [] 1..3\n"},
    {"time,y\n073:23:59:59.5,1\n074:00:00:00.0,2\n074:00:00:00.5,3\n",
     "3 0.5; y [] 1..3; 1:02:03:04"},
    {"time,y\n1:00:00:20,1\n1:00:00:24,2\n1:00:01:03,3\n1:00:01:23,4\n"
     "1:00:02:02,5\n",
     "...error: no time column"}, /* frames */
    /* one kind of points in time in a column */
    {"time,y\n2026-03-14 10:00:00,1\n2026-03-14 10:00:01,2\n12:30,3\n"
     "2026-03-14 10:00:03,4\n",
     "...:4:1: error: '12:30' in column 'time' is not the point in time"},
    /* shares of a processor are no microseconds */
    {" r free us sy\n 1 812 0 1\n 0 813 1 2\n 2 811 2 3\n",
     "...error: no time column"},
    {"t,y\n0,1\n1,.\n2,3\n3,4\n", "4 1; y [] 1..4\n"},
    {" TIME\tFeed\n HOURS\tkg/hr\n+0.00\t1.5\n+0.25\t2.5\n+0.50\t3.5\n",
     "3 900; Feed [kg/hr] 1.5..3.5"},
    {"\"looptime\",\"125\"\n\"loopIteration\",\"time\",\"y\"\n0,53000000,1\n"
     "8,53001000,2\n16,53002000,3\n24,53003000,4\n",
     "...time 'time' counts 1e-06 s, by the step of 0.000125 s above"},
    {"name;time;value\nA;0;1\nA;1;2\nA;2;3\nEND;3;0",
     "3 1; value [] 1..3; text, not read: name; 'name' is A: 1 row of "
     "others not read (--each)"},
    {"name;time;value\nA;0;1\nA;1;2\nA;2;3\nEND;3;0\nEND;4;0",
     "...'name' is A: 2 rows of others not read (--each)"},
    /* a day and a clock below one name, parted by a blank */
    {"time temp pump\n2026-02-03 10:00:00 20.5 1\n2026-02-03 10:00:01 20.6 0\n"
     "2026-02-03 10:00:02 20.7 0\n",
     "3 1; temp [] 20.5..20.7, pump [] 1..0\n"},
    {" r  b               UTC\n 0  5 2026-02-03 10:00:00\n"
     " 1  6 2026-02-03 10:00:01\n 0  7 2026-02-03 10:00:02\n",
     "3 1; r [] 0..0, b [] 5..7; time is column 3, 'UTC'"},
    {"Date Time temp\n2026-02-03 10:00:00 20.5\n2026-02-03 10:00:01 20.6\n"
     "2026-02-03 10:00:02 20.7\n",
     "3 1; temp [] 20.5..20.7\n"},
    /* names that stand again, not their units, above more rows than the first
     */
    {"time,u,y\ns,V,m\n0,1,2\n1,2,3\n2,3,4\n\ntime,u,y\n3,4,5\n4,5,6\n5,6,7\n"
     "6,7,8\n7,8,9\n",
     "8 1; u [V] 1..8, y [m] 2..9\n"},
    {"time (s),u(V)\n0,1\n1,2\n2,3\ntime (s),u(V)\n3,4\n4,5\n5,6\n",
     "6 1; u [V] 1..6\n"},
    /* rows that end in a separator, their last value being empty, too */
    {"t,u,y\n0,1,,\n1,2,3,\n2,3,4,\n3,4,,\n", "4 1; u [] 1..4, y [] nan..nan"},
    /* a number without the unit that all have */
    {"t,u\n0,1.25 V\n1,1.35 V\n2,1.45 V\n3,1.55 V\n4,1.6",
     "4 1; u [V] 1.25..1.55; line 6 has no end"},
    /* units are no names, nor is what stands above them: settings */
    {"time,u,u\n, Unit: V, Unit: m\n0,1,2\n1,2,3\n2,3,4\n",
     "3 1; u [V] 1..3, u_2 [m] 2..4\n"},
    {"Date of Test:\t02/03/2026\tFile:\tb\nt\tu\tu\ty\n0\t1\t2\t3\n1\t2\t3\t4\n"
     "2\t3\t4\t5\n",
     "3 1; u [] 1..3, u_2 [] 2..4, y [] 3..5\n"},
    /* no names of rows: the units lack one */
    {"\"Time\",\"u\",\"y\",State\n\"s\",\"V\",\"m\"\n\"0.0\",\"1\",\"2\",run\n"
     "\"0.1\",\"2\",\"3\",run\n\"0.2\",\"3\",\"4\",run\n",
     "...error: 4 cells where the header in line 2 has 3"},
    /* what is no time has a rate behind a bare slash */
    {"Time,r/s,kB_read/s,d/min,U/V\n0,1,2,3,4\n1,2,3,4,5\n2,3,4,5,6\n",
     "3 1; r/s [] 1..3, kB_read/s [] 2..4, d/min [] 3..5, U [V] 4..6\n"},
    {"uptime/min,u\n0,1\n1,2\n2,3\n", "3 60; u [] 1..3"},
    {"t/h,u\n0,1\n1,2\n2,3\n", "3 3600; u [] 1..3"},
    /* a time by its unit, of one odd row, is told by that row */
    {"x-axis,1\nsecond,Volt\n0,1\n1,2\n2,3\n3,4\n5,5\n4,6\n6,7\n7,8\n8,9\n",
     "...:8:1: error: time 4 s does not increase (5 s in the row before)"},
