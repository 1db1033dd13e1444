// Clearing the token: asked for once more, because every client must get the new one.
import { type Html, html } from '../../src/pages/html.ts'

/** @param state tag of the tab that the token belongs to, so that nobody clears a token that is not the one that was seen */
export function tokenPage(state: string, formToken: string, notice?: Html): Html {
  return html`
${notice}
<section aria-labelledby="section-clear">
<h2 id="section-clear">Every client needs the new token</h2>
<p>The token is refused from now on, everywhere within one second. The next request to the API, which still fails, generates a
new one. It is shown in the API tab then. Clients that hold the old one must be updated.</p>
<form method="post" action="clear-token" class="confirm">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="_state" value="${state}">
<p><button class="danger">Clear the token</button> <a href="api">Keep it</a></p>
</form>
</section>`
}
