// The unchanged kernels, compiled against `intrinsics/immintrin.h` and `intrinsics/arm_neon.h`: all paths of x86-64 and of
// arm64 in plain C, so that every machine tests every path.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KERNELS_STAND_IN
// Plain C needs no target attribute, and every feature is there.
#define target(features)
#define __builtin_cpu_supports(feature) 1

#define kernels_is_available stand_in_is_available
#define kernels_path_count stand_in_path_count
#define kernels_path_name stand_in_path_name
#define kernels_crc stand_in_crc
#define kernels_expands_columns stand_in_expands_columns
#define kernels_expand_times stand_in_expand_times
#define kernels_expand_keys stand_in_expand_keys
#define kernels_expand_words stand_in_expand_words
#define kernels_sum_wake_hashes stand_in_sum_wake_hashes
#define kernels_sum_cohort_hashes stand_in_sum_cohort_hashes
#define kernels_bound_rows stand_in_bound_rows
#define kernels_counts_types stand_in_counts_types
#define kernels_count_types stand_in_count_types
#define kernels_find_rows stand_in_find_rows

#include "kernel_stand_in.h"

#include "../../Sources/CKernels/cpu.c"
#include "../../Sources/CKernels/aarch64/columns_neon.c"
#include "../../Sources/CKernels/aarch64/crc_neon.c"
#include "../../Sources/CKernels/aarch64/find_rows_neon.c"
#include "../../Sources/CKernels/aarch64/path_neon.c"
#include "../../Sources/CKernels/aarch64/types_neon.c"
#include "../../Sources/CKernels/portable/crc.c"
#include "../../Sources/CKernels/portable/find_rows.c"
#include "../../Sources/CKernels/portable/path_portable.c"
#include "../../Sources/CKernels/portable/wake_hashes.c"
#include "../../Sources/CKernels/portable/words.c"
#include "../../Sources/CKernels/x86_64/keys_avx2.c"
#include "../../Sources/CKernels/x86_64/times_avx2.c"
#include "../../Sources/CKernels/x86_64/columns_avx512.c"
#include "../../Sources/CKernels/x86_64/crc_avx2.c"
#include "../../Sources/CKernels/x86_64/crc_avx512.c"
#include "../../Sources/CKernels/x86_64/crc_pclmul.c"
#include "../../Sources/CKernels/x86_64/find_rows_avx2.c"
#include "../../Sources/CKernels/x86_64/path_avx2.c"
#include "../../Sources/CKernels/x86_64/path_avx512.c"
#include "../../Sources/CKernels/x86_64/path_pclmul.c"
#include "../../Sources/CKernels/x86_64/types_avx2.c"
#include "../../Sources/CKernels/x86_64/wake_hashes_avx2.c"
#include "../../Sources/CKernels/x86_64/wake_hashes_avx512.c"
#include "../../Sources/CKernels/x86_64/words_avx2.c"
#include "../../Sources/CKernels/x86_64/words_avx512.c"
