extension HelpTexts {
  /// Commands for files, results and the command itself.
  static let keeping: [(name: String, help: String)] = [
    (
      "info",
      """
      Describe the content of traces.

      Usage: rouse info TRACE…

      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --depth DEPTH  What to decode: headers, names (symbol tables only) or events (default).
            --json         Print a JSON array with an object for each trace.
            --times FORM   Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.
            --help         Show this help.

      """
    ),
    (
      "verify",
      """
      Check the integrity of traces: checksums, columns, headers, sequence numbers.

      Usage: rouse verify TRACE…

      Prints each problem with its file and offset. The exit status is 1 if there is a problem.
      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --json  Print a JSON array with an object for each trace.
            --help  Show this help.

      """
    ),
    (
      "recover",
      """
      Recover a valid trace from ring files or from damaged traces.

      Usage: rouse recover RING|TRACE… -o TRACE

      RING is a ring file of a recorder that was killed (by default in /dev/shm); the recorder's trace
      is recovered with it. The ring of a running process is refused. TRACE is a truncated or damaged
      trace; '-' is standard input. Each intact block is kept once, and the command reports what it
      kept and what is lost. A ring's trace is left out if it belongs to another user than the ring.
      Input files are never changed; delete a ring file yourself. The exit status is 1 if a file cannot
      be read, is empty or is in use, or if nothing could be recovered. A file without any block is
      damage, which the report tells. An operand may be @LIST, a file with the path of a RING or TRACE
      in each line.

      Options:
        -o, --output TRACE  The trace to write; '-' is standard output.
            --only-rest     Recover only the events of a ring that its trace lacks.
            --level N       zlib's level for the events of rings, 0 to 9 (default 6).
            --json          Print what was kept and what is lost as JSON.
            --help          Show this help.

      """
    ),
    (
      "repack",
      """
      Recompress a trace, or put the events of each device together.

      Usage: rouse repack TRACE… -o TRACE

      Each block keeps its events, stream, sequence number and loss count, so a replay gives the same
      result. The input is not changed. A damaged trace is refused; use 'rouse recover' first.

      With --by-device the events of one or more traces become one stream, device after device, as a
      replay takes them: by time where several streams of a device overlap. A replay of many devices
      whose events are spread over a trace is several times as fast afterwards.

      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
        -o, --output TRACE  The trace to write; '-' is standard output.
            --by-device     Put the events of each device together.
            --level N       zlib's level, 0 (stored) to 9 (default 9).
            --help          Show this help.

      """
    ),
    (
      "index",
      """
      Write beside traces where their blocks are and what they hold.

      Usage: rouse index TRACE…

      TRACE.index is written as JSON Lines (see the page JSON output): a line for the trace, and one for
      each block with its offset and length. These bytes alone are a trace, so that a task can fetch a
      part of a large one. Blocks of the same group have devices in common; what has all blocks of a
      group, and no other, can be replayed by itself and merged ('rouse merge').

      An index is kept if the trace's size and modification time still equal those stored in it.
      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --check  Write nothing; fail if an index is missing or of another state of its trace.
            --help   Show this help.

      """
    ),
    (
      "split",
      """
      Write traces as several, all events of a device into one of them.

      Usage: rouse split TRACE… --parts N -o FOLDER

      For traces in which many devices are interleaved, so that each block has some events of all of
      them. Part I has the devices of 'rouse replay --shard I/N', and the events of each device together,
      as by 'rouse repack --by-device'. The results of all parts merge to that of the whole. A part
      without devices is not written. A folder with parts of another split, which would be replayed with
      these, is refused. A damaged trace is refused; use 'rouse recover' first.

      The traces are read once for each part. The parts get their names when all of them are written:
      damage or a full disk leaves earlier ones as they were. Until then each part is an open file. TRACE
      may be @LIST, a file with the path of a trace in each line.

      Options:
        -o, --output FOLDER  Where to write part-1.wtrace and so on.
            --parts N        The number of parts.
            --level N        zlib's level, 0 to 9 (default 6).
            --help           Show this help.

      """
    ),
    (
      "merge",
      """
      Add the results of replays of different devices.

      Usage: rouse merge RESULT…

      RESULT is a file with what 'rouse replay --results' or '--json' or this command wrote: one result,
      or any number of them as JSON Lines or in an array. '-' is standard input, and @LIST the files that
      the lines of LIST name. The merged counts and digest equal those of one replay of all the devices,
      in whatever order and in whatever steps results are merged.

      Results of another policy, other filters or another version of the rules are refused, and a shard or
      a device that is there twice. A task that ran twice leaves the same result twice: --repeats skip
      counts it once. If the results are shards, a message says which are missing.

      Why wakes came no sooner (--waits) is told if all results tell it, and so are bounds (--bounds); a
      message says what is left out. Lists of traces, damages and notices are cut to their first
      lines.

      Options:
            --json         Print the merged result as JSON.
            --by-policy    Add the results of each policy by themselves.
            --repeats HOW  What to do about a result that is there twice: refuse (default) or skip.
            --complete     Fail if shards are missing.
            --help         Show this help.

      """
    ),
    (
      "optimum",
      """
      Find how few wakes would do, and how much sooner data could be there.

      Usage: rouse optimum TRACE…

      Holds the wakes of a replay against the best that any schedule could do (see the page Rules, 10).
      An app is behind while something that was saved for it waits for a wake. A row has the app's
      WAKES for sample types, and the FEWEST of them with which it would be behind for no longer; the
      time for which it was BEHIND, and the LEAST with as many wakes; and for each deadline the fewest
      wakes with which nothing waits longer, unless wakes are forbidden. Each figure is found device by
      device and added up.

      --json prints the same object as 'rouse replay --bounds -', times in nanoseconds. --curve writes
      JSON Lines: for each app the least time behind in nanoseconds ("leastBehind") with so many wakes
      on all devices together ("wakes"). Each line is exact, and there are up to 1,889 for an app.

      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --policy POLICY  ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --within LIST    Deadlines such as 30s,15m,1h,7d (default 1m,5m,15m,1h,4h,1d).
            --curve FILE     Write the curves as JSON Lines; '-' is standard output.
            --json           Print JSON: an object by app name.
            --threads N      Threads that decode and schedule (default 1).
            --help           Show this help.

      """
    ),
    (
      "sweep",
      """
      Replay traces under many policies at once, and tell which is best.

      Usage: rouse sweep TRACE…

      The rows are all combinations of the values of -P and -L over --policy. KEY is a key of the policy
      by its path ('rouse policy keys' lists them), or the frequency of subscriptions:

        -P budget.limit 1 8                                      1, 2 … 8
        -P behaviour.completesAfter 0.5 2 -D 0.5                 0.5, 1, 1.5, 2
        -L carry launch,due,always
        -L apps.com.example.run.subscriptions.TYPE.frequency hourly,daily
        -L 'apps.*.subscriptions.*.frequency' hourly,daily       of all of the policy

      Each block of a trace is decoded once for all rows, and a row that is proved to be the same as
      another is not replayed: the last column says the same as which, and why. A DAY is wakes by device
      and day. P50 to MAX are how long the oldest save of a wake had waited, UNLOCKED without the time
      for which the device was locked. BEHIND is the time for which an app had not got what was saved
      for it, BOUND the part of it that no schedule with as many wakes can avoid: 100 % is the best that
      there is (see the page Rules, 10). A row is on the FRONT if none has fewer wakes and is not longer
      behind, or the other way round. Digest and counts are those of 'rouse replay' with that policy.

      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --policy POLICY               ios (default), watchos, or a JSON file (see the page Rules, "Policy").
        -P, --parameter-scan KEY FROM TO  Sweep over numbers (repeatable).
        -D, --parameter-step-size STEP    The step of the -P before it (default 1).
        -L, --parameter-list KEY LIST     Sweep over values, separated by commas (repeatable).
            --sample PART                 Sweep a part of the devices, such as 1%, by their names' hashes.
            --json                        Print the result as JSON, times in nanoseconds.
            --csv                         Print the result as CSV, times in nanoseconds.
            --html FILE                   Write a page with the front, the bound's curve and sliders; '-' is standard output.
            --threads N                   Threads that decode and schedule (default 1).
            --no-proof                    Replay rows that are proved to be the same, too.
            --help                        Show this help.

      """
    ),
    (
      "compare",
      """
      Compare two policies on one trace, or two captures by their rates.

      Usage: rouse compare TRACE --policy P --against Q | A B [--policy P]

      With --against, the trace is replayed under both policies, and wakes are paired by app and device:
      SAME at the same time with the same contents and end, CHANGED in one of these, EARLIER or LATER
      under Q, or under one policy alone, as the page Diff tells. The waiting of each policy is given to
      its reasons as in 'rouse replay --waits'. The exit status is 2 if a wake differs.

      With two captures, A and B, of other days or devices, each app's wakes, expired wakes and carried
      saves while it had a subscription are divided by these hours; wakes at other times are counted as
      'outside'. RATIO is B's rate by A's, with the interval of 95 % of the ratios of days of devices
      drawn again (bootstrap, with a fixed seed), and 'more' or 'fewer' if that interval leaves out 1,
      else 'cannot tell'. For rare counts the number of days with at least one must differ, too, by an
      exact conditional test. The exit status is 2 if anything is 'more' or 'fewer'.

      Options:
            --policy POLICY   ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --against POLICY  The policy Q that is compared with --policy.
            --json            Print the result as JSON, times in nanoseconds.
            --threads N       Threads that decode and schedule, with --against (default 1).
            --help            Show this help.

      """
    ),
    (
      "diff",
      """
      Compare two wake logs, or what a device did with the rules.

      Usage: rouse diff A B | LOG --trace TRACE | --observed TRACE

      A and B are wake logs, as 'rouse replay --wakes' writes them: JSON Lines, compressed or not; '-' is
      standard input. With --trace, LOG is what a device did and A what the rules make of the inputs
      of TRACE. With --observed, the observations of TRACE are compared with what the rules make of its
      inputs; devices without an observation are left out.

      Wakes are paired by device and app, as the page Diff tells: at the same time, give or take --within,
      they are the SAME, or have OTHER ITEMS (types, push, refresh) or OTHER DETAILS (saves, oldest,
      outcome, end). What a log does not tell counts as equal. Of the others, those with the same oldest
      save, then those with the same items or one in common are paired in order: B's came EARLIER or
      LATER. The rest is MISSING in B, or EXTRA. Where a device was earlier than the rules, the reasons
      are told for which they held the wake back then. The exit status is 2 if a wake differs.

      TRACE may be @LIST, a file with the path of a trace in each line.

      Options:
            --trace TRACE      The inputs of the device of LOG (repeatable).
            --observed TRACE   Compare the observations of a trace with the rules (repeatable).
            --policy POLICY    ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --within DURATION  Times so far apart count as equal: 1, 250ms, 2m … (default 0).
            --device NAME      Only this device (repeatable; '' is the unnamed one).
            --from T           Only wakes at or after T.
            --to T             Only wakes before T.
            --show N           Show the first N differences (default 10), or all.
            --threads N        Threads that decode and schedule (default 1).
            --json             Print the result as JSON.
            --times FORM       Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.
            --help             Show this help.

      """
    ),
    (
      "check",
      """
      Check whether another scheduler keeps the rules.

      Usage: rouse check SCHEDULER [INPUTS…]

      SCHEDULER is a shared library with the function of rouse_scheduler.h, or exec: and a command, which
      takes inputs over a pipe (see the page Schedulers). INPUTS, the worked cases of the rules, and random
      inputs under random policies are given to it and to Rouse's own scheduler, in this order. The first
      difference is shrunk and printed with the rule that it departs from, the inputs as JSON Lines, the
      policy, and the wakes of both side by side; the exit status is then 2.

      INPUTS are further inputs: a trace, under the policy of --policy or that of NAME.policy.json beside
      NAME.wtrace, or a folder with input.jsonl and policy.json; @LIST is a file with the path of one in
      each line.

      --allow names a file of rules that the scheduler is known to depart from, one in each line, with
      anything behind a '#'. A section, such as 6, stands for all its rules.

      A crash, or what no scheduler may do, is told with the case or the seed in which it came; the exit
      status is then 1. --write FOLDER, in place of SCHEDULER, writes the inputs of each case and seed as a
      folder NAME, seed-N or rows-N, to be given to a debugger by 'rouse check SCHEDULER FOLDER/NAME'.

      Options:
            --rules LIST       Look for departures from these rules alone: 6.5,5.8 …
            --allow FILE       Look for no departures from the rules in a file.
            --policy POLICY    ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --seeds N          How many random runs there are (default 200).
            --write FOLDER     Write the inputs of all runs, and check nothing.
            --in-process       Run that scheduler in this process; a crash then ends it.
            --timeout SECONDS  How long a call or an answer of that scheduler may take (default 10).
            --help             Show this help.

      """
    ),
    (
      "policy",
      """
      Show, check or make a policy, or list the keys of policies.

      Usage: rouse policy keys | show POLICY | check POLICY [TRACE…] | new --app ID --type TYPE[:FREQUENCY]

      A policy is ios, watchos, or a JSON object for 'rouse replay --policy' (see the page Rules,
      "Policy").

      keys lists the keys with their defaults, ranges and sources. A default of '{…}' is an object: its
      keys have rows of their own, and caps are listed below. A default of '-' is none: the key's object
      is null or absent in that preset, or the key is required. Source: D is Apple's documentation, R is
      reported by developers, P is our choice.

      show prints what is in force: each key, with the preset's value where it is another, and each
      subscription with its frequency. check tells of subscriptions that a cap slows or that stand
      twice or are rejected, of a policy that answers no wake, and of types and apps that the traces do
      not have; the exit status is 1 if a subscription stands twice or is rejected, or anything is not in
      the traces. new writes a policy in which each app subscribes to each type, and answers; a file with
      other contents is not replaced.

      Options:
            --json                     Print JSON: of keys an array of an object for each, of show a policy with all keys.
            --app ID                   new: the bundle identifier (repeatable).
            --type TYPE                new: TYPE, or TYPE:hourly, TYPE:daily … (default immediate; repeatable).
            --preset PRESET            new: the preset to override (default ios).
            --completes-after SECONDS  new: the time from a wake to its answer (default 2).
        -o, --output FILE              new: the file to write (default standard output).
            --help                     Show this help.

      """
    ),
    (
      "completions",
      """
      Print the completions of this command for a shell.

      Usage: rouse completions bash|zsh|fish

      To have them in this shell: source <(rouse completions bash), the same with zsh, or
      rouse completions fish | source

      Options:
            --help  Show this help.

      """
    ),
    (
      "man",
      """
      Print the manual page of this command, or of one of its commands.

      Usage: rouse man [COMMAND] [-o FOLDER]

      To read it: rouse man replay | man -l -

      Options:
        -o, --output FOLDER  Write all manual pages to a folder.
            --help           Show this help.

      """
    ),
  ]
}
