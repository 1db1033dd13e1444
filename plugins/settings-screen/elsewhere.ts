// Where things are set that administrators search among the settings, but that are no settings of this API.
import { type Html, html } from '../../src/core/html.ts'
import { fold } from '../../src/db/fold.ts'
import { spaced } from '../../src/settings/synonyms.ts'

const host = 'is set up in the program that hosts this API'

/** Terms, and the place where they are set. */
const places: readonly { terms: readonly string[]; hint: Html }[] = [
  {
    terms: ['currency', 'price format', 'decimal', 'decimals', 'rounding', 'separator'],
    hint: html`Currency and price format are settings of WooCommerce (WooCommerce › Settings › General). This API stores none.`,
  },
  {
    terms: ['tax', 'taxes', 'vat'],
    hint: html`Taxes are settings of WooCommerce (WooCommerce › Settings › Tax).`,
  },
  {
    terms: ['shipping', 'payment', 'payments', 'coupon', 'coupons', 'stock', 'inventory', 'minimum order'],
    hint: html`Shipping, payment, coupons and stock are settings of WooCommerce.`,
  },
  {
    terms: ['sender', 'smtp', 'mail template', 'email template'],
    hint: html`WordPress sends the mails. Their sender and templates are settings of WooCommerce (WooCommerce › Settings › Emails).`,
  },
  {
    terms: ['time zone', 'timezone', 'date format', 'site title', 'site language'],
    hint: html`Time zone, date format, title and language of the site are settings of WordPress (Settings › General).`,
  },
  {
    terms: ['bleed', 'margin', 'safe area', 'print area', 'page size', 'paper size', 'format', 'trim'],
    hint: html`Page size, bleed and print area belong to each view of a product: <code>options.output</code> and <code>options.printingBox</code>.`,
  },
  {
    terms: [
      'cmyk',
      'icc',
      'pdf x',
      'color profile',
      'overprint',
      'ink',
      'ink limit',
      'black',
      'crop marks',
      'registration marks',
    ],
    hint: html`<a href="edit-print-output">Color and marks of print files</a> belong to the master print profile.`,
  },
  {
    terms: ['pantone', 'spot', 'spot color', 'spot colors', 'ink', 'palette', 'palettes'],
    hint: html`Spot colors and palettes are in the <a href="edit-color-library">color library</a>.`,
  },
  {
    terms: ['sftp', 'ftp', 'hot folder', 'delivery', 'deliver'],
    hint: html`Delivery of print files ${host}: its option <code>deliver</code> names the folder or SFTP server.`,
  },
  { terms: ['cors', 'rate limit', 'captcha', 'https', 'port', 'timeout'], hint: html`This ${host}.` },
  {
    terms: ['role', 'roles', 'user role', 'permission', 'permissions', 'scope', 'scopes', 'access rights'],
    hint: html`The rights of API clients are those of their <a href="named-tokens">named tokens</a>. Who may open these pages ${host}.`,
  },
]

/** Hints about the terms of a search text that are set in another place; empty if none are. */
export function elsewhere(text: string): Html[] {
  const searched = `${spaced(fold(text))} `
  return places.flatMap(({ terms, hint }) =>
    terms.some((term) => searched.includes(` ${term} `)) ? [hint] : [],
  )
}
