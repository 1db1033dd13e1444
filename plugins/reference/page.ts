// What the reference page adds to Swagger UI: its frame, and a form for the token.
import { type Html, html } from '../../src/core/html.ts'
import type { OtherPages } from '../../src/pages/html.ts'

function otherPages({ homeUrl, deskUrl, settingsUrl }: OtherPages): Html | undefined {
  const links = Object.entries({ Home: homeUrl, Desk: deskUrl, Settings: settingsUrl }).flatMap(
    ([name, href]) => (href === undefined ? [] : html`<a href="${href}">${name}</a> `),
  )
  return links.length === 0 ? undefined : html`<nav aria-label="Other pages">${links}</nav>\n`
}

/** The document of the page. @param prefix path of the page, without a slash at the end */
export const page = (title: string, prefix: string, links: OtherPages): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/swagger-ui.css">
<link rel="stylesheet" href="${prefix}/reference.css">
</head>
<body>
${otherPages(links)}<main>
<form id="access">
<h1>${title}</h1>
<p>Enter an API token to see and try the operations. The token stays in this page until you close or reload it.</p>
<label for="token">API token</label>
<div class="row"><input id="token" type="password" autocomplete="off" required><button>Load</button></div>
<p id="problem" role="alert"></p>
</form>
<div id="reference"></div>
</main>
<script src="${prefix}/swagger-ui-bundle.js"></script>
<script src="${prefix}/reference.js"></script>
</body>
</html>
`.text

/** The text of the style sheet. */
export const style = `:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#fff, #1c2022); color: light-dark(#1b1f24, #e8eaed) }
nav { font: 16px/1.5 system-ui, sans-serif; display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 1rem 0 }
nav a { color: light-dark(#0b57a4, #8ec1ff) }
#access { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
#access .row { display: flex; gap: .5rem }
#access :is(input, button) { font: inherit; padding: .4rem .9rem; border: 1px solid light-dark(#767d86, #7f8790); border-radius: .375rem }
#access input { flex: 1; min-width: 0; background: light-dark(#fff, #14171a); color: inherit }
#access button { font-weight: 600; cursor: pointer; background: light-dark(#0b57a4, #8ec1ff); color: light-dark(#fff, #0d1b2a); border-color: transparent }
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: .25rem 0 0 }
  .swagger-ui .opblock-tag .expand-operation { margin-left: auto }
}
#problem { color: light-dark(#b00020, #ff9c9c) }
`

/** Loads the document with the token; tried requests go to this page's own origin, whatever the site's public URL is. */
export const script = (documentPath: string) => `'use strict'
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
const form = document.getElementById('access')
const problem = document.getElementById('problem')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.textContent = ''
  const token = document.getElementById('token').value.trim()
  const path = ${JSON.stringify(documentPath)}
  try {
    const response = await fetch(path, { headers: { authorization: 'Bearer ' + token } })
    const spec = await response.json()
    if (!response.ok) throw new Error(spec.message)
    spec.servers = [{ url: path.slice(0, path.lastIndexOf('/svc/v1/')) }]
    const ui = SwaggerUIBundle({
      spec,
      domNode: document.getElementById('reference'),
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      validatorUrl: null,
      onComplete: () => ui.preauthorizeApiKey('svcToken', token),
    })
    form.hidden = true
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : 'The document could not be loaded.'
  }
})
`
