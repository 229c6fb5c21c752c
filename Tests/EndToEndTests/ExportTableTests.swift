import Testing
import WakeTestSupport

@Suite("export csv")
struct ExportTableTests {
  @Test("writes each table, of files or to standard output")
  func tables() throws {
    let shop = try Workshop()
    try shop.importing(
      """
      {"t":0,"k":"enable","app":"app","type":"T0","frequency":"immediate"}
      {"t":5000000001,"device":"watch","k":"save","type":"T0","source":"a,b","start":4,"value":71.5}
      {"t":5000000002,"k":"save","type":"T0","source":"S"}
      {"t":6000000000,"k":"save","type":"T0","source":"S"}
      {"t":40000000000,"k":"delete","type":"T0","source":"S"}
      {"t":50000000000,"k":"complete","app":"app"}\n
      """, as: "trace")
    for (table, rows) in [
      (
        "wakes",
        """
        device,wake,t,app,types,saves,oldest,push,refresh,outcome,end
        ,1,1970-01-01T00:00:05.000000002Z,app,1,1,1970-01-01T00:00:05.000000002Z,,false,expired,\
        1970-01-01T00:00:35.000000002Z

        """
      ),
      (
        "items",
        """
        device,wake,t,app,item,name,saves,since
        ,1,1970-01-01T00:00:05.000000002Z,app,type,T0,1,1970-01-01T00:00:05.000000002Z

        """
      ),
      (
        "waits",
        """
        device,wake,app,item,name,since,from,to,ns,reasons,ending
        ,,app,type,T0,1970-01-01T00:00:05.000000002Z,1970-01-01T00:00:05.000000002Z,\
        1970-01-01T00:00:35.000000002Z,30000000000,unanswered,
        ,,app,type,T0,1970-01-01T00:00:05.000000002Z,1970-01-01T00:00:35.000000002Z,\
        1970-01-01T00:00:50.000000000Z,14999999998,backoff,

        """
      ),
      (
        "samples",
        """
        device,t,kind,type,source,start,end,value
        ,1970-01-01T00:00:05.000000002Z,save,T0,S,,,
        ,1970-01-01T00:00:06.000000000Z,save,T0,S,,,
        ,1970-01-01T00:00:40.000000000Z,delete,T0,S,,,
        watch,1970-01-01T00:00:05.000000001Z,save,T0,"a,b",1970-01-01T00:00:00.000000004Z,,71.5

        """
      ),
      (
        "apps",
        """
        app,aborted,completed,expired,open,pendingAtEnd,pushesHeldAtEnd,saves,stoppedOnDevices,wakes
        app,0,0,1,0,3,0,1,0,1

        """
      ),
    ] {
      let expected = rows.split(separator: "\n").map { $0 + "\r\n" }.joined()
      let printed = try shop.rouse("export", "csv", "trace.wtrace", "--table", table)
      #expect(printed.status == .exited(0) && printed.errors == "", "\(printed.errors)")
      #expect(printed.output.hasSameBytes(as: expected), "\(table): \(printed.output)")
      let written = try shop.rouse(
        "export", "csv", "trace.wtrace", "--table", table, "-o", "\(table).csv")
      #expect(written.status == .exited(0) && written.output == "")
      #expect(try shop.read("\(table).csv") == Array(expected.utf8), "\(table)")
    }
    try shop.importing(
      """
      {"t":0,"k":"push","app":"app","id":"p"}
      {"t":1000000000,"k":"refreshInterval","app":"app","interval":"minimum"}
      {"t":90000000000,"k":"complete","app":"app"}\n
      """, as: "push")
    let pushes = try shop.rouse("export", "csv", "push.wtrace", "--table", "items")
    let rows = pushes.output.split(separator: "\r\n").dropFirst()
    #expect(
      rows.first == ",1,1970-01-01T00:00:00.000000000Z,app,push,p,,1970-01-01T00:00:00.000000000Z",
      "a push has no saves, not 0: \(pushes.output)")
    #expect(rows.dropFirst().allSatisfy { $0.contains(",app,refresh,,,") }, "\(pushes.output)")
    for (arguments, message) in [
      (["csv", "trace.wtrace"], "--table is required"),
      (
        ["csv", "trace.wtrace", "--table", "sleeps"],
        "--table: 'sleeps' is not one of wakes, items, waits, samples, apps"
      ),
      (["csv", "--table", "wakes"], "csv requires a trace"),
      (
        ["trace.wtrace", "--table", "wakes"],
        "--table requires csv: rouse export csv TRACE --table NAME"
      ),
      (
        ["csv", "trace.wtrace", "--table", "samples", "--policy", "ios"],
        "--policy does not change the table samples, which is of the trace alone"
      ),
    ] {
      let refused = try RouseCommand.run(["export"] + arguments, folder: shop.path)
      #expect(refused.status == .exited(64) && refused.output == "", "\(arguments)")
      #expect(refused.errors.hasPrefix("rouse: \(message)\n"), "\(refused.errors)")
    }
  }
}
