// The style sheet of all pages: system fonts, one column on narrow screens, colors for light and dark. In this order: colors, frame and
// navigation (frame.ts and its users), forms (settings screen, desk), notices and states, lists and tables, narrow screens.

/** The text of `screen.css`, which each plugin of pages sends, some with rules of their own behind it. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #15171a); --card: light-dark(#fff, #1e2125); --line: light-dark(#d5d9de, #3a3f46);
  --text: light-dark(#1b1f24, #e8eaed); --soft: light-dark(#545b64, #a9b1ba); --link: light-dark(#0b57a4, #8ec1ff);
  --main: light-dark(#0b57a4, #8ec1ff); --on-main: light-dark(#fff, #0d1b2a);
  --good: light-dark(#12652b, #7fd79a); --bad: light-dark(#a4161a, #ff9c9c); --bad-back: light-dark(#fdecec, #3a1c1e);
  --good-back: light-dark(#e8f5ec, #16301f); --input: light-dark(#fff, #14171a); --edge: light-dark(#767d86, #7f8790);
}
* { box-sizing: border-box; }
html { scroll-padding: 1rem 0; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
code, .code { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
main { overflow-wrap: break-word; }
main:focus { outline: none; }
main:only-child { grid-column: 1 / -1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 2; background: var(--card); padding: .5rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between;
  padding: .75rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { margin: 0; font-weight: 600; }
header nav { flex: 1; }
header nav ul { position: static; display: flex; flex-wrap: wrap; gap: 0 .25rem; }
header nav a { padding: .25rem .5rem; color: var(--link); text-decoration: underline; }
header form { display: flex; gap: .5rem; flex: 0 1 26rem; }
header input { flex: 1; min-width: 0; }
.columns { display: grid; grid-template-columns: 14rem minmax(0, 60rem); gap: 2rem; padding: 1.5rem; }
nav ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1.5rem; }
nav a { display: block; padding: .4rem .75rem; border-radius: .375rem; color: var(--text); text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { background: var(--main); color: var(--on-main); font-weight: 600; }
.jump { margin-bottom: 1.25rem; }
.jump ul { position: static; display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
.jump li { display: flex; gap: .25rem; align-items: baseline; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 0 .75rem; font-size: .9rem; }
.jump a { display: inline; padding: .2rem 0; color: var(--link); text-decoration: underline; }
/* A table of check boxes (named-tokens.ts); .boxes below is any group of them. */
.boxes table { width: auto; }
.boxes td, .boxes thead th { text-align: center; padding: .25rem 1rem .25rem 0; }
.boxes td label { display: inline-block; padding: .1rem .5rem; }
h1 { margin: 0 0 1rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.1rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin-bottom: 1.25rem; }
p { margin: .25rem 0; }
main > p { margin-bottom: 1rem; }
dl + p { margin-top: .75rem; }
.field { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .25rem 2rem; padding: 1rem 0; border-top: 1px solid var(--line); }
h2 + .field { border-top: 0; }
.field:last-child { padding-bottom: 0; }
.field:target { box-shadow: -.75rem 0 0 -.5rem var(--main); }
.name { margin: 0; font-weight: 600; }
.about p, .remark, .key, .place, dt { color: var(--soft); }
.about p, .remark, .key { font-size: .9rem; }
.about p.name { color: var(--text); font-size: 1rem; }
input, select, textarea, button { font: inherit; color: inherit; border-radius: .375rem; border: 1px solid var(--edge); background: var(--input); padding: .4rem .6rem; max-width: 100%; }
input[type=text], input[type=password], input[type=search], textarea, select { width: 100%; }
input.short { width: 10rem; }
input[type=checkbox], input[type=radio] { width: 1.2rem; height: 1.2rem; accent-color: var(--main); vertical-align: -.2rem; margin: .1rem .25rem 0 0; }
input[readonly] { background: var(--page); }
textarea { display: block; resize: vertical; }
.boxes { display: grid; gap: .35rem; }
.boxes label, label.box { display: block; }
button { background: var(--card); cursor: pointer; font-weight: 600; padding: .4rem .9rem; }
button.main { background: var(--main); border-color: var(--main); color: var(--on-main); }
button.danger { border-color: var(--bad); color: var(--bad); }
button:hover { filter: brightness(1.08); }
.save { padding: .75rem 0; }
.copied { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; }
.copied input { flex: 1 1 12rem; width: auto; min-width: 0; }
.copied output:empty { display: none; }
.wrong { box-shadow: -.75rem 0 0 -.5rem var(--bad); }
.wrong [aria-invalid] { border-color: var(--bad); }
p.problem { color: var(--bad); font-weight: 600; }
.overlap { background: var(--bad-back); padding: .25rem .5rem; border-radius: .375rem; }
.notice { border: 1px solid; border-radius: .5rem; padding: .6rem 1rem; margin-bottom: 1.25rem; }
.notice.done { color: var(--good); background: var(--good-back); }
.notice.problem { color: var(--bad); background: var(--bad-back); }
.notice a { color: inherit; }
.on { color: var(--good); font-weight: 600; }
.off { color: var(--soft); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: .3rem 1rem; margin: .75rem 0 0; }
dd { margin: 0; overflow-wrap: anywhere; }
.found { list-style: none; padding: 0; }
.found li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin-bottom: .5rem; }
.wide { position: relative; overflow-x: auto; margin-top: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
.wide .roomy { min-width: 40rem; }
time { white-space: nowrap; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 400; }
[hidden] { display: none !important; }
@media (max-width: 50rem) {
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem; }
  header nav { flex-basis: 100%; margin-left: -.5rem; }
  nav ul { position: static; display: flex; flex-wrap: wrap; gap: .25rem; }
  .field { grid-template-columns: minmax(0, 1fr); }
  dl { grid-template-columns: minmax(5rem, 42%) minmax(0, 1fr); }
}
`
