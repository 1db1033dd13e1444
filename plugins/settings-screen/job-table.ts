// The last print jobs on the status page: their orders with customer and picture, their states, and their files.
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { fileTypes } from '../../src/files/file-types.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { hidden } from '../../src/http/schema.ts'
import { orderTexts } from '../../src/orders/listed-names.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { sourceNames } from '../../src/orders/source.ts'
import { orderPage } from '../../src/orders/ticket-page.ts'
import { orderOfJob } from '../../src/orders/whole-order.ts'
import { queryValue } from '../../src/pages/form.ts'
import { table } from '../../src/pages/html.ts'
import { type OrderOfJob, objectOf, orderOf } from '../../src/print/job-data.ts'
import { printFileUrls } from '../../src/print/print-file.ts'
import type { PrintJob } from '../../src/print/print-job-reads.ts'

/** Pixels; twice the width on the page, for screens of high resolution. */
const pictureWidth = 96

/**
 * The table of the last print jobs, with links to their orders on the desk and to their files.
 * @param deskUrl undefined for users who may not open the desk
 */
export async function jobTable(
  context: SvcContext,
  list: readonly PrintJob[],
  deskUrl: string | undefined,
): Promise<Html> {
  if (list.length === 0) return html`<p class="remark">No print jobs.</p>`
  const urls = await printFileUrls(
    list.map(({ file }) => file),
    context.storages,
  )
  const orders = list.map(({ details }) => orderOf(objectOf(details)))
  const textsOf = await orderTexts(ordersOf(context.database, context.cms), orders)
  const rows = list.map((job, i) => {
    const [url, order] = [urls[i], orders[i]]
    const texts = order && textsOf(order)
    const isOnDesk = deskUrl !== undefined && order && Object.hasOwn(sourceNames, order.type)
    const page = isOnDesk
      ? orderPage(deskUrl, { type: order.type, id: order.orderId, item: order.itemId })
      : undefined
    return html`
<tr><td>${order && context.renderer && picture(order)}</td>
<th scope="row">${texts ? html`<strong>${page === undefined ? texts.order : html`<a href="${page}">${texts.order}</a>`}</strong>${texts.item && `, ${texts.item}`} ${texts.customer}` : html`No order <code>${job.guid}</code> `}<p class="remark">Job ${job.id}</p></th>
<td>${timeOf(job.created_at)}</td>
<td><span class="${job.status === 'completed' ? 'on' : job.status === 'failed' ? 'bad' : 'off'}">${job.status || 'none'}</span></td>
<td>${job.error && html`${job.error.message} <code>${job.error.code}</code>`}</td>
<td>${url && html`<a href="${url}" rel="noreferrer noopener" target="_blank">Open<span class="unseen"> the file of job ${job.id}</span></a>`}</td></tr>`
  })
  return table('print jobs', ['Picture', 'Order', 'Created', 'Status', 'Error', 'File'], rows, 'roomy')
}

function picture({ type, orderId, itemId }: OrderOfJob): Html {
  const query = new URLSearchParams({ type, order: orderId, item: String(itemId) })
  return html`<img src="order-picture?${query.toString()}" alt="" width="${pictureWidth / 2}" loading="lazy">`
}

/** Registers the route of the pictures in the table: the first view of an order, small. */
export function orderPictures(app: FastifyInstance, context: SvcContext): void {
  const { database, cms, renderer, printableStatuses } = context
  const printedBy = orderOfJob(ordersOf(database, cms), printableStatuses)
  app.get('/order-picture', {
    schema: hidden,
    // No time limit of a page: that of the renderer is longer.
    handler: async (request, reply) => {
      const [type, orderId] = [queryValue(request, 'type'), queryValue(request, 'order')]
      const itemId = Number(queryValue(request, 'item')) || 0
      const isKnown = /^[a-z]{1,20}$/.test(type) && /^\d{1,15}$/.test(orderId)
      const printed = renderer && isKnown ? await printedBy({ type, orderId, itemId }) : undefined
      if (!renderer || printed === undefined)
        throw new SvcError('rest_no_route', { message: 'There is no such picture.' })
      const design = printed.customization
      const key = hash('sha256', `settings ${pictureWidth} ${design}`)
      const settings = { key, client: `${type} ${orderId}`, view: 0, width: pictureWidth }
      const png = await renderer.preview(design, settings, disconnectSignal(reply))
      return reply.header('cache-control', 'private, max-age=60').type(fileTypes.png.mimeType).send(png)
    },
  })
}
