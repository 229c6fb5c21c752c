// The functions are Swift's, in Sources/RouseC; this file is here as a target of C needs one.
#include "rouse.h"
