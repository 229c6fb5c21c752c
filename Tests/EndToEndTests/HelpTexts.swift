/// What `--help` prints, whole.
///
/// After a change that is meant, the new text is what `rouse COMMAND --help` then prints.
enum HelpTexts {
  static let rouse = """
    Record, replay and measure wake scheduling.

    Usage: rouse COMMAND [ARGUMENT]…

    Commands:
      record    Capture a trace from outside: from JSON Lines as they come, or from rings.
      import    Turn JSON Lines or an Apple Health export into a trace.
      export    Turn traces into JSON Lines.
      generate  Make up a trace: the same events for the same parameters, on every machine.
      replay    Feed traces to the wake scheduler: which wakes come out, and how fast.
      query     Find saved samples in a trace, or what changed since an anchor.
      info      Tell what traces hold.
      verify    Check that traces are whole: checksums, columns, headers and sequences.
      recover   Make a clean trace of what a crash or damage has left.
      repack    Write a trace anew at another level: the same events in other bytes.
      merge     Add up results of replays of different devices.

    'rouse COMMAND --help' tells more. '-' in place of a file is standard input or output.

    Options:
      --help     Show this.
      --version  Show the version.

    Exit status: 0 success, 1 failure, 64 wrong usage.

    """

  static let commands: [(name: String, help: String)] = [
    (
      "record",
      """
      Capture a trace from outside: from JSON Lines as they come, or from rings.

      Usage: rouse record [INPUT] -o TRACE|FOLDER/

      INPUT is a file or a FIFO of JSON Lines (SPEC 2), by default standard input; with --socket any
      number of clients send them, each a stream of its own. With --attach events are taken out of
      the ring files of components that run and write no trace, and of dead ones, each event once;
      where another process takes them all already, the exit status is 1.
      The trace is whole after each block; one that is there already is gone on with. An interrupt
      ends it: what had been sent is still written, and the exit status is 0. A wrong line ends its
      input, what came before is kept, and the exit status is 1. A trace that is renamed or removed
      meanwhile is begun anew; what was in a removed one is lost, and the exit status is 1.

      Options:
        -o, --output TRACE              The trace, or a folder of traces.
            --socket PATH               A Unix stream socket to make, whose clients send lines.
            --attach                    INPUT is a folder of ring files (default /dev/shm).
            --now                       Lines without "t" have the time at which they come.
            --keep-going                Pass over wrong lines, and tell of them.
            --flush SECONDS             How long an event waits at most (default 1).
            --bytes-per-file N          In a folder: begin the next file after N bytes.
            --seconds-per-file SECONDS  In a folder: begin the next file so often.
            --level N                   zlib's level, 0 to 9 (default 1).
            --keep                      With --attach: leave the ring files of dead processes.
            --stay                      With --attach: wait for processes until interrupted.
            --help                      Show this.

      """
    ),
    (
      "import",
      """
      Turn JSON Lines or an Apple Health export into a trace.

      Usage: rouse import jsonl|apple-health FILE -o TRACE

      JSON Lines keep their order, inputs before their predecessors included; --sort sorts those of
      each device by time. An Apple Health export is the file export.xml, whose samples are always
      sorted. For a zip:  unzip -p export.zip apple_health_export/export.xml | rouse import
      apple-health - -o TRACE

      Options:
        -o, --output TRACE      The trace to write; '-' is standard output.
            --sort              Sort by time, stably, in bounded memory.
            --level N           zlib's level, 0 to 9 (default 6).
            --temporary FOLDER  Where temporary files go (default $TMPDIR or /tmp).
            --help              Show this.

      """
    ),
    (
      "export",
      """
      Turn traces into JSON Lines.

      Usage: rouse export TRACE… [-o FILE]

      Importing the lines gives the same trace again. Several traces are merged by time, device by
      device.

      Options:
        -o, --output FILE  The file to write (default standard output).
            --help         Show this.

      """
    ),
    (
      "generate",
      """
      Make up a trace: the same events for the same parameters, on every machine.

      Usage: rouse generate [PRESET] -o TRACE

      PRESET is one of:
        iphone-day: a day of a phone with a watch: apps, visits, pushes, locked at night
        watch-day: a day of a watch: many samples, hourly subscriptions, complications
        sync-burst: a wearable that syncs every 15 minutes, all samples of a sync at once
        three-strikes: apps that never answer, until they are stopped
        pushes: more pushes than are delivered at once
        fleet: 200 devices with 50 inputs each
        wearable: 10 million samples of a wearable at microseconds, 120 types, 40 sources
      Options change what the preset says. DURATION is seconds, such as 60 or 0.5; 0 is never.
      Builds with the same library, zlib or libdeflate, write the same bytes; at level 0 all do.

      Options:
        -o, --output TRACE              The trace to write; '-' is standard output.
            --level N                   zlib's level, 0 to 9 (default 6).
            --seed N                    Another seed gives another trace (default 1).
            --events N                  Events in all.
            --devices N                 Devices that share them.
            --types N                   Sample types.
            --sources N                 Sources.
            --start T                   The time of the first events.
            --mean-gap DURATION         Mean time between a device's events.
            --resolution DURATION       All times are multiples of this.
            --sync-every DURATION       A wearable's samples arrive together so often.
            --synced N                  Of 1000 samples so many arrive in syncs.
            --sync-spacing DURATION     Time between the samples of a sync.
            --deletes N                 Of 1000 saves and deletes so many are deletes.
            --late N                    Of 1000 events so many come late.
            --apps N                    Apps that enable background delivery.
            --subscriptions N           Types that each app subscribes to.
            --predicates N              Of 1000 queries so many have predicates.
            --answers N                 Of 1000 likely wakes so many are answered.
            --push-every DURATION       Mean time between pushes.
            --visit-every DURATION      Mean time between visits of an app.
            --terminate-every DURATION  Mean time between ends of apps.
            --pickup-every DURATION     Mean time between unlocks.
            --reboot-every DURATION     Mean time between reboots.
            --values                    Samples have values.
            --measured-times            Samples have starts and ends.
            --refreshes                 Apps ask for background refreshes.
            --complications             Apps have complications.
            --help                      Show this.

      """
    ),
    (
      "replay",
      """
      Feed traces to the wake scheduler: which wakes come out, and how fast.

      Usage: rouse replay TRACE…

      Several traces, and the streams of one device, are merged by time. T is an instant such as
      2026-01-01, 2026-01-01T08:00:00Z, or nanoseconds since 1970. With --keep-going damaged blocks
      are passed over, the loss is told in the result, and the exit status is 1. With --skip-quiet the
      wakes and all counts are the same; blocks from which nothing but counts can come are not read, so
      damage within them is not found, and speeds are those of the other events.

      Options:
            --policy POLICY         ios (default), watchos, or a JSON file (SPEC 3).
            --wakes FILE            Write the wake log as JSON Lines; '-' is standard output.
            --json                  Print the result as JSON.
            --from T                Leave out inputs before T.
            --to T                  Leave out inputs at or after T.
            --type TYPE             Leave out saves of other types (repeatable).
            --device NAME           Leave out other devices (repeatable).
            --threads N             Threads that read and feed (default 1).
            --repeat N              Replay N times; the speed is the median (default 1).
            --speed SPEED           max (default), or paced by the trace: 1x, 60x …
            --skip-quiet            Count blocks that can wake nobody by their headers, unread.
            --keep-going            Pass over damaged blocks.
            --no-latency            Do not sample the latency of events.
            --perf-control CTL,ACK  Let perf record --control=fifo:CTL,ACK see the replay alone.
            --help                  Show this.

      """
    ),
    (
      "query",
      """
      Find saved samples in a trace, or what changed since an anchor.

      Usage: rouse query TRACE

      Prints JSON Lines. Without --after: the saved samples, sorted as asked. With --after: saves and
      deletes behind the anchor, in the trace's order; the new anchor is told on standard error, and in
      --json. Blocks that cannot hold a result are skipped by their headers. T is an instant such as
      2026-01-01, 2026-01-01T08:00:00Z, or nanoseconds since 1970.

      Options:
            --type TYPE     Only samples of the type (repeatable).
            --device NAME   Only the device (repeatable; '' is unnamed).
            --source NAME   Only samples of the source.
            --start T       Only samples that end at or after T.
            --end T         Only samples that start before T.
            --strict-start  With --start: that start at or after T.
            --strict-end    With --end: that end at or before T.
            --min X         Only samples with a value of at least X.
            --max X         Only samples with a value of at most X.
            --from T        Only what was saved at or after T.
            --to T          Only what was saved before T.
            --sort ORDER    start, end, -start or -end (latest first); default none.
            --limit N       At most N results; 0 is no limit (default 0).
            --after ANCHOR  Only saves and deletes after the anchor; 0 is all.
            --json          Print one JSON object: results, anchor, blocks read and skipped.
            --help          Show this.

      """
    ),
    (
      "info",
      """
      Tell what traces hold.

      Usage: rouse info TRACE…

      Options:
            --depth DEPTH  headers: inflate nothing; names: only what names need; events (default): all.
            --json         Print JSON: an array of an object for each trace.
            --help         Show this.

      """
    ),
    (
      "verify",
      """
      Check that traces are whole: checksums, columns, headers and sequences.

      Usage: rouse verify TRACE…

      Prints every problem with its place; the exit status is 1 if there is any.

      Options:
            --json  Print JSON: an array of an object for each trace.
            --help  Show this.

      """
    ),
    (
      "recover",
      """
      Make a clean trace of what a crash or damage has left.

      Usage: rouse recover RING|TRACE… -o TRACE

      RING is a ring file that a killed recorder left (in /dev/shm, unless it was told otherwise); its
      trace is recovered with it. Nothing is taken of a ring whose process still runs. TRACE is a trace
      that is torn or damaged. Whole blocks are kept, each once; what was kept and what was lost is
      told. What is given is never changed; a ring file stays until you delete it. The exit status is 1
      if a file is neither or in use, or nothing could be kept.

      Options:
        -o, --output TRACE  The clean trace; '-' is standard output.
            --only-rest     Of a ring, only what its trace does not hold.
            --level N       zlib's level for events of rings, 0 to 9 (default 6).
            --json          Print what was kept and lost as JSON.
            --help          Show this.

      """
    ),
    (
      "repack",
      """
      Write a trace anew at another level: the same events in other bytes.

      Usage: rouse repack TRACE -o TRACE

      Blocks stay blocks, with their events, streams, sequence numbers and losses, so that a replay gives
      the same. The trace that is read stays as it is. One that is damaged is refused: 'rouse recover'
      makes it whole first.

      Options:
        -o, --output TRACE  The trace to write; '-' is standard output.
            --level N       zlib's level, 0 (nothing is deflated) to 9 (default 9).
            --help          Show this.

      """
    ),
    (
      "merge",
      """
      Add up results of replays of different devices.

      Usage: rouse merge RESULT…

      RESULT is what 'rouse replay --json' printed. The digests of different devices add up, so the
      merged digest is that of one replay of them all.

      Options:
            --json  Print the merged result as JSON.
            --help  Show this.

      """
    ),
  ]
}
