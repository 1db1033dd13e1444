// What the parts of the status page share: states in color, and remedies.
import { type Html, html } from '../../src/core/html.ts'

/** In place of a part that cannot be read. */
export const unreadable = html`<p class="remark">Cannot be read at the moment.</p>`

/** What to do about a component, below its state. */
export const remedy = (text: Html): Html => html`<p class="remark">${text}</p>`

/** A state that needs no action. */
export const good = (text: string): Html => html`<span class="on">${text}</span>`
/** A state that needs a remedy. */
export const bad = (text: string): Html => html`<span class="bad">${text}</span>`
/** A number of failures. */
export const failures = (count: number, text = String(count)): Html => (count === 0 ? good(text) : bad(text))
