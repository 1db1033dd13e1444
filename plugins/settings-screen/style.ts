// What the settings screen adds to the style of all pages.

/** Rules that follow those of all pages in `screen.css`. */
export const settingsStyle = `
.swatch { width: 1.75rem; height: 1.75rem; vertical-align: middle; border: 1px solid var(--edge); border-radius: .25rem; }
.entries { list-style: none; margin: 0 0 1rem; padding: 0; }
.entries > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem 0; border-top: 1px solid var(--line); }
.entries > li:first-child { border-top: 0; }
.entries > li:target { box-shadow: -.75rem 0 0 -.5rem var(--main); }
.entries > [draggable=true] { cursor: grab; }
.entries > .target { outline: 2px dashed var(--main); outline-offset: -2px; }
.entries .what { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }
.entries .what .swatch { width: 1.25rem; height: 1.25rem; margin: .1rem; }
h2 + form > .field:first-of-type, summary + form > .field:first-of-type { border-top: 0; }
.tag { display: inline-block; border: 1px solid var(--good); border-radius: 1rem; padding: 0 .5rem; color: var(--good); font-size: .8rem; font-weight: 600; }
details.fold { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .25rem 1.25rem; margin-bottom: .75rem; }
details.fold[open] { padding-bottom: 1rem; }
details.fold > summary h2 { display: inline; border: 0; padding: 0; }
details.fold > summary + div > .field:first-child { border-top: 1px solid var(--line); }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
button:disabled { opacity: .45; cursor: default; }
summary { cursor: pointer; font-weight: 600; padding: .4rem 0; }
@media (max-width: 50rem) {
  .columns > nav ul { flex-wrap: nowrap; overflow-x: auto; padding: .35rem; }
  .columns > nav a { white-space: nowrap; }
}
`
