// Markdown as HTML, with an anchor for each heading, and as the sections that the search finds.
import { Marked, type Tokens } from 'marked'
import { highlighted } from './highlight.ts'
import { htmlTarget } from './pages.ts'
import type { SearchEntry } from './search.ts'

export interface Heading {
  level: number
  anchor: string
  html: string
}

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Anchors of a page: a repeated heading gets a number. */
function anchors() {
  const uses = new Map<string, number>()
  return (heading: string) => {
    const anchor = anchorOf(heading)
    const count = uses.get(anchor) ?? 0
    uses.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}

export function renderMarkdown(markdown: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = []
  const nextAnchor = anchors()
  const marked = new Marked({
    renderer: {
      heading(html, level, raw) {
        const anchor = nextAnchor(raw)
        headings.push({ level, anchor, html })
        const link =
          level === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`
        return `<h${level} id="${anchor}">${html}${link}</h${level}>\n`
      },
      link: (href, _title, html) => `<a href="${escapeHtml(htmlTarget(href))}">${html}</a>`,
      // A focusable region, because wide tables and code scroll on narrow screens.
      table: (head, body) =>
        `<div class="wide" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`,
      code: (code, language = '') =>
        `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${highlighted(code, language) ?? escapeHtml(code)}\n</code></pre>\n`,
      html: (text) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  })
  return { html: marked.parse(markdown) as string, headings }
}

/** Markdown without its signs: what a reader sees of it. */
const plainText = (markdown: string) =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ |:-]*$/gm, '')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** A page as one entry for each heading with the text below it. */
export function searchEntries(path: string, page: string, markdown: string): SearchEntry[] {
  const entries: SearchEntry[] = []
  const nextAnchor = anchors()
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading
      const anchor = nextAnchor(text)
      entries.push({
        url: depth === 1 ? path : `${path}#${anchor}`,
        page,
        heading: plainText(text),
        text: '',
      })
    } else if (token.type !== 'space' && token.type !== 'html') {
      const entry = entries.at(-1)
      if (entry) entry.text = `${entry.text} ${plainText(token.raw)}`.trim()
    }
  }
  return entries
}
