#include "probes.h"
