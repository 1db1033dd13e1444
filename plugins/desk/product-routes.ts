// The gallery of products, page by page: what they look like, and what is wrong with them at a glance.
import { type Product, productsRepository } from '../../src/catalog/products.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import { checkLink } from './check-routes.ts'
import type { Desk } from './desk.ts'
import { drawnQuery } from './drawn.ts'
import { picture } from './picture.ts'
import { knownFailure } from './preview-routes.ts'

const pageSize = 24
const shownFields = new Set(['id', 'title', 'type', 'options'])

export function productRoutes(desk: Desk): void {
  const { context } = desk
  const products = productsRepository(context.database, context.totals)

  desk.get('/products', 'products:read', async (request, reply) => {
    const number = Number(/^[1-9]\d{0,5}$/.exec(queryValue(request, 'page'))?.[0] ?? 1)
    const query = { limit: pageSize, offset: (number - 1) * pageSize, order_by: 'id', order: 'desc' } as const
    const { items, total, unreadable } = await products.list(query, shownFields)
    const lost = new Set(unreadable.map(({ id }) => id))
    const card = (product: Partial<Product>): Html => {
      const { id = 0, title, type } = product
      const preview = { type: 'product', id, item: 0, view: 0 }
      const problem = lost.has(id) ? 'Its options cannot be read.' : knownFailure(context, preview)
      const shown = {
        width: 240,
        alt: `Preview of ${title}`,
        failure: problem,
        canPreview: context.renderer !== undefined,
      }
      return html`<li><div class="thumb">${picture(preview, shown)}</div><p class="name">${title || 'Without a title'}</p>
<p class="remark">Product ${id}${type === 'template' && ', template'}</p>${problem && html`<p class="why">${problem}</p>`}<p>${checkLink(drawnQuery(preview), shown.canPreview, title || `product ${id}`)}</p></li>`
    }
    const link = (page: number, words: string) => html`<a href="products?page=${page}">${words}</a>`
    const main = html`
<p class="remark">${total} ${total === 1 ? 'product' : 'products'}, newest first. A product that cannot be drawn says why.</p>
<ul class="gallery">${items.map(card)}</ul>
<p class="pages">${number > 1 && link(number - 1, 'Newer products')} ${number * pageSize < total && link(number + 1, 'Older products')}</p>`
    return desk.send(request, reply, { title: 'Products', current: 'products', main })
  })
}
