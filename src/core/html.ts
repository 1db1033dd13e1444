// A template tag for HTML that escapes every value unless it is markup made by the same tag, because stored values may be anything; and
// times as pages show them.

/** Text that is markup already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value within a template: markup, text to escape, a list of both, or nothing. */
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

/** The template tag. Strings and numbers are escaped, lists joined, `false`, `null` and `undefined` omitted. Quote all attributes. */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(markup.map((text, index) => text + textOf(parts[index])).join(''))
}

/** A time for people, `2026-04-29 10:11`; a dash for null. @param timeZone IANA name of that of the shop; UTC by default */
export const timeOf = (iso: string | null, timeZone = 'UTC'): Html =>
  iso ? html`<time datetime="${iso}">${localTime(iso, timeZone)}</time>` : html`–`

function localTime(iso: string, timeZone: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime()) || timeZone === 'UTC') return iso.slice(0, 16).replace('T', ' ')
  // The Swedish format is that of ISO 8601.
  const style = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat('sv-SE', style).format(time)
}
