// Markup in which every value is text unless it is markup itself, since what is stored may be anything; and the parts that pages
// are made of: notices, sections, forms, choices, tables, times.

/** Text that is markup already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = string | number | Html | readonly Part[] | false | null | undefined

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

function textOf(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return escaped(String(part))
}

/** Template tag: strings and numbers are escaped, lists are joined, `false`, `null` and `undefined` leave nothing. Quote all attributes. */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(markup.map((text, index) => text + textOf(parts[index])).join(''))
}

/** The result of the last action; screen readers announce problems at once. */
export const notice = (kind: 'done' | 'problem', text: Part): Html =>
  html`<div class="notice ${kind}" role="${kind === 'done' ? 'status' : 'alert'}">${text}</div>`

/** A part of a page under its heading. */
export const section = (id: string, heading: Part, content: Part): Html => html`
<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`

/** @param hidden values by name that are sent beside the fields */
export const postForm = (
  action: string,
  hidden: Readonly<Record<string, string>>,
  content: Part,
  { look, hasFile = false }: { look?: string; hasFile?: boolean } = {},
): Html =>
  html`<form method="post" action="${action}" accept-charset="utf-8"${look && html` class="${look}"`}${hasFile && html` enctype="multipart/form-data"`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${content}</form>`

/** The options of a select. @param words by value */
export const choices = (words: Readonly<Record<string, string>>, chosen = ''): Html[] =>
  Object.entries(words).map(
    ([value, name]) => html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`,
  )

/** A table that scrolls where it is wider than the page. @param of what, for screen readers */
export const table = (
  of: string,
  columns: readonly string[],
  rows: readonly Html[],
  look?: string,
): Html => html`
<div class="wide" tabindex="0" role="region" aria-label="Table of ${of}"><table${look && html` class="${look}"`}>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

/** A time as people read it, in UTC. */
export const timeOf = (iso: string | null): Html =>
  iso ? html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>` : html`–`
