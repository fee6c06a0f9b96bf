/* kinds.h - a file of each kind, and what test_kinds.c says of it. */

/* a cell too many, where rows end in an empty one: nothing shifts */
{"t,u,y,note\n0,1,2,\n1,3,4,\n2,7,5,6,\n3,8,9,\n4,8,9,\n",
 "...:4:9: error: 5 cells where the header in line 1 has 4"},
    {"t,u,y\n0,1,2,\n1,3,4,\n2,5,6,\n", "3 1; u [] 1..5, y [] 2..6"},
    /* a last number that was cut is none */
    {"t,y\n0,1.25\n1,1.35\n2,1.45\n3,1.55\n4,1.6", "4 1; y [] 1.25..1.55; line "
                                                   "6 and what is below"},
    {"t,y\n0,1.25e-01\n1,1.35e-01\n2,1.45e-01\n3,1.55e-01\n4,1.65e-0",
     "4 1; y [] 0.125..0.155; line 6 and"},
    {"t,y\n0,1.2\n1,1.35\n2,1.45\n3,1.55\n4,1.6", "5 1; y [] 1.2..1.6"},
    {"t,y\n0,125\n1,135\n2,145\n3,155\n4,16", "5 1; y [] 125..16"},
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
    {"time,y\n0,1\n10,2\n20,3\n", "3 10; y [] 1..3"},
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
