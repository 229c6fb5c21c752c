extension HelpTexts {
  /// Commands that make traces.
  static let making: [(name: String, help: String)] = [
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

      The lines of each device keep their order, even if times go back; --sort sorts them by
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

      Importing the lines gives the same trace again, if they have their times as ns. The streams of a
      device, in one trace or in several, are merged by time.

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

      A trace that is named csv is given as ./csv, and so on. TRACE may be @LIST, a file with the path of
      a trace in each line.

      Options:
        -o, --output FILE    The file to write (default standard output).
            --table NAME     With csv: the table.
            --app APP        With perfetto or chrome: only this app (repeatable).
            --device NAME    With perfetto or chrome: only this device (repeatable).
            --policy POLICY  ios (default), watchos, or a JSON file (see the page Rules, "Policy").
            --times FORM     Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.
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
      Options override the preset. DURATION is a number of seconds or of another unit, such as
      60, 0.5, 250ms, 15m, 1h or 1d; 0 is never.
      Builds with the same library (zlib or libdeflate) write the same bytes; at level 0 all do.

      Options:
        -o, --output TRACE              The trace to write; '-' is standard output.
            --files N                   Write N traces into the folder -o, each with a part of the devices.
            --level N                   zlib's level, 0 to 9 (default 6).
            --seed N                    The seed of the random numbers, from 0 (default 1).
            --events N                  The number of events (1 to 10^15).
            --devices N                 The number of devices that share the events (1 to 10^6).
            --device-prefix TEXT        What the names of devices begin with, so that made-up fleets do not collide.
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
  ]
}
