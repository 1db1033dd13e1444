// The page of one product: what each of its views looks like, and what a check of its print finds in it. products-routes.ts lists them.
import { productsRepository } from '../../src/catalog/products.ts'
import { requestTime, within } from '../../src/core/deadline.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { fromJson } from '../../src/json/parse.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import { queryValue } from '../../src/pages/form.ts'
import { section } from '../../src/pages/html.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { reportedTitle } from '../../src/renderer/refusal.ts'
import { type DesignRef, designOf, designQuery, idIn, noDesign, rendererClient } from './design-ref.ts'
import type { Desk } from './desk.ts'
import { findingRows } from './finding-parts.ts'
import { knownFailure, picture } from './preview-routes.ts'

/** Views on one page. */
const maxViews = 50

/** The relative URL of the page of a product. */
export const productLink = (id: number): string => `product?id=${id}`

/** The route of the page of one product, with its views and the result of its check. */
export function productRoutes(desk: Desk): void {
  const { app, context } = desk
  const products = productsRepository(context.database, context.totals, context.titles)

  // Only reading has the time limit of a page: the preflight has a longer one in the renderer.
  app.get('/product', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    const { designRef, title, design } = await within(requestTime.handler, async () => {
      await desk.assertOpen(request, 'products:read')
      const id = idIn(queryValue(request, 'id'))
      const product = id === undefined ? undefined : await products.find(id)
      if (id === undefined || !product) throw noDesign()
      const designRef: DesignRef = { type: 'product', id, item: 0 }
      return { designRef, title: product.resource.title, design: await designOf(desk, designRef) }
    })
    const { renderer } = context
    const settings = { ...(await context.preflightForm()), client: rendererClient(designRef) }
    const result = await renderer
      ?.preflight(design, settings, disconnectSignal(reply))
      .catch((error: unknown) => {
        if (error instanceof SvcError) return error.message
        throw error
      })
    const views = viewsOf(fromJson(design))
    const main = html`<p><a href="products">All products</a></p>
${result !== undefined && summary(designRef, result)}
${views.slice(0, maxViews).map((view, index) => viewSection(desk, designRef, { title: reportedTitle(view.title), index }, result))}
${views.length === 0 && html`<p>This product has no views.</p>`}
${views.length > maxViews && html`<p class="remark">${views.length - maxViews} more views are not shown.</p>`}`
    return desk.send(request, reply, { title: title || `Product ${designRef.id}`, current: 'products', main })
  })
}

/** Whether the product can be printed, and the findings that name no view. @param result the message if it could not be checked */
function summary(designRef: DesignRef, result: Preflight | string): Html {
  if (typeof result === 'string') return html`<div class="notice problem"><p>${result}</p></div>`
  const rows = findingRows(result.findings.filter(({ view }) => view === null))
  const text = result.printable ? 'Ready to print.' : 'Not ready to print.'
  return html`<p class="notice ${result.printable ? 'done' : 'problem'}">${text} <a href="check?${designQuery(designRef)}">Sizes, fonts and what is missing</a></p>${rows}`
}

function viewSection(
  desk: Desk,
  designRef: DesignRef,
  { title, index }: { title: string; index: number },
  result: Preflight | string | undefined,
): Html {
  const preview = { ...designRef, view: index }
  const failure = knownFailure(desk, preview)
  const canPreview = desk.context.renderer !== undefined
  const options = { width: 800, alt: `Preview of ${title}`, failure, canPreview }
  const findings =
    typeof result === 'object' ? findingRows(result.findings.filter(({ view }) => view === title)) : undefined
  const noFindings = typeof result === 'object' && html`<p class="good">No findings.</p>`
  return section(`view-${index}`, title, [
    html`<div class="asset">${picture(preview, options)}</div>`,
    findings ?? noFindings,
  ])
}
