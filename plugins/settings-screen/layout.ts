// The settings screen in the frame of all pages: its search and its tabs.
import { type Frame, framed, type OtherPages, type Page } from '../../src/pages/html.ts'

/** Pages in addition to the tabs; no tab may have one of these slugs. */
export const fixedPages = [
  'status',
  'search',
  'clear-token',
  'named-tokens',
  'rotate-token',
  'revoke-token',
  'order-picture',
  'edit-text-templates',
  'edit-color-library',
  'edit-color',
  'edit-palette',
  'import-color-library',
  'edit-print-output',
  'screen.css',
  'screen.js',
] as const

const titles = new Map([
  ['addons', 'Add-ons'],
  ['api', 'API'],
  ['woocommerce', 'WooCommerce'],
])

/** The title of a tab: `element-properties` becomes `Element Properties`. */
export const titleOf = (slug: string): string =>
  titles.get(slug) ??
  slug.replace(/(^|[-_])(\p{Ll})/gu, (_, gap, first) => (gap ? ' ' : '') + first.toUpperCase())

/** The id of an element on a page, to which links lead. */
export const anchorOf = (id: string): string => `field-${id}`

/** The whole document of a page of the screen. @param tabs undefined for visitors who were not admitted */
export const layout = (tabs: readonly string[] | undefined, page: Page, others: OtherPages): string =>
  framed({ site: 'Settings', ...(tabs && { inside: { ...insideOf(tabs), others } }) }, page)

const insideOf = (tabs: readonly string[]): NonNullable<Frame['inside']> => ({
  search: { page: 'search', label: 'Search all settings' },
  links: [
    ...tabs.map((slug) => ({ slug, name: titleOf(slug) })),
    { slug: 'named-tokens', name: 'Named tokens' },
    { slug: 'status', name: 'Status' },
  ],
})
