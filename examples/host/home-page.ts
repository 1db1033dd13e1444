// The first page of the host: what this is, whether it works, where to go, and what the demo shop looks like.

export interface Part {
  name: string
  /** Undefined if it is switched off. */
  works: boolean | undefined
  said: string
}

export interface Picture {
  url: string
  title: string
  size: number
}

export interface HomePage {
  parts: readonly Part[]
  links: readonly { href: string; name: string; about: string }[]
  commands: readonly { about: string; line: string }[]
  products: readonly Picture[]
  order: readonly Picture[]
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
const each = <T>(list: readonly T[], draw: (item: T, index: number) => string) => list.map(draw).join('\n')

export const homePage = ({ parts, links, commands, products, order }: HomePage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Product customizer: start here</title>
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="home.css">
<script src="home.js" defer></script>
</head>
<body>
<main>
<header>
<h1>Product customizer</h1>
<p>This host serves the REST API of a web-to-print shop: products that customers design, their orders, and the files that are
printed. Everything on this page runs on this machine.</p>
<ul class="parts" aria-label="What works">
${each(parts, ({ name, works, said }) => `<li class="${works ? 'good' : works === undefined ? 'off' : 'bad'}"><strong>${escaped(name)}</strong> ${escaped(said)}</li>`)}
</ul>
</header>
<section aria-labelledby="open">
<h2 id="open">Open</h2>
<ul class="cards">
${each(links, ({ href, name, about }) => `<li><a href="${escaped(href)}">${escaped(name)}</a><p>${escaped(about)}</p></li>`)}
</ul>
</section>
<section aria-labelledby="send">
<h2 id="send">Send a first request</h2>
<p>Paste into a terminal in the folder in which this host was started: it reads the API token there.</p>
${each(
  commands,
  ({ about, line }, index) => `<div class="command">
<label for="command-${index}">${escaped(about)}</label>
<div><textarea id="command-${index}" rows="2" readonly spellcheck="false">${escaped(line)}</textarea>
<button type="button" data-copy="command-${index}" hidden>Copy<span class="unseen">: ${escaped(about)}</span></button></div>
<output></output>
</div>`,
)}
</section>
${gallery('order', 'A customer’s order', 'Each order keeps the design of its customer, and its file is printed from that.', order)}
${gallery('shop', 'The demo shop', 'Products with a design to start from. SVC_DEMO=0 leaves them out of a new database.', products)}
${products.length === 0 ? '<section aria-labelledby="empty"><h2 id="empty">No demo shop</h2><p>SVC_DEMO=1 fills an empty catalog with one.</p></section>' : ''}
</main>
</body>
</html>
`

function gallery(id: string, title: string, about: string, pictures: readonly Picture[]): string {
  if (pictures.length === 0) return ''
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${escaped(title)}</h2>
<p>${escaped(about)}</p>
<ul class="gallery">
${each(pictures, (picture) => `<li><figure><img src="${escaped(picture.url)}" width="${picture.size}" height="${picture.size}" alt="" loading="lazy"><figcaption>${escaped(picture.title)}</figcaption></figure></li>`)}
</ul>
</section>`
}

export const style = `:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #15171a); --card: light-dark(#fff, #1e2125); --line: light-dark(#d5d9de, #3a3f46);
  --text: light-dark(#1b1f24, #e8eaed); --soft: light-dark(#545b64, #a9b1ba); --link: light-dark(#0b57a4, #8ec1ff);
  --good: light-dark(#12652b, #7fd79a); --bad: light-dark(#a4161a, #ff9c9c); --edge: light-dark(#767d86, #7f8790);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
header { padding: .5rem 0 1rem; }
header > p { max-width: 46rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 0 0 .5rem; font-size: 1.15rem; }
p { margin: .25rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin-bottom: 1rem; }
section > p, .cards p { color: var(--soft); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ul { list-style: none; margin: .75rem 0 0; padding: 0; }
.parts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.parts li::before { content: ''; display: inline-block; width: .7em; height: .7em; margin-right: .5em; border-radius: 50%; background: var(--soft); }
.parts .good::before { background: var(--good); }
.parts .bad::before { background: var(--bad); border-radius: 0; }
.parts .bad { color: var(--bad); }
.cards, .gallery { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); }
.cards a { font-weight: 600; }
.cards p { font-size: .9rem; }
.command { margin-top: .75rem; }
.command > div { display: flex; gap: .5rem; align-items: start; }
textarea, button { font: inherit; color: inherit; border: 1px solid var(--edge); border-radius: .375rem; background: var(--page); }
textarea { flex: 1; min-width: 0; padding: .4rem .6rem; resize: vertical; field-sizing: content; font: .875rem/1.5 ui-monospace, monospace; word-break: break-all; }
button { cursor: pointer; padding: .4rem .9rem; font-weight: 600; background: var(--card); }
figure { margin: 0; }
figcaption { margin-top: .25rem; font-size: .95rem; }
img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: .375rem; background: #eef0f2; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }
@media (max-width: 30rem) {
  .gallery { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .command > div { flex-direction: column; }
  .command textarea { align-self: stretch; }
}
`

/** An SVG: browsers go by its type, not by the name that they ask for. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#4f8fd6" d="M11 4 3 8l3 7 3-1v14h14V14l3 1 3-7-8-4c-1 3-9 3-10 0z"/></svg>'

export const script = `'use strict'
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break
  button.hidden = false
  button.addEventListener('click', async () => {
    const said = button.closest('.command').querySelector('output')
    const field = document.getElementById(button.dataset.copy)
    try {
      await navigator.clipboard.writeText(field.value)
      said.textContent = 'Copied.'
    } catch {
      field.select()
      said.textContent = 'Press the keys that copy.'
    }
  })
}
`
