// The frame of every page: title, search, navigation. Links are relative, so that the pages work behind a proxy that moves them.
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
  /** What leads from a path that is no page to the folder of the pages, such as `../`. */
  up?: string
}

interface Link {
  slug: string
  name: Html | string
  /** Where it leads, if that is not the page beside this one. */
  href?: string
}

/** What the frame shows to those who were admitted. */
export interface Frame {
  /** Name of the pages in the title. */
  site: string
  /** Undefined for visitors who were not admitted, who get neither search nor navigation. */
  inside?: {
    search: { page: string; label: string } | undefined
    links: readonly Link[]
  }
}

export const linkTo = (slug: string): string => encodeURIComponent(slug)

export function framed(
  { site, inside }: Frame,
  { title, heading = title, current, main, search = '', up = '' }: Page,
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${site}</title>
<link rel="stylesheet" href="${up}screen.css">
<script src="${up}screen.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand">Product customizer</p>
${inside?.search && searchForm(`${up}${inside.search.page}`, inside.search.label, search)}
</header>
<div class="columns">
${inside && navigation(site, inside.links, current, up)}
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

const searchForm = (action: string, label: string, search: string) =>
  html`<form role="search" action="${action}" method="get">
<label for="q" class="unseen">${label}</label>
<input type="search" id="q" name="q" value="${search}" maxlength="200" placeholder="${label}">
<button>Search</button>
</form>`

function navigation(site: string, links: readonly Link[], current: string | undefined, up: string): Html {
  return html`<nav aria-label="${site}"><ul>
${links.map(
  ({ slug, name, href = up + linkTo(slug) }) =>
    html`<li><a href="${href}"${slug === current && html` aria-current="page"`}>${name}</a></li>`,
)}
</ul></nav>`
}
