extension HelpTexts {
  /// Commands that look at what traces hold and cause.
  static let replaying: [(name: String, help: String)] = [
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
      "alone" is the time in which nothing else held; "last" gives the whole wait to one
      reason, the first in the order of rule 9.2 of those in its last stretch, and these sums add up to
      all waiting.

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

      TRACE may be @LIST, a file with the path of a trace in each line. With several --policy the traces are
      decoded once and scheduled under each of them: --json is an array then. --shard 3/8 replays the
      third of eight shards, which have about as many devices each, by the hashes of their names.
      'rouse merge' adds the results of all shards, or of different devices, to that of one replay (see the
      page Fleets); --results writes what it needs, a line for each policy, the same bytes each time.

      --bounds tells how far the wakes are from the best (see the page Rules, 10), in the file, in the
      report and under "bounds" of --json, times in nanoseconds: "behind" is the time for which an app
      had not got what was saved for it, "leastBehind" the least of it that as many wakes allow, and
      "fewestWakes" and "fewestWakesWithin" are how few wakes would do. 'rouse optimum' has more.

      --scheduler replays through another scheduler: a shared library with the function of
      rouse_scheduler.h, or a command that takes inputs over a pipe (see the page Schedulers). A library
      runs in a process of its own, so that one that crashes, or does not return from a call for the
      seconds of --timeout, is told of with the event that it was given, and the exit status is 1. With
      --in-process it runs in this one.

      Several --policy cannot be combined with --wakes, --waits, --bounds, --verify, --repeat, --speed,
      --scheduler or --skip-quiet. A paced replay (--speed) uses one thread.

      Options:
            --policy POLICY         ios (default), watchos, or a JSON file (see the page Rules, "Policy"); repeatable.
            --wakes FILE            Write the wake log as JSON Lines; '-' is standard output.
            --waits FILE            Write why wakes came no sooner as JSON Lines; '-' is standard output.
            --without REASONS       Lift reasons for which wakes wait: budget,period …
            --bounds FILE           Write how far wakes are from the best as JSON; '-' is standard output.
            --json                  Print the result as JSON.
            --results FILE          Write the result for 'rouse merge' as JSON Lines; '-' is standard output.
            --times FORM            Times in the logs of --wakes and --waits: ns (default), or iso, as in ISO 8601.
            --from T                Ignore inputs before T, of every kind.
            --to T                  Ignore inputs at or after T.
            --type TYPE             Ignore saves and deletes of other types (repeatable).
            --device NAME           Ignore other devices (repeatable).
            --shard I/N             Ignore devices of other shards than I of N.
            --threads N             Threads that decode and schedule (default 1).
            --repeat N              Replay N times (default 1); the speed is the median.
            --speed SPEED           max (default), or a multiple of the trace's own pace: 1x, 60x …
            --scheduler SCHEDULER   Use the scheduler of a shared library, ./mine.so, or of a command, exec:COMMAND.
            --in-process            Run that scheduler in this process; a crash then ends it.
            --timeout SECONDS       How long a call or an answer of that scheduler may take (default 10).
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
      printed in UTC; --json has them as --times says.

      TRACE may be @LIST, a file with the path of a trace in each line.

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
            --times FORM     Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.
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

      TRACE may be @LIST, a file with the path of a trace in each line.

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
      error, or into the object of --json. With --observed: the wakes that a real system gave apps.
      Blocks whose headers rule out a result are not decoded. T is a time such as 2026-01-01 or
      2026-01-01T08:00:00Z, or nanoseconds since 1970.

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
            --observed      Observations instead; --type is then one of the wake's types.
            --after ANCHOR  Saves and deletes after the anchor; 0 is the beginning.
            --json          Print one JSON object with results, anchor and block counts.
            --times FORM    Times in JSON: ns (default), nanoseconds since 1970, or iso, as in ISO 8601.
            --help          Show this help.

      """
    ),
  ]
}
