// The entries of a form that could not be saved because something failed: sent back hidden, to be sent again with one button.
import type { FastifyRequest } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { linkTo } from '../../src/pages/frame.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { formOf } from '../../src/pages/scope.ts'
import { namesSecret } from '../../src/settings/keys.ts'

/** Nothing for requests that posted no tab. What was entered for a secret is not sent back: it has to be entered again. */
export function keptForm({ catalog }: SvcContext, request: FastifyRequest): Html | undefined {
  const tab: unknown = Reflect.get(Object(request.params), 'tab')
  const group = catalog.group(String(tab))
  const form = formOf(request)
  if (group?.tab !== tab || form.size === 0) return undefined
  const settings = new Map(
    group?.sections.flatMap((section) => section.settings).map((setting) => [setting.id, setting]),
  )
  const isSecret = (name: string) => {
    const setting = settings.get(name)
    return setting ? setting.secret === true || setting.type === 'password' : namesSecret(name)
  }
  const kept = [...form].filter(([name]) => !isSecret(name))
  const lost = [...form].filter(([name, values]) => isSecret(name) && values.some((value) => value !== ''))
  return html`
<form method="post" action="${linkTo(String(tab))}" accept-charset="utf-8">
${kept.map(([name, values]) =>
  values.map(
    (value) => html`<textarea name="${name}" hidden>
${value}</textarea>`,
  ),
)}
<p>What you entered is kept on this page. As soon as the shop responds, send it again; nothing is saved twice.</p>
${lost.length > 0 && html`<p>Secrets are not kept: enter them again in the tab.</p>`}
<p><button class="main">Save again</button></p>
</form>`
}
