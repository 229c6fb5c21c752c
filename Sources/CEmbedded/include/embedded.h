// Files that are part of the program: each function gives the text of one, in UTF-8 with a 0 behind it and none
// within.
//
// SwiftPM's own way, `.embedInCode`, makes a list of numbers in Swift of them, for which the compiler takes a second for
// each 4 kB; this takes it none.
#ifndef EMBEDDED_H
#define EMBEDDED_H

#pragma clang assume_nonnull begin

// MARK: The worked cases of the rules (WakeCases)

const char *embedded_cases(void);

// MARK: The page of a report (WakeReplay)

const char *embedded_report_css(void);
const char *embedded_columns_js(void);
const char *embedded_gestures_js(void);
const char *embedded_main_js(void);
const char *embedded_ranges_js(void);
const char *embedded_story_js(void);
const char *embedded_timeline_js(void);

// MARK: The page of a sweep (WakeSweeping)

const char *embedded_sweep_css(void);
const char *embedded_sweep_js(void);

#pragma clang assume_nonnull end

#endif
