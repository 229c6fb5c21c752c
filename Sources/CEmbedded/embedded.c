#include "embedded.h"

// Of C23. Compilers take it in earlier versions too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char cases[] = {
#embed "../WakeCases/cases.txt" suffix(, 0) if_empty(0)
};
const char *embedded_cases(void) { return (const char *)cases; }

static const unsigned char report_css[] = {
#embed "../WakeReplay/Report/Page/report.css" suffix(, 0) if_empty(0)
};
const char *embedded_report_css(void) { return (const char *)report_css; }

static const unsigned char columns_js[] = {
#embed "../WakeReplay/Report/Page/columns.js" suffix(, 0) if_empty(0)
};
const char *embedded_columns_js(void) { return (const char *)columns_js; }

static const unsigned char gestures_js[] = {
#embed "../WakeReplay/Report/Page/gestures.js" suffix(, 0) if_empty(0)
};
const char *embedded_gestures_js(void) { return (const char *)gestures_js; }

static const unsigned char main_js[] = {
#embed "../WakeReplay/Report/Page/main.js" suffix(, 0) if_empty(0)
};
const char *embedded_main_js(void) { return (const char *)main_js; }

static const unsigned char ranges_js[] = {
#embed "../WakeReplay/Report/Page/ranges.js" suffix(, 0) if_empty(0)
};
const char *embedded_ranges_js(void) { return (const char *)ranges_js; }

static const unsigned char story_js[] = {
#embed "../WakeReplay/Report/Page/story.js" suffix(, 0) if_empty(0)
};
const char *embedded_story_js(void) { return (const char *)story_js; }

static const unsigned char timeline_js[] = {
#embed "../WakeReplay/Report/Page/timeline.js" suffix(, 0) if_empty(0)
};
const char *embedded_timeline_js(void) { return (const char *)timeline_js; }

static const unsigned char sweep_css[] = {
#embed "../WakeSweeping/Page/sweep.css" suffix(, 0) if_empty(0)
};
const char *embedded_sweep_css(void) { return (const char *)sweep_css; }

static const unsigned char sweep_js[] = {
#embed "../WakeSweeping/Page/sweep.js" suffix(, 0) if_empty(0)
};
const char *embedded_sweep_js(void) { return (const char *)sweep_js; }
