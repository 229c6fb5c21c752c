extension HTMLReport {
  static let style = """
    :root {
      color-scheme: light dark;
      --page: #f6f7f9; --card: #ffffff; --ink: #1b2330; --soft: #5b6675; --line: #dde2e9;
      --grid: #e8ecf1; --accent: #2457c5; --before: #7a8698; --after: #2457c5;
      --slower: #b93815; --faster: #0b7a5c; --same: #5b6675; --inconclusive: #8a6100;
      --slower-tint: #fbe6df; --faster-tint: #d9f2e9; --same-tint: #e9edf2; --inconclusive-tint: #f8edcf;
      --floor: #e4e9f0;
    }
    @media (prefers-color-scheme: dark) { :root {
      --page: #10141b; --card: #191f29; --ink: #e7ebf2; --soft: #9aa6b6; --line: #2c3543;
      --grid: #252d39; --accent: #85aaff; --before: #8e9bae; --after: #85aaff;
      --slower: #ff9878; --faster: #5ed3ab; --same: #a3aebd; --inconclusive: #e5bd58;
      --slower-tint: #46241b; --faster-tint: #153a30; --same-tint: #28303c; --inconclusive-tint: #3d3216;
      --floor: #2a3341;
    } }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
    body { margin: 0 auto; max-width: 80rem; padding: 1.5rem clamp(.9rem, 3vw, 2.5rem) 3rem;
      background: var(--page); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 2px; }
    h1 { font-size: clamp(1.4rem, 4.5vw, 2.1rem); line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.25rem; margin: 2.4rem 0 .8rem; }
    h3 { font-size: 1rem; margin: 0 0 .3rem; overflow-wrap: anywhere; line-height: 1.4; }
    .kind { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em;
      text-transform: uppercase; font-weight: 600; }
    .arrow { color: var(--soft); font-weight: 400; }
    .build.before { color: var(--before); } .build.after { color: var(--after); }
    .source { margin: .3rem 0 0; color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
    .tiles { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 1.2rem 0 .9rem; list-style: none; }
    .tiles li { background: var(--card); border: 1px solid var(--line); border-radius: .7rem;
      padding: .5rem .95rem; font-size: .85rem; color: var(--soft); min-width: 6.6rem; }
    .tiles b { display: block; font-size: 1.5rem; line-height: 1.25; color: var(--ink);
      font-variant-numeric: tabular-nums; }
    .tiles .none b { color: var(--soft); font-weight: 500; }
    .tiles .slower, .tiles .slower b { background: var(--slower-tint); color: var(--slower); }
    .tiles .faster, .tiles .faster b { background: var(--faster-tint); color: var(--faster); }
    .tiles .inconclusive, .tiles .inconclusive b { background: var(--inconclusive-tint); color: var(--inconclusive); }
    nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .95rem; }
    .empty { color: var(--soft); }
    .tools { margin: 0 0 .6rem; color: var(--soft); font-size: .9rem; }
    .tools input { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line);
      border-radius: .5rem; padding: .3rem .6rem; width: min(16rem, 60vw); }
    .scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; }
    .scroll:focus-visible, a:focus-visible, button:focus-visible, input:focus-visible {
      outline: 2px solid var(--accent); outline-offset: 2px; }
    table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
    th, td { padding: .45rem .7rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
    thead th { border-top: 0; color: var(--soft); font-weight: 600; font-size: .8rem; }
    tbody th { font-weight: 500; }
    th:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 9rem;
      max-width: 26rem; position: sticky; left: 0; background: var(--card); z-index: 1; }
    td.wide { min-width: 9.5rem; width: 11rem; padding-block: .2rem; }
    td.wide svg { height: 1.5rem; }
    table.plain td { text-align: left; white-space: normal; min-width: 6.5rem; overflow-wrap: anywhere; }
    table.plain th { text-align: left; }
    thead button { all: unset; cursor: pointer; }
    thead button::after { content: " ↕"; opacity: .35; }
    [aria-sort=ascending] button::after { content: " ↑"; opacity: 1; }
    [aria-sort=descending] button::after { content: " ↓"; opacity: 1; }
    thead button:focus-visible { outline: 2px solid var(--accent); }
    tbody tr:hover > * { background: color-mix(in srgb, var(--accent) 6%, var(--card)); }
    .pill { display: inline-block; border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem;
      font-weight: 600; white-space: nowrap; }
    .pill.slower { background: var(--slower-tint); color: var(--slower); }
    .pill.faster { background: var(--faster-tint); color: var(--faster); }
    .pill.same { background: var(--same-tint); color: var(--same); }
    .pill.inconclusive { background: var(--inconclusive-tint); color: var(--inconclusive); }
    .legend { color: var(--soft); font-size: .82rem; margin: .5rem 0 0; }
    .swatch { display: inline-block; width: 1.4rem; vertical-align: middle; margin-left: .2rem; }
    .swatch.floor { height: .8rem; background: var(--floor); border: 1px solid var(--line); }
    .swatch.line { height: 0; border-top: 2px solid var(--soft); }
    .cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21.5rem), 1fr)); }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; padding: .9rem 1rem;
      min-width: 0; }
    .card:target { outline: 2px solid var(--accent); }
    .figures { margin: 0 0 .4rem; font-variant-numeric: tabular-nums; }
    .figures b { font-size: 1.15rem; }
    .figures small, .unit { color: var(--soft); }
    figure { margin: .7rem 0 0; }
    figcaption { font-size: .8rem; color: var(--soft); margin-bottom: .15rem; }
    svg { display: block; width: 100%; height: auto; overflow: visible; }
    dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.4rem, 1fr)); gap: .3rem .8rem; margin: .7rem 0 0; font-size: .82rem; }
    dl div { min-width: 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
    .facts dl { display: grid; grid-template-columns: 1fr; gap: .25rem; font-size: .9rem; }
    .facts dl div { display: flex; gap: .8rem; justify-content: space-between; }
    .facts dt { flex: none; } .facts dd { text-align: right; }
    .rule { color: var(--soft); font-size: .9rem; max-width: 56rem; }
    footer { color: var(--soft); font-size: .82rem; margin-top: 2.5rem; }
    svg text { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
    svg .key { font-weight: 600; } svg .key.before { fill: var(--before); } svg .key.after { fill: var(--after); }
    .grid { stroke: var(--grid); } .axis { stroke: var(--soft); stroke-opacity: .55; }
    .density { fill-opacity: .16; stroke-width: 1.5; stroke-linejoin: round; }
    .before { fill: var(--before); stroke: var(--before); }
    .after { fill: var(--after); stroke: var(--after); }
    .only { fill: var(--accent); stroke: var(--accent); }
    .dot { stroke: none; fill-opacity: .6; } .dot.far { fill-opacity: .25; }
    .dot:hover { fill-opacity: 1; stroke: var(--ink); }
    .dot.pair { fill: var(--soft); } .dot.pair.odd { fill: var(--ink); }
    .median { stroke-width: 2; }
    svg text.before, svg text.after { stroke: none; }
    .floor { fill: var(--floor); }
    .interval { fill-opacity: .22; }
    .interval.slower, .estimate.slower { fill: var(--slower); } .interval.faster, .estimate.faster { fill: var(--faster); }
    .interval.same, .estimate.same { fill: var(--same); } .interval.inconclusive, .estimate.inconclusive { fill: var(--inconclusive); }
    .verdict { stroke: var(--ink); stroke-dasharray: 5 4; }
    .whisker { stroke-width: 2.5; } .whisker.slower { stroke: var(--slower); } .whisker.faster { stroke: var(--faster); }
    .whisker.same { stroke: var(--same); } .whisker.inconclusive { stroke: var(--inconclusive); }
    .fit { fill: none; stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 6 4; }
    .join { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-opacity: .5; }
    .curve { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; }
    svg .dot.only { fill-opacity: .7; }
    [hidden] { display: none !important; }
    @media print {
      :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --grid: #e5e5e5;
        --accent: #2457c5; --before: #777; --after: #2457c5; --slower: #b93815; --faster: #0b7a5c;
        --same: #555; --inconclusive: #8a6100; --slower-tint: #fbe6df; --faster-tint: #d9f2e9;
        --same-tint: #eee; --inconclusive-tint: #f8edcf; --floor: #e8e8e8; color-scheme: light; }
      html { font-size: 12px; } body { max-width: none; padding: 0; font-size: 12px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      nav, .tools, thead button::after { display: none !important; }
      .scroll { overflow: visible; } th:first-child { position: static; }
      .cards { grid-template-columns: repeat(2, 1fr); } .card, tr { break-inside: avoid; }
      h2 { break-after: avoid; } table { font-size: 10px; } th, td { padding: .25rem .4rem; }
    }

    """
}
