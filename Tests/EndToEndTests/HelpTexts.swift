/// The complete output of `--help`.
///
/// After an intended change, copy the new text from `rouse COMMAND --help`.
enum HelpTexts {
  static let rouse = """
    Record, replay and measure wake scheduling.

    Usage: rouse COMMAND [ARGUMENT]…

    Commands:
      record       Record a trace from JSON Lines or from the ring files of other processes.
      import       Convert JSON Lines or an Apple Health export to a trace.
      export       Convert traces to JSON Lines, tables as CSV, or timelines.
      generate     Generate a synthetic trace; equal parameters give equal events on every machine.
      replay       Replay traces through the wake scheduler; report wakes and speed.
      explain      Tell why wakes of an app came no sooner, and what would change that.
      report       Show a replay as an HTML page: a timeline, reasons, and how far from the best.
      query        Find saved samples in a trace, or the changes since an anchor.
      info         Describe the content of traces.
      verify       Check the integrity of traces: checksums, columns, headers, sequence numbers.
      recover      Recover a valid trace from ring files or from damaged traces.
      repack       Recompress a trace, or put the events of each device together.
      merge        Add the results of replays of different devices.
      optimum      Find how few wakes would do, and how much sooner data could be there.
      policy       Show, check or make a policy, or list the keys of policies.
      completions  Print the completions of this command for a shell.
      man          Print the manual page of this command, or of one of its commands.

    'rouse COMMAND --help' describes a command. The file name '-' is standard input or output.

    Options:
      --help         Show this help.
      -V, --version  Show the version.

    Environment:
      ROUSE_ACCELERATIONS  The scheduler's accelerations: all (default), none, NAME,… (only these)
                           or -NAME,… (all but these). An unknown name prints the list of names.
      ROUSE_CPU            The processor path, such as portable (default: the best one available).

    Exit status: 0 success, 1 failure, 2 a comparison found a difference, 64 wrong usage.

    """

  static let commands: [(name: String, help: String)] = [
    (
      "record",
      """
      Record a trace from JSON Lines or from the ring files of other processes.

      Usage: rouse record [INPUT] -o TRACE|FOLDER/

      INPUT is a file or a FIFO of JSON Lines (see the page Rules, "Inputs"); default standard input.
      With --socket any number of clients send lines, and each client is a stream. With --attach the
      command reads the ring files of processes that write no trace of their own, running or dead.
      It reads each event once. If another process reads all of the rings, the exit status is 1.
      The trace is valid after each block. An existing trace is continued. An interrupt ends the
      recording: events already sent are written, and the exit status is 0. An invalid line ends its
      input: earlier events are kept, and the exit status is 1. If the trace is renamed or removed
      during recording, a new one is begun. The events in a removed trace are lost, and the exit
      status is 1.

      Options:
        -o, --output TRACE              The trace to write, or a folder of traces.
            --socket PATH               Create a Unix stream socket and read lines from its clients.
            --attach                    INPUT is a folder of ring files (default /dev/shm).
            --now                       Give lines without "t" the time at which they arrive.
            --keep-going                Skip invalid lines and report them.
            --flush SECONDS             Write an event after this time at the latest (default 1).
            --bytes-per-file N          In a folder: begin a new file after N bytes.
            --seconds-per-file SECONDS  In a folder: begin a new file after this time.
            --level N                   zlib's level, 0 to 9 (default 1).
            --durable                   Write the next block only when the disk has this one.
            --keep                      With --attach: keep the ring files of dead processes.
            --all-users                 Take ring files and clients of other users, too.
            --stay                      With --attach: wait for new processes until interrupted.
            --help                      Show this help.

      """
    ),
    (
      "import",
      """
      Convert JSON Lines or an Apple Health export to a trace.

      Usage: rouse import jsonl|apple-health FILE -o TRACE

      JSON Lines keep their order, even if times go back; --sort sorts the lines of each device by
      time. An Apple Health export is the export.zip of the Health app, or the file export.xml in it;
      its samples are always sorted.

      FILE may be compressed: gzip and zip, and xz and zstd if the programs are installed. Its first
      bytes tell, not its name.

      Options:
        -o, --output TRACE      The trace to write; '-' is standard output.
            --sort              Sort by time (stable sort, in bounded memory).
            --level N           zlib's level, 0 to 9 (default 6).
            --durable           Return only when the disk has the trace.
            --temporary FOLDER  The folder for temporary files (default $TMPDIR or /tmp).
            --help              Show this help.

      """
    ),
    (
      "export",
      """
      Convert traces to JSON Lines, tables as CSV, or timelines.

      Usage: rouse export [csv | perfetto | chrome] TRACE… [-o FILE]

      Importing the lines gives the same trace again. The streams of a device, in one trace or in
      several, are merged by time.

      With csv: a table of the trace or of its replay, as CSV (RFC 4180). Times are in UTC with nine
      digits of a fraction. NAME is one of:
        wakes    a row for each wake
        items    a row for each type, push or refresh that a wake carries
        waits    a row for each stretch of waiting with the same reasons, joined by +; each wait is told
                 once, when it is over for good
        samples  a row for each save and delete
        apps     a row for each app, all devices together

      With perfetto or chrome: a timeline of the replay, to be opened at https://ui.perfetto.dev: for each
      device its lock, power and network; for each app its state, its wakes by outcome, the oldest save of
      each with an arrow to it, the saves pending, and what held each type. perfetto is binary, and exact
      to the nanosecond; chrome is JSON for other viewers, its times from the first event on.

      A trace that is named csv is given as ./csv, and so on.

      Options:
        -o, --output FILE    The file to write (default standard output).
            --table NAME     With csv: the table.
            --app APP        With perfetto or chrome: only this app (repeatable).
            --device NAME    With perfetto or chrome: only this device (repeatable).
            --policy POLICY  ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --help           Show this help.

      """
    ),
    (
      "generate",
      """
      Generate a synthetic trace; equal parameters give equal events on every machine.

      Usage: rouse generate [PRESET] -o TRACE

      PRESET is one of:
        iphone-day: a day of a phone with a watch: apps, visits, pushes, locked at night
        watch-day: a day of a watch: many samples, hourly subscriptions, complications
        sync-burst: a wearable that syncs every 15 minutes, all samples of a sync at once
        three-strikes: apps that never answer, until they are stopped
        pushes: more pushes than are delivered at once
        fleet: 200 devices with 50 inputs each
        wearable: 10 million samples of a wearable at microseconds, 120 types, 40 sources
      Options override the preset. DURATION is a number of seconds such as 60 or 0.5; 0 is never.
      Builds with the same library (zlib or libdeflate) write the same bytes; at level 0 all do.

      Options:
        -o, --output TRACE              The trace to write; '-' is standard output.
            --level N                   zlib's level, 0 to 9 (default 6).
            --seed N                    The seed of the random numbers, from 0 (default 1).
            --events N                  The number of events (1 to 10^15).
            --devices N                 The number of devices that share the events (1 to 10^6).
            --types N                   The number of sample types (1 to 100000).
            --sources N                 The number of sources (1 to 100000).
            --start T                   Time of the first events (1874-12-07T18:40:00Z to 2065-01-24T05:20:00Z).
            --mean-gap DURATION         Mean time between a device's events (10^-9 to 100000).
            --resolution DURATION       All times are multiples of this (10^-9 to 1000).
            --sync-every DURATION       Time between syncs of a wearable (0, or 0.001 to 100000).
            --synced N                  Samples per 1000 that arrive in syncs (0 to 900).
            --sync-spacing DURATION     Time between the samples of a sync (0 to 1).
            --deletes N                 Deletes per 1000 saves and deletes (0 to 1000).
            --late N                    Late events per 1000 (0 to 500).
            --apps N                    The number of apps that enable background delivery (0 to 64).
            --subscriptions N           The number of types that each app subscribes to (0 to 1000).
            --predicates N              Queries with predicates per 1000 (0 to 1000).
            --answers N                 Answered wakes per 1000 likely wakes (0 to 1000).
            --push-every DURATION       Mean time between pushes (0, or 0.001 to 10^6).
            --visit-every DURATION      Mean time between visits of an app (0, or 0.001 to 10^6).
            --terminate-every DURATION  Mean time between terminations of apps (0, or 0.001 to 10^6).
            --pickup-every DURATION     Mean time between unlocks (0, or 1 to 10^6).
            --reboot-every DURATION     Mean time between reboots (0, or 1 to 10^6).
            --values                    Samples have values.
            --measured-times            Samples have starts and ends.
            --refreshes                 Apps request background refreshes.
            --complications             Apps have complications.
            --help                      Show this help.

      """
    ),
    (
      "replay",
      """
      Replay traces through the wake scheduler; report wakes and speed.

      Usage: rouse replay TRACE…

      The streams of a device, in one trace or in several, are merged by time. T is a time such as
      2026-01-01 or 2026-01-01T08:00:00Z, or nanoseconds since 1970. With --keep-going the result
      lists the damage, and the exit status is 1. --skip-quiet does not change wakes and counts, but
      damage in the skipped blocks is not found, and the speed is that of the other events. --verify
      compares wakes, counts and digest of replays with all accelerations (or those of
      ROUSE_ACCELERATIONS) and with none. It prints the first wake that differs, and the exit status
      is 2 if there is one.

      --waits tells why wakes came no sooner (see the page Rules, 9), in the file and, summed up, in the
      report and under "waiting" of --json. Each wait is counted once, when it is over for good. There
      are three sums of time for each reason: "any" is all the time in which it held, and these overlap;
      "alone" is the time in which nothing else held; "last" is the whole wait, given to the first
      reason, in the page's order, of its last stretch, and these add up to all waiting.

      --without replays as if reasons (words, separated by commas) never held, with all that follows
      from it: what if? The result says so, and is merged only with results without the same:
        stopped     no number of strikes stops an app
        forceQuit   a force-quit only terminates the app
        locked      a locked device keeps no health data back
        budget      there is no budget
        backoff     strikes delay no wake
        period      every subscription is immediate, whatever its frequency or cap
        throttle    any number of wakes may carry a push
        status      the refresh status is always available
        network     the network is always good
        power       the power is always good
        inFlight    every app answers each wake at the time at which it begins
        unanswered  what expired and aborted wakes carried stays delivered, and they are no strikes

      --bounds tells how far the wakes are from the best (see the page Rules, 10), in the file, in the
      report and under "bounds" of --json, times in nanoseconds: "behind" is the time for which an app
      had not got what was saved for it, "leastBehind" the least of it that as many wakes allow, and
      "fewestWakes" and "fewestWakesWithin" are how few wakes would do. 'rouse optimum' has more.

      Options:
            --policy POLICY         ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --wakes FILE            Write the wake log as JSON Lines; '-' is standard output.
            --waits FILE            Write why wakes came no sooner as JSON Lines; '-' is standard output.
            --without REASONS       Lift reasons for which wakes wait: budget,period …
            --bounds FILE           Write how far wakes are from the best as JSON; '-' is standard output.
            --json                  Print the result as JSON.
            --from T                Ignore inputs before T.
            --to T                  Ignore inputs at or after T.
            --type TYPE             Ignore saves and deletes of other types (repeatable).
            --device NAME           Ignore other devices (repeatable).
            --threads N             Threads that decode and schedule (default 1).
            --repeat N              Replay N times (default 1); the speed is the median.
            --speed SPEED           max (default), or a multiple of the trace's own pace: 1x, 60x …
            --verify                Compare the result with that of a replay without accelerations.
            --skip-quiet            Count blocks that cannot cause a wake from their headers.
            --keep-going            Skip damaged blocks.
            --no-latency            Do not sample the latency of events.
            --perf-control CTL,ACK  Restrict perf record --control=fifo:CTL,ACK to the replay.
            --help                  Show this help.

      """
    ),
    (
      "explain",
      """
      Tell why wakes of an app came no sooner, and what would change that.

      Usage: rouse explain TRACE… --app APP

      Tells what waited for a wake as a story: when it was saved, what held it until when, which wakes
      carried it, and whether the app answered. Reasons are those of the page Rules, 9.2. Without --at
      and --wake it tells the longest waits. Below each it says by how much sooner a wake would have
      come without the reasons that held longest: by replays --without them, with all that follows. Of
      each wait the 3 sets of reasons that held longest are tried, at most 6 in all. Of a time or a wake
      at most 100 waits are told, the longest.

      T is a time such as 2026-01-01 or 2026-01-01T08:00:00Z, or nanoseconds since 1970. Times are
      printed in UTC; --json has them in nanoseconds.

      Options:
            --app APP        The app that was to be woken.
            --type TYPE      Only what waited of this sample type.
            --at T           What waited at T; else the last wait before and the first after it.
            --wake N         What wake N of its device carried (numbers as in --waits).
            --longest N      The N longest waits (default 3).
            --policy POLICY  ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --device NAME    Ignore other devices (repeatable).
            --threads N      Threads that decode and schedule (default 1).
            --json           Print the stories as JSON.
            --help           Show this help.

      """
    ),
    (
      "report",
      """
      Show a replay as an HTML page: a timeline, reasons, and how far from the best.

      Usage: rouse report TRACE… -o FILE.html

      The page is one file, which needs no network. Its timeline shows of each app the state, the wakes
      and how they ended, what held each type (see the page Rules, 9.2), what was pending, and for how
      long the oldest had waited. A wake that is clicked on tells its story, as 'rouse explain' does.
      Below are tables of reasons, apps, types and days, and the wakes against the best (Rules, 10).
      Without scripts the tables and drawings show, too.

      The tables are of all devices. The timeline shows the busiest devices, as many as fit in about
      7 MB, or those that are chosen.

      Options:
        -o, --output FILE    The page to write; '-' is standard output.
            --policy POLICY  ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --device NAME    Show this device in the timeline, and no other (repeatable).
            --threads N      Threads that decode and schedule (default 1).
            --help           Show this help.

      """
    ),
    (
      "query",
      """
      Find saved samples in a trace, or the changes since an anchor.

      Usage: rouse query TRACE

      Prints JSON Lines. Without --after: the saved samples, in the order of --sort. With --after: the
      saves and deletes after the anchor, in the order of the trace; the new anchor goes to standard
      error, or into the object of --json. Blocks whose headers rule out a result are not decoded. T is
      a time such as 2026-01-01 or 2026-01-01T08:00:00Z, or nanoseconds since 1970.

      Options:
            --type TYPE     Only samples of this type (repeatable).
            --device NAME   Only this device (repeatable; '' is the unnamed one).
            --source NAME   Only samples of this source.
            --start T       Only samples that end at or after T.
            --end T         Only samples that start before T.
            --strict-start  With --start T: only samples that start at or after T.
            --strict-end    With --end T: only samples that end at or before T.
            --min X         Only samples with a value of at least X.
            --max X         Only samples with a value of at most X.
            --from T        Only samples saved at or after T.
            --to T          Only samples saved before T.
            --sort ORDER    start, end, -start or -end (descending); default trace order.
            --limit N       At most N results; 0 (default) is no limit.
            --after ANCHOR  Saves and deletes after the anchor; 0 is the beginning.
            --json          Print one JSON object with results, anchor and block counts.
            --help          Show this help.

      """
    ),
    (
      "info",
      """
      Describe the content of traces.

      Usage: rouse info TRACE…

      Options:
            --depth DEPTH  What to decode: headers, names (symbol tables only) or events (default).
            --json         Print a JSON array with an object for each trace.
            --help         Show this help.

      """
    ),
    (
      "verify",
      """
      Check the integrity of traces: checksums, columns, headers, sequence numbers.

      Usage: rouse verify TRACE…

      Prints each problem with its file and offset. The exit status is 1 if there is a problem.

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
      Input files are never changed; delete a ring file yourself. The exit status is 1 if a file is
      not a ring or a trace, or is in use, or if nothing could be recovered.

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

      Options:
        -o, --output TRACE  The trace to write; '-' is standard output.
            --by-device     Put the events of each device together.
            --level N       zlib's level, 0 (stored) to 9 (default 9).
            --help          Show this help.

      """
    ),
    (
      "merge",
      """
      Add the results of replays of different devices.

      Usage: rouse merge RESULT…

      RESULT is a file with the output of 'rouse replay --json'. The merged counts and digest equal
      those of one replay of all the devices. Why wakes came no sooner (--waits) is told if all results
      tell it; so are bounds (--bounds), and a message says so if they are left out.

      Options:
            --json  Print the merged result as JSON.
            --help  Show this help.

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
