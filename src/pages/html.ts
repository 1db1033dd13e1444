// The parts that pages are made of, and the frame of every page. Links are relative, so that the pages work behind a proxy that moves
// them.
import { type Html, html, type Part } from '../core/html.ts'

/** The result of the last action; screen readers announce problems at once. */
export const notice = (kind: 'done' | 'problem', text: Part): Html =>
  html`<div class="notice ${kind}" role="${kind === 'done' ? 'status' : 'alert'}">${text}</div>`

/** A part of a page under its heading. */
export const section = (id: string, heading: Part, content: Part): Html => html`
<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`

/**
 * A form that a plugin of pages receives by POST.
 * @param hidden values by name that are sent beside the fields
 * @param options `className` is a class of the style sheet; `hasFile` whether a field uploads a file
 */
export const postForm = (
  action: string,
  hidden: Readonly<Record<string, string>>,
  content: Part,
  { className, hasFile = false }: { className?: string; hasFile?: boolean } = {},
): Html =>
  html`<form method="post" action="${action}" accept-charset="utf-8"${className && html` class="${className}"`}${hasFile && html` enctype="multipart/form-data"`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${content}</form>`

/** The options of a select. @param labels by value */
export const choices = (labels: Readonly<Record<string, string>>, chosen = ''): Html[] =>
  Object.entries(labels).map(
    ([value, name]) => html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`,
  )

/**
 * A table that scrolls where it is wider than the page.
 * @param contents what the rows are, such as "orders", for screen readers
 * @param className a class of the style sheet
 */
export const table = (
  contents: string,
  columns: readonly string[],
  rows: readonly Html[],
  className?: string,
): Html => html`
<div class="wide" tabindex="0" role="region" aria-label="Table of ${contents}"><table${className && html` class="${className}"`}>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

/** A page without its frame. */
export interface Page {
  title: string
  /** If it differs from the title. */
  heading?: string
  /** Slug of the page in the navigation; undefined for pages not in the navigation. */
  current?: string | undefined
  main: Html
  /** The text in the field of the search. */
  search?: string
  /** The relative path to the folder of the pages, from `pathToFolder`, for a page of an error, whose URL may be any; '' by default. */
  up?: string
}

/** An entry of the navigation. */
interface NavigationLink {
  slug: string
  name: Html | string
  /** Where it leads; by default to the page with the slug, beside this one. */
  href?: string
}

/** What surrounds the pages of one plugin. */
export interface Frame {
  /** Name of the pages in the title. */
  site: string
  /** Undefined for visitors who were not admitted, who get neither search nor navigation. */
  inside?: {
    search: { page: string; label: string } | undefined
    links: readonly NavigationLink[]
    /** Other pages of the app. */
    others?: OtherPages
  }
}

/** Where the other pages of the app are; undefined if there is no such page, or the user may not open it. */
export interface OtherPages {
  homeUrl?: string | undefined
  deskUrl?: string | undefined
  settingsUrl?: string | undefined
  referenceUrl?: string | undefined
}

/** The relative URL of a page by its slug. */
export const linkTo = (slug: string): string => encodeURIComponent(slug)

/** The whole document of a page in its frame, as HTML. */
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
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}screen.css">
<script src="${up}screen.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand">Product customizer</p>
${inside?.others && otherPages(inside.others)}
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

function otherPages({ homeUrl, deskUrl, settingsUrl, referenceUrl }: OtherPages): Html | undefined {
  const pages = [
    { name: 'Home', href: homeUrl },
    { name: 'Desk', href: deskUrl },
    { name: 'Settings', href: settingsUrl },
    { name: 'API reference', href: referenceUrl },
  ].flatMap(({ name, href }) => (href === undefined ? [] : html`<li><a href="${href}">${name}</a></li>`))
  return pages.length === 0 ? undefined : html`<nav aria-label="Other pages"><ul>${pages}</ul></nav>`
}

const searchForm = (action: string, label: string, search: string) =>
  html`<form role="search" action="${action}" method="get">
<label for="q" class="unseen">${label}</label>
<input type="search" id="q" name="q" value="${search}" maxlength="200" placeholder="${label}">
<button>Search</button>
</form>`

function navigation(
  site: string,
  links: readonly NavigationLink[],
  current: string | undefined,
  up: string,
): Html {
  return html`<nav aria-label="${site}"><ul>
${links.map(
  ({ slug, name, href = up + linkTo(slug) }) =>
    html`<li><a href="${href}"${slug === current && html` aria-current="page"`}>${name}</a></li>`,
)}
</ul></nav>`
}
