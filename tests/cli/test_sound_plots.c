/* `fathom plot --ladder` and `--fixes`: what is drawn, measured on paper. */
#include "support/files.h"
#include "support/program.h"

static program_run r;

/* A ship asks every two seconds; a stone 500 m away answers after 0.1 s; a third one loses all that it hears. */
static const char ladder_scenario[] =
    "<fathom version='1'><world dt='0.01 s' duration='5 s' seed='3'>"
    "<acoustics speed='constant' sound-speed='1500 m/s' absorption='constant' noise='fixed'/></world>"
    "<vehicle name='ship' position='0 0 20 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
    "<transducer ping-kind='query' ping-period='2 s' level='180 dB'/></vehicle>"
    "<vehicle name='stone' position='300 400 20 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
    "<transducer replies='true' reply-delay='0.1 s'/></vehicle>"
    "<vehicle name='deaf' position='0 -300 20 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
    "<transducer dropout='1'/></vehicle></fathom>";

/* A probe amid four beacons: ranges of deviation 2 m along two axes twice each, so a circle of 2 m/√2. */
#define BODY "<mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
static const char fixes_scenario[] =
    "<fathom version='1'><world dt='0.05 s' duration='30 s' seed='3'>"
    "<acoustics speed='constant' sound-speed='1500 m/s' absorption='none' noise='fixed'/></world>"
    "<vehicle name='north' position='300 0 20 m'>" BODY "<transducer address='1' replies='true'/></vehicle>"
    "<vehicle name='south' position='-300 0 20 m'>" BODY "<transducer address='2' replies='true'/></vehicle>"
    "<vehicle name='east' position='0 200 20 m'>" BODY "<transducer address='3' replies='true'/></vehicle>"
    "<vehicle name='west' position='0 -200 20 m'>" BODY "<transducer address='4' replies='true'/></vehicle>"
    "<vehicle name='probe' position='0 0 20 m'>" BODY "<transducer/><depth/>"
    "<lbl interval='5 s' sound-speed='1500 m/s' noise='2 m'><beacon address='1' position='300 0 20 m'/>"
    "<beacon address='2' position='-300 0 20 m'/><beacon address='3' position='0 200 20 m'/>"
    "<beacon address='4' position='0 -200 20 m'/></lbl></vehicle></fathom>";

/* Finds paths of a kind in a drawing: each a list of pieces, each a list of points. */
static const char reader[] =
    "import re,sys,math\n"
    "text=open(sys.argv[1]).read()\n"
    "def paths(style):\n"
    "    out=[]\n"
    "    for s,d in re.findall(r'<path style=\"([^\"]*)\" d=\"([^\"]*)\"',text):\n"
    "        if all(w in s for w in style.split('|')):\n"
    "            out.append([[tuple(map(float,p.split()[-2:])) for p in re.split('[LC]',m) if len(p.split())>1]\n"
    "                        for m in d.replace('Z','').split('M') if 'L' in m])\n"
    "    return out\n";

static void record(const char *name, const char *scenario)
{
    char path[64];
    write_file("sound_reader.py", reader);
    snprintf(path, sizeof path, "%s.xml", name);
    write_file(path, scenario);
    run_fathom(&r, "run %s --log %s.mcap", path, name);
    expect_run(&r, 0, "");
}

/* Travel of 500 m against a period of 2 s; the answer leaves 0.1 s after the query came. */
static void lines_on_the_ladder_are_as_long_as_sound_travels(void **state)
{
    (void)state;
    record("ladder", ladder_scenario);
    run_fathom(&r, "plot ladder.mcap --ladder -o ladder.svg");
    expect_run(&r, 0, "");
    run_shell(&r, "cat > ladder_check.py sound_reader.py - <<'END'\n"
                  "lines=[p for p in paths('stroke-width:1.1|linecap:round') if len(p)>1]\n"
                  "query,reply=lines[0],lines[1]\n"
                  "unit=(query[1][0][0]-query[0][0][0])/2\n"
                  "print('queries',len(query),'travel',round((query[0][1][0]-query[0][0][0])/unit,3))\n"
                  "back=[p for p in reply if abs(p[1][1]-query[0][0][1])<0.1]\n"
                  "print('replies',len(back),'after',round((back[0][0][0]-query[0][1][0])/unit,3),"
                  "'travel',round((back[0][1][0]-back[0][0][0])/unit,3))\n"
                  "stubs=[q for p in paths('stroke-width:0.8|dasharray') for q in p]\n"
                  "print('not heard',len(stubs),'of',round((stubs[0][1][0]-stubs[0][0][0])/unit,3))\n"
                  "END\npython3 ladder_check.py ladder.svg");
    expect_run(&r, 0, "queries 3 travel 0.333\nreplies 3 after 0.1 travel 0.333\nnot heard 6 of 0.08");
}

/* The scale from beacons 600 m apart; σ √2 is the radius of two standard deviations. */
static void the_ellipses_of_fixes_are_as_wide_as_their_covariance(void **state)
{
    (void)state;
    record("fixes", fixes_scenario);
    run_fathom(&r, "plot fixes.mcap --fixes -o fixes.svg");
    expect_run(&r, 0, "");
    run_shell(&r, "cat > fixes_check.py sound_reader.py - <<'END'\n"
                  "rings=[p[0] for p in paths('stroke-width:0.5') if len(p[0])>40]\n"
                  "marks=[p[0] for p in paths('stroke:none|fill:rgb') if len(p)==1 and len(p[0])==3]\n"
                  "high=lambda p:(min(y for x,y in p)+max(y for x,y in p))/2\n"
                  "metre=(max(map(high,marks))-min(map(high,marks)))/600\n"
                  "wide=[(max(x for x,y in p)-min(x for x,y in p))/2/metre for p in rings]\n"
                  "print('ellipses',len(rings),'radius',all(abs(w-2*2**0.5)<0.06 for w in wide),"
                  "[round(w,2) for w in wide])\n"
                  "END\npython3 fixes_check.py fixes.svg");
    expect_run(&r, 0, "ellipses 6 radius True");
}

static void what_cannot_be_drawn_is_told(void **state)
{
    (void)state;
    run_fathom(&r, "plot fixes.mcap --ladder --fixes -o x.svg");
    expect_run(&r, 2, "give --ladder or --fixes, not both");
    run_fathom(&r, "plot fixes.mcap ladder.mcap --fixes -o x.svg");
    expect_run(&r, 2, "--fixes draws only one log, without fields");
    run_fathom(&r, "plot ladder.mcap --ladder --from 1.2 --to 1.8 -o x.svg");
    expect_run(&r, 1, "nothing was sent or heard in this time");
    run_fathom(&r, "plot ladder.mcap --fixes -o x.svg");
    expect_run(&r, 1, "no fix and no estimate in this log");
    run_shell(&r,
              "printf \"<fathom version='1'><world duration='1 s'/><vehicle name='a'>" BODY "</vehicle></fathom>\" "
              ">silent.xml && %s run silent.xml --log silent.mcap && %s plot silent.mcap --ladder -o x.svg",
              FATHOM_PROGRAM, FATHOM_PROGRAM);
    expect_run(&r, 1, "no sound in this log");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_on_the_ladder_are_as_long_as_sound_travels),
        cmocka_unit_test(the_ellipses_of_fixes_are_as_wide_as_their_covariance),
        cmocka_unit_test(what_cannot_be_drawn_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
