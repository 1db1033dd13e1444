// The frame of each page of the documentation site: header with search, navigation, and the headings of the page.
import { posix } from 'node:path'
import type { Page, Section } from './pages.ts'
import { escapeHtml, type Heading } from './render.ts'

interface Frame {
  page: Page
  html: string
  headings: Heading[]
  sections: Section[]
  version: string
}

function navigation(sections: Section[], page: Page, base: string): string {
  return sections
    .map(({ title, pages }) => {
      const open = pages.includes(page) || title === 'Guides' ? ' open' : ''
      const items = pages.map((entry) => {
        const current = entry === page ? ' aria-current="page"' : ''
        return `<li><a href="${base}${entry.path}"${current}>${escapeHtml(entry.title.replaceAll('`', ''))}</a></li>`
      })
      return `<details${open}><summary>${title}</summary><ul>${items.join('')}</ul></details>`
    })
    .join('\n')
}

function onThisPage(headings: Heading[]): string {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ anchor, html }) => `<li><a href="#${anchor}">${html.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`)
  return items.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page"><b>On this page</b><ul>${items.join('')}</ul></nav>`
}

/** Links to the pages before and after it in its section. */
function neighbours(sections: Section[], page: Page, base: string): string {
  const pages = sections.find((section) => section.pages.includes(page))?.pages ?? []
  const at = pages.indexOf(page)
  const link = (entry: Page | undefined, relation: string, label: string) =>
    entry ? `<a rel="${relation}" href="${base}${entry.path}">${label}: ${escapeHtml(entry.title)}</a>` : ''
  return `<p class="neighbours">${link(pages[at - 1], 'prev', 'Previous')} ${link(pages[at + 1], 'next', 'Next')}</p>`
}

/** Pages load nothing from outside of the site. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

export function framedPage({ page, html, headings, sections, version }: Frame): string {
  const up = posix.relative(posix.dirname(page.path), '.')
  const base = up === '' ? './' : `${up}/`
  const title = escapeHtml(page.title.replaceAll('`', ''))
  const markdown = `${base}${page.source}`
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc-api ${version}</title>
<link rel="stylesheet" href="${base}site.css">
<link rel="alternate" type="text/markdown" href="${markdown}">
<script src="${base}site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${base}index.html">svc-api</a>
<form role="search"><label class="unseen" for="search">Search</label>
<input id="search" type="search" placeholder="Search (/)" autocomplete="off">
<span id="search-status" class="unseen" role="status"></span><ol id="results" hidden></ol></form>
<label class="unseen" for="version">Version</label><select id="version"><option>${version}</option></select>
</header>
<div class="columns">
<nav aria-label="Pages">
${navigation(sections, page, base)}
</nav>
<main id="content">
${html.replace('</h1>', () => `</h1>${onThisPage(headings)}`)}
${neighbours(sections, page, base)}
<footer><a href="${markdown}">This page as Markdown</a> · <a href="${base}llms.txt">llms.txt</a> · <a href="${base}openapi.json">openapi.json</a></footer>
</main>
</div>
</body>
</html>
`
}
