// The page with all products, part by part, and the check of all of them, which product-check.ts runs. The page of a single product is
// in product-routes.ts.
import type { Product } from '../../src/catalog/product-rows.ts'
import { productsRepository } from '../../src/catalog/products.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { listPageOf } from '../../src/pages/form.ts'
import { section } from '../../src/pages/html.ts'
import { checkLink } from './check-routes.ts'
import { designQuery } from './design-ref.ts'
import type { Desk, FormMaker } from './desk.ts'
import { knownFailure, picture } from './preview-routes.ts'
import type { ProductCheck } from './product-check.ts'
import { productLink } from './product-routes.ts'

const pageSize = 24
const newest = { order_by: 'id', order: 'desc' } as const
const cardFields = new Set(['id', 'title', 'type', 'options'])

/** The page with all products, and the actions that start and stop their check. */
export function productsRoutes(desk: Desk): void {
  const { context } = desk
  const products = productsRepository(context.database, context.totals, context.titles)

  desk.get('/products', 'products:read', async (request, form) => {
    const number = listPageOf(request)
    const query = { ...newest, limit: pageSize, offset: (number - 1) * pageSize }
    const { items, total, unreadable } = await products.list(query, cardFields)
    const unreadableIds = new Set(unreadable.map(({ id }) => id))
    const card = (product: Partial<Product>): Html => {
      const { id = 0, title, type } = product
      const preview = { type: 'product', id, item: 0, view: 0 } as const
      const problem = unreadableIds.has(id) ? 'Its options cannot be read.' : knownFailure(desk, preview)
      const canPreview = context.renderer !== undefined
      const options = { width: 240, alt: `Preview of ${title}`, failure: problem, canPreview }
      return html`<li><div class="thumb">${picture(preview, options)}</div><p class="name"><a href="${productLink(id)}">${title || 'Without a title'}</a></p>
<p class="remark">Product ${id}${type === 'template' && ', template'}</p>${problem && html`<p class="why">${problem}</p>`}<p>${checkLink(designQuery(preview), canPreview, title || `product ${id}`)}</p></li>`
    }
    const link = (page: number, text: string) => html`<a href="products?page=${page}">${text}</a>`
    const main = html`
${context.renderer && checkSection(desk.checks.latest(), form, await desk.timeZone())}
<p class="remark">${total} ${total === 1 ? 'product' : 'products'}, newest first. A product that cannot be drawn says why.</p>
<ul class="gallery">${items.map(card)}</ul>
<p class="pages">${number > 1 && link(number - 1, 'Newer products')} ${number * pageSize < total && link(number + 1, 'Older products')}</p>`
    return { title: 'Products', current: 'products', main }
  })

  const action = { scope: 'products:write', operation: 'check_products' } as const

  desk.post('/check-products', action, async () => {
    if (!context.renderer) throw new SvcError('svc_renderer_off')
    const { total } = await products.list({ ...newest, limit: 1, offset: 0 }, new Set(['id']))
    desk.checks.start(total)
    return 'products'
  })

  desk.post('/stop-check', action, async () => {
    desk.checks.stop()
    return 'products'
  })
}

/** The check of all products: how far it is, or what it has found. */
function checkSection(check: ProductCheck | undefined, form: FormMaker, zone: string): Html {
  const isRunning = check !== undefined && !check.endedAt
  const [action, label] = isRunning ? ['stop-check', 'Stop'] : ['check-products', 'Check all products']
  const main = html`
<div id="check" data-live>${check ? checkResult(check, zone) : html`<p class="remark">Finds missing pictures, missing fonts, and what cannot be printed.</p>`}
${form('products:write', action, {}, html`<button class="${isRunning ? 'danger' : 'main'}">${label}</button>`)}</div>`
  return section('section-check', 'Check before printing', main)
}

function checkResult(check: ProductCheck, zone: string): Html {
  const { total, done, refused, warned, products, endedAt, problem } = check
  const state = endedAt
    ? html`${problem ? `${problem} ` : ''}${done} ${done === 1 ? 'product' : 'products'} checked until ${timeOf(endedAt, zone)}; kept until the server restarts.`
    : html`<progress max="${Math.max(total, done, 1)}" value="${done}" aria-label="Progress of the check"></progress> ${done} of ${total} checked`
  return html`<p>${state}</p>
<p><strong>${refused}</strong> not ready to print, <strong>${warned}</strong> with warnings.</p>
${
  products.length > 0 &&
  html`<details${products.length <= 10 && html` open`}><summary>Findings</summary><ul class="jobs">${products.map(
    ({ id, title, isPrintable, findings }) => html`
<li><div class="what"><p class="name"><a href="${productLink(id)}">${title || 'Without a title'}</a>, product ${id} ${isPrintable ? html`<span class="state">Warnings</span>` : html`<span class="state failed">Not ready to print</span>`}</p>
${findings.map((text) => html`<p class="${isPrintable ? 'remark' : 'why'}">${text}</p>`)}</div></li>`,
  )}</ul></details>`
}`
}
