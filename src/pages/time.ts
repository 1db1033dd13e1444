// Times on pages.
import { type Html, html } from './html.ts'

/** A time as people read it, in UTC. */
export function timeOf(iso: string | null): Html {
  if (!iso) return html`–`
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`
}
