// The frame of every page: title, search, tabs. Links are relative, so that the pages work behind a proxy that moves them.
import { type Html, html } from './html.ts'

export interface Page {
  title: string
  /** If it differs from the title. */
  heading?: string
  /** Slug of the page in the navigation; undefined for pages not in the navigation. */
  current?: string | undefined
  main: Html
  /** Search text. */
  search?: string
}

/** Pages in addition to the tabs; no tab may have one of these slugs. */
export const fixedPages = [
  'status',
  'search',
  'clear-token',
  'named-tokens',
  'revoke-token',
  'screen.css',
  'screen.js',
] as const

const titles = new Map([
  ['addons', 'Add-ons'],
  ['api', 'API'],
  ['woocommerce', 'WooCommerce'],
])

/** `element-properties` becomes `Element Properties`. */
export const titleOf = (slug: string): string =>
  titles.get(slug) ??
  slug.replace(/(^|[-_])(\p{Ll})/gu, (_, gap, first) => (gap ? ' ' : '') + first.toUpperCase())

export const linkTo = (slug: string): string => encodeURIComponent(slug)

export const anchorOf = (id: string): string => `field-${id}`

/** @param tabs undefined for visitors who were not admitted, who get neither search nor navigation */
export function layout(
  tabs: readonly string[] | undefined,
  { title, heading = title, current, main, search = '' }: Page,
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Settings</title>
<link rel="stylesheet" href="screen.css">
<script src="screen.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand">Product customizer</p>
${tabs && searchForm(search)}
</header>
<div class="columns">
${tabs && navigation(tabs, current)}
<main id="main" tabindex="-1">
<h1>${heading}</h1>
${main}
</main>
</div>
</body>
</html>
`
  return page.text
}

const searchForm = (search: string) => html`<form role="search" action="search" method="get">
<label for="q" class="unseen">Search all settings</label>
<input type="search" id="q" name="q" value="${search}" maxlength="200" placeholder="Search all settings">
<button>Search</button>
</form>`

function navigation(tabs: readonly string[], current: string | undefined): Html {
  const link = (slug: string, name: string) =>
    html`<li><a href="${linkTo(slug)}"${slug === current && html` aria-current="page"`}>${name}</a></li>`
  return html`<nav aria-label="Settings"><ul>
${tabs.map((slug) => link(slug, titleOf(slug)))}
${link('named-tokens', 'Named tokens')}
${link('status', 'Status')}
</ul></nav>`
}

/** The result of the last action; screen readers announce problems at once. */
export function notice(kind: 'done' | 'problem', text: Html | string): Html {
  return kind === 'done'
    ? html`<div class="notice done" role="status">${text}</div>`
    : html`<div class="notice problem" role="alert">${text}</div>`
}
