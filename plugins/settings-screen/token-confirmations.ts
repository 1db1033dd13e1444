// Pages that ask before a token is lost: one clears the API token of the shop, one revokes a named token.
import { SvcError } from '../../src/core/errors.ts'
import { html } from '../../src/core/html.ts'
import { queryValue, valueIn } from '../../src/pages/form.ts'
import { postForm, section } from '../../src/pages/html.ts'
import { tokenKey } from '../../src/settings/token.ts'
import { savedForm } from './saved-form.ts'
import type { Screen } from './screen.ts'
import { expiredForm } from './token-parts.ts'

/** Registers both pages and the posts of their forms. */
export function tokenConfirmationRoutes(screen: Screen): void {
  const { context, settings } = screen
  const { namedTokens } = context

  savedForm(screen, {
    slug: 'clear-token',
    read: () => undefined,
    async show(request, reply, feedback) {
      const group = context.catalog.group('api')
      // The state of the tab, so that a form clears only the token that its page showed.
      const _state = group ? (await settings.group(group)).state : ''
      const warning = html`<p>The token is refused from now on, everywhere within one second. The next request to the API, which still fails, generates a
new one. It is shown in the API tab then. Clients that hold the old one must be updated.</p>`
      const button = html`<p><button class="danger">Rotate token</button> <a href="api">Cancel</a></p>`
      const form = postForm('clear-token', { _form: screen.formToken(request, reply), _state }, button)
      const main = html`${feedback}${section('section-clear', 'Every client needs the new token', [warning, form])}`
      return screen.send(reply, { title: 'Rotate the API token', current: 'api', main })
    },
    save: (_none, precondition) => settings.save({ [tokenKey]: '' }, { precondition }),
    next: 'api?saved=1',
    expired: 'This form was opened too long ago, or by another user. Please confirm again.',
    overtaken: 'Another user has changed settings of the API since you opened this page.',
  })

  savedForm(screen, {
    slug: 'revoke-token',
    read: (form) => valueIn(form, 'name'),
    async show(request, reply, feedback, sent) {
      const name = sent ?? queryValue(request, 'name')
      const exists = (await namedTokens.list()).some((token) => token.name === name)
      if (!exists && sent === undefined)
        throw new SvcError('rest_no_route', { message: 'There is no such token.' })
      const warning = html`<p>The token is refused from now on, everywhere within one second. This cannot be undone.</p>`
      const button = html`<p><button class="danger">Revoke token</button> <a href="named-tokens">Cancel</a></p>`
      const form = postForm('revoke-token', { _form: screen.formToken(request, reply), name }, button)
      const main = html`${feedback}${section('section-revoke', `Revoke “${name}”?`, [warning, form])}`
      return screen.send(reply, { title: 'Revoke token', current: 'named-tokens', main })
    },
    // If another user was faster, the token is revoked in any case.
    save: (name) => namedTokens.revoke(name),
    next: 'named-tokens?revoked=1',
    expired: expiredForm,
  })
}
