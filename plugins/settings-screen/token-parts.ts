// What the pages of named tokens share: the new token, times, and the message for a form that is too old.
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { section } from '../../src/pages/html.ts'
import { copied } from './controls.ts'

/** The message for a form whose hidden token has expired, or belongs to another user. */
export const expiredForm =
  'This form was opened too long ago, or by another user. Nothing was changed: please send it again.'

/** The section that shows a new token, with a button that copies it. The token cannot be shown again. */
export const newTokenSection = ({ name, token }: { name: string; token: string }): Html =>
  section('section-made', `The token “${name}”`, [
    html`<p><label for="made">Copy it now: it is shown this once, and only its hash is stored.</label></p>`,
    copied('made', token),
  ])

/** A time in UTC. @param seconds Unix time */
export const utcTime = (seconds: number): Html => html`${timeOf(new Date(seconds * 1000).toISOString())} UTC`
