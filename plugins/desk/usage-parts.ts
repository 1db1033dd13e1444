// Where a font or a picture is used, on the pages that delete it.
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/core/html.ts'
import { sourceNames } from '../../src/orders/source.ts'
import { orderLink } from '../../src/orders/ticket-page.ts'
import type { Usages } from '../../src/orders/usage-search.ts'
import type { Desk } from './desk.ts'
import { productLink } from './product-routes.ts'

/** How many usages are listed; `complete` is no list. */
const countOf = ({ complete: _, ...lists }: Usages): number =>
  Object.values(lists).reduce((sum, list) => sum + list.length, 0)

/** The usages with links to the pages that the visitor may see. */
export function usageList(desk: Desk, request: FastifyRequest, usages: Usages): Html {
  const seesProducts = desk.may(request, 'products:read')
  const seesOrders = desk.may(request, 'orders:read')
  const product = ({ id, title }: Usages['products'][number]) => {
    const name = title || `Product ${id}`
    return seesProducts ? html`<a href="${productLink(id)}">${name}</a>` : name
  }
  const order = ({ type, id }: Usages['orders'][number]) =>
    seesOrders
      ? html`<a href="${orderLink({ type, id })}">${sourceNames[type]} ${id}</a>`
      : `${sourceNames[type]} ${id}`
  const setting = (key: string) => {
    if (key !== 'svc_text_templates') return html`<code>${key}</code>`
    const page = desk.settingsPage(request, 'edit-text-templates')
    return page === undefined ? 'Text templates' : html`<a href="${page}">Text templates</a>`
  }
  const lists = [
    ['Products', usages.products.map(product)],
    ['Orders', usages.orders.map(order)],
    ['Design library', usages.design_categories.map(({ id, title }) => title || `Category ${id}`)],
    ['Print profiles', usages.print_profiles.map(({ id, name }) => name || `Profile ${id}`)],
    ['Layouts', usages.layouts.map(({ id, name }) => name || `Layout ${id}`)],
    ['Settings', usages.settings.map(setting)],
  ] as const
  const rows = lists.flatMap(([name, items]) =>
    items.length === 0
      ? []
      : html`<dt>${name}</dt><dd>${items.map((item, index) => [index > 0 && ', ', item])}</dd>`,
  )
  return html`
${rows.length > 0 ? html`<dl>${rows}</dl>` : html`<p>${usages.complete ? 'Not used in this shop.' : 'No usage was found so far.'}</p>`}
${!usages.complete && html`<p class="remark">The search was cut off, so there may be more usages.</p>`}
<p class="remark">Pages of the CMS and e-mails are not searched.</p>`
}

/** A box to tick and the button that deletes. @param name of what is deleted */
export function deleteParts(name: string, usages: Usages): Html {
  const count = countOf(usages)
  const label = count === 0 ? `Delete ${name}` : `Delete ${name} although it is used`
  return html`<p><label class="box"><input type="checkbox" name="confirmed" value="yes" required> ${label}</label></p>
<p><button class="danger">Delete</button></p>`
}
