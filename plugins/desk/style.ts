// What the desk adds to the style of all pages.

/** Rules that follow those of all pages in `screen.css`. */
export const deskStyle = `
:root { --wait: light-dark(#6b4a00, #f0c674); --wait-back: light-dark(#fdf3d8, #38301a); }
.columns { grid-template-columns: 11rem minmax(0, 84rem); }
.orders, .jobs, .items, .texts, .plain { list-style: none; margin: 0; padding: 0; }
.orders > li { display: grid; grid-template-columns: auto 5rem minmax(0, 1fr) minmax(0, 1.4fr) minmax(0, 1.8fr); gap: .25rem 1.25rem;
  align-items: start; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin-bottom: .5rem; }
.orders p, .jobs p { overflow-wrap: anywhere; }
.orders.batch > li { grid-template-columns: auto minmax(0, 1fr) minmax(0, 1.8fr) minmax(0, 1.4fr); }
.choice { display: block; padding: .25rem .5rem .5rem 0; }
.orders > li > .choice { grid-column: 1; grid-row: 1; }
.orders > li > .thumb { grid-column: 2; }
.choice input { width: 1.4rem; height: 1.4rem; }
.orders > li:has(.choice input:checked) { border-color: var(--main); box-shadow: 0 0 0 1px var(--main); }
.numbers { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 0 0 1rem; padding: 0; }
.numbers strong { font-size: 1.5rem; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; min-width: 0; }
.bar .remark { flex-basis: 100%; margin: 0; }
.bar input { width: auto; max-width: 100%; }
.status { color: var(--soft); font-weight: 600; }
.marks { display: flex; flex-wrap: wrap; gap: .25rem; justify-content: flex-end; }
.items p { margin: 0; }
.good { color: var(--good); }
.findings { list-style: none; margin: .5rem 0; padding: 0; }
.finding { display: flex; gap: .75rem; padding: .5rem .75rem; border-left: 3px solid var(--line); margin-bottom: .5rem; overflow-wrap: anywhere; }
.finding.refusal { border-color: var(--bad); }
.finding > div { min-width: 0; }
.finding p { margin: 0; }
.thumb { display: block; flex: none; width: 5rem; height: 5rem; grid-row: 1 / span 3; background: var(--page); border-radius: .375rem; overflow: hidden; }
.thumb img { width: 100%; height: 100%; object-fit: contain; background: #fff; }
.blank { display: grid; place-items: center; width: 100%; height: 100%; min-height: 4rem; padding: .25rem; color: var(--soft); font-size: .75rem;
  text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.why { color: var(--bad); font-size: .9rem; }
.items li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .75rem; align-items: start; margin-bottom: .25rem; overflow-wrap: anywhere; }
.state { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; font-weight: 600; white-space: nowrap;
  border: 1px solid var(--edge); color: var(--soft); }
.state.ready { color: var(--good); background: var(--good-back); border-color: currentColor; }
.state.failed { color: var(--bad); background: var(--bad-back); border-color: currentColor; }
.state.waiting { color: var(--wait); background: var(--wait-back); border-color: currentColor; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin-bottom: 1rem; }
.filters p { margin: 0; }
.filters label { display: block; font-size: .9rem; color: var(--soft); }
.filters select, .filters input, .filters button { width: auto; height: 2.5rem; }
.pages { display: flex; gap: 1.5rem; }
.jobs > li { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; padding: .75rem 0; border-top: 1px solid var(--line); }
.jobs > li:first-child { border-top: 0; }
.jobs > li:last-child { padding-bottom: 0; }
.jobs .what { flex: 1 1 20rem; min-width: 0; }
.count { color: var(--soft); font-weight: 400; }
.orders .who p:first-child { margin-top: 0; }
h2 + .act, .areas, dl + .acts, .act + .act, h2 + [data-brief], .remark + .gallery, form > .gallery { margin-top: .75rem; }
h2 + .act { margin-bottom: .5rem; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; }
.act { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.act select, .act input { width: auto; }
.act input.short { width: 6rem; }
.act label { min-width: 0; }
.act input[type=file] { width: 100%; }
.act:has([type=file]) { align-items: end; }
.wide :is(td, th):first-child { overflow-wrap: anywhere; min-width: 8rem; }
a.button { display: inline-block; border: 1px solid var(--edge); border-radius: .375rem; padding: .4rem .9rem; font-weight: 600;
  text-decoration: none; color: inherit; background: var(--card); }
a.button:hover { text-decoration: underline; }
progress { vertical-align: middle; width: 8rem; accent-color: var(--main); }
.views { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem; margin-top: .75rem; }
figure { margin: 0; min-width: 0; }
.sheet { position: relative; background: #fff; color: #545b64; border: 1px solid var(--line); border-radius: .375rem; overflow: hidden; }
.sheet img { display: block; width: 100%; height: auto; }
.sheet .blank { background: var(--page); min-height: 10rem; }
.sheet svg { display: none; position: absolute; inset: 0; width: 100%; height: 100%; }
.areas:checked ~ .views .sheet svg { display: block; }
.sheet rect { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; }
.sheet .trim { stroke: #0b57a4; }
.sheet .bleed { stroke: #a4161a; stroke-dasharray: 6 4; }
.texts li { font-size: 1.1rem; white-space: pre-wrap; overflow-wrap: anywhere; padding: .15rem .5rem; border-left: 3px solid var(--line); margin: .25rem 0; }
ol.texts { list-style: decimal; padding-left: 2rem; }
.text { white-space: pre-wrap; }
.swatch { width: 1rem; height: 1rem; vertical-align: -.15rem; border: 1px solid var(--edge); }
.gallery { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); }
.gallery > li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; min-width: 0; overflow-wrap: anywhere; }
.gallery .name, figcaption .name { margin-top: .5rem; }
a.thumb, .thumb .blank { text-decoration: none; }
.gallery .thumb { width: 100%; height: auto; aspect-ratio: 1; }
.asset { min-height: 6rem; margin: .75rem 0; background: #fff; border: 1px solid var(--line); border-radius: .375rem; }
.asset img { display: block; max-width: 100%; max-height: 30rem; margin: auto; }
.asset .blank { background: var(--page); min-height: 6rem; }
.specimens { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.specimens > li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; min-width: 0; overflow-wrap: anywhere; }
.specimen { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h3 { margin: .75rem 0 .25rem; font-size: 1rem; }
.texts .remark:not(:empty) { display: block; }
.check { margin: .5rem 0; }
.check > * { margin-bottom: .5rem; }
.lines :is(td, th) { white-space: nowrap; }
.lines tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 11rem; }
@media (max-width: 50rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .filters { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .filters :is(select, input, button) { width: 100%; }
  .filters p:last-child { grid-column: 1 / -1; }
  .orders > li { grid-template-columns: auto 4.5rem minmax(0, 1fr); }
  .orders > li > .what, .orders > li > .who, .orders > li > .items { grid-column: 3; }
  .orders.batch > li { grid-template-columns: auto minmax(0, 1fr); }
  .orders.batch > li > .what, .orders.batch > li > .found, .orders.batch > li > .items { grid-column: 2; }
  .items li { grid-template-columns: minmax(0, 1fr); }
  .marks { justify-content: flex-start; }
  .bar button, .bar input { min-height: 2.75rem; }
  .thumb { width: 4.5rem; height: 4.5rem; }
  .gallery { gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); }
}
`
