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
      index        Write beside traces where their blocks are and what they hold.
      split        Write traces as several, all events of a device into one of them.
      merge        Add the results of replays of different devices.
      optimum      Find how few wakes would do, and how much sooner data could be there.
      sweep        Replay traces under many policies at once, and tell which is best.
      compare      Compare two policies on one trace, or two captures by their rates.
      diff         Compare two wake logs, or what a device did with the rules.
      check        Check whether another scheduler keeps the rules.
      policy       Show, check or make a policy, or list the keys of policies.
      completions  Print the completions of this command for a shell.
      man          Print the manual page of this command, or of one of its commands.

    'rouse COMMAND --help' describes a command. The file name '-' is standard input or output.
    Pages that help names, such as Rules and JSON output, are Rules.md and JSONOutput.md in
    share/doc/rouse of an installation, and in folders Sources/*/*.docc of the source.

    Options:
      --help         Show this help.
      -V, --version  Show the version.

    Environment:
      ROUSE_ACCELERATIONS  The scheduler's accelerations: all (default), none, NAME,… (only these)
                           or -NAME,… (all but these). An unknown name prints the list of names.
      ROUSE_CPU            The processor path, such as portable (default: the best one available).

    Exit status: 0 success, 1 failure, 2 a comparison found a difference, 64 wrong usage.

    """

  /// By command, in the order of the list above.
  static let commands = making + replaying + keeping
}
