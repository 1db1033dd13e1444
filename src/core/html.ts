// Markup in which every value is text unless it is markup itself, since what is stored may be anything.

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

/** A time as people read it. @param timeZone of the shop; UTC by default */
export const timeOf = (iso: string | null, timeZone = 'UTC'): Html =>
  iso ? html`<time datetime="${iso}">${localTime(iso, timeZone)}</time>` : html`–`

function localTime(iso: string, timeZone: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime()) || timeZone === 'UTC') return iso.slice(0, 16).replace('T', ' ')
  // Swedish is written as ISO 8601 is.
  const style = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat('sv-SE', style).format(at)
}
