"""How the views of an analysis look."""

from __future__ import annotations

STYLE = """
.bars { display: flex; flex-direction: column; gap: 2px; width: 100% }
.bar { display: grid; grid-template-columns: var(--name, 3.2rem) minmax(0, 1fr) 5.2rem;
  align-items: center; gap: .5rem; width: 100%; padding: .2rem .4rem; border-radius: 6px; border:
  1px solid transparent; background: none; font: inherit; font-size: .9rem; text-align: left;
  cursor: pointer; min-height: 1.9rem }
.bar:hover { background: #f3f5f8 }
.bar[aria-pressed=true] { background: #e8eef7; border-color: #9db3d3 }
.bar:focus-visible { outline: 2px solid #1769c2; outline-offset: 1px }
.bar .name { font-weight: 600 }
.bar .track { position: relative; height: 1rem; background: linear-gradient(#eceae5, #eceae5)
  center/100% 1px no-repeat }
.bar .fill { position: absolute; top: 0; bottom: 0; border-radius: 3px; background: #a9b8cd;
  min-width: 1px }
.bar .fill.negative { background: #d9b3a6 }
.bar.best .fill { background: #1f4e8c }
.bar.best .name::after { content: " \\2605"; color: #1f4e8c; font-size: .75em }
.bar .zero { position: absolute; top: -.25rem; bottom: -.25rem; width: 1px; background: #8a8f98 }
.bar .value { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar.plain { cursor: default }
.bar.plain:hover { background: none }
.replies { width: 100%; border-collapse: collapse; font-size: .85rem }
.replies th { text-align: left; color: #5a6470; font-weight: 600; padding: .15rem .4rem;
  border-bottom: 1px solid #d8d8d8 }
.replies td { padding: .15rem .4rem; border-bottom: 1px solid #f0efec; font-variant-numeric:
  tabular-nums }
.replies .right { text-align: right; white-space: nowrap }
.replies .wide { width: 55% }
.replies .share { display: block; height: .75rem; background: #3f4a5a; border-radius: 2px;
  min-width: 1px }
.folded > summary::before, .thoughts summary::before { content: "\\25B8\\00A0"; color: #5a6b84 }
.folded[open] > summary::before, .thoughts details[open] > summary::before { content:
  "\\25BE\\00A0" }
.folded summary { cursor: pointer; font-size: .85rem; color: #44546a; padding: .25rem .4rem }
.map { display: grid; gap: 2px; width: 100%; font-size: .8rem }
.map .axis { color: #5a6470; display: flex; align-items: center; justify-content: center;
  font-size: .75rem; min-width: 0 }
.map button, .map .empty { border: 0; border-radius: 3px; min-height: 2.1rem; padding: 0; font:
  inherit; line-height: 1.05; min-width: 0; overflow: hidden; cursor: pointer }
.map .empty { background: #f1f0ec; cursor: default }
.map button:focus-visible { outline: 2px solid #111; outline-offset: 1px }
.map button.here { outline: 3px solid #111; outline-offset: -1px; z-index: 1 }
.map small { font-size: .68rem; opacity: .85; display: block }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; font-size: .8rem }
.legend i { display: inline-block; width: .9rem; height: .9rem; border-radius: 3px;
  vertical-align: -2px; margin-right: .35rem }
.thoughts, .thoughts ul { list-style: none; margin: 0; padding-left: 1rem; border-left: 1px solid
  #dfe3e9; font-size: .88rem; line-height: 1.45 }
.thoughts { border: 0; padding: 0 }
.thoughts li { padding: .1rem 0 }
.thoughts summary { cursor: pointer }
.stale { opacity: .45; transition: opacity .1s .15s }
"""
