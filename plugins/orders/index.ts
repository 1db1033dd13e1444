// /orders: the customization data of orders, wherever the CMS keeps them. Always on.
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { SvcContext } from '../../src/context.ts'
import { invalidParams, missingParams, SvcError, unreadableValue } from '../../src/errors.ts'
import { ifMatch } from '../../src/http/etag.ts'
import { selectedFields } from '../../src/http/fields.ts'
import { group } from '../../src/http/group.ts'
import { once } from '../../src/http/idempotency.ts'
import { offsetOf, pageMeta, pageOf } from '../../src/http/pagination.ts'
import { created, deleted, ok, pick, sendOne, sendWritten } from '../../src/http/response.ts'
import { answers, Deleted, IdParams } from '../../src/http/schema.ts'
import { itemText, literalKey } from '../../src/orders/customization.ts'
import { type FoundOrder, type OrderType, ordersOf } from '../../src/orders/orders.ts'
import type { ListedOrder as ListedRow } from '../../src/orders/source.ts'
import type { HandedOver } from '../../src/print/export.ts'
import { printFileName, printFileUrl } from '../../src/print/print-file.ts'
import { isReadBack } from '../../src/read-back.ts'
import { type PrintJob, printJobsRepository } from '../../src/repositories/print-jobs.ts'
import {
  ExportJob,
  ListedOrder,
  Order,
  OrderDeleteQuery,
  OrderExport,
  OrderListQuery,
  OrderPatch,
  OrderQuery,
} from './schema.ts'
import { patienceOf } from './waiting.ts'

const tags = ['orders']

/** The order as answered; an item that cannot be read is null and named, but alone it is an error. */
function toFound(orderId: number, type: OrderType, { items, state }: FoundOrder) {
  const lost = items.filter(({ text }) => text === undefined)
  if (lost[0] && items.length === 1) throw unreadableValue(lost[0].found.place)
  return {
    resource: { order_id: orderId, type, items: `[${items.map(itemText).join(',')}]` },
    state,
    unreadable: lost.map(({ found: { itemId, place } }) => ({
      id: itemId ?? orderId,
      column: place.column,
      table: place.table,
    })),
  }
}

/** One item is named where orders have items, and only there. */
function assertItem(type: OrderType, itemId: number | undefined): void {
  if (type === 'wc' && itemId === undefined) throw missingParams(['item_id'])
  assertNoItem(type, itemId)
}

function assertNoItem(type: OrderType, itemId: number | undefined): void {
  if (type !== 'wc' && itemId !== undefined) throw invalidParams({ item_id: 'belongs to type wc only' })
}

export default group('orders', undefined, (app, context) => {
  const { database, totals, storage, exporter, exportWait, metaChanged } = context
  const orders = ordersOf(database, context.cms)
  const withFiles = filesOf(context)

  app.get('/', {
    schema: {
      operationId: 'list_orders',
      tags,
      querystring: OrderListQuery,
      response: answers(200, Type.Array(ListedOrder)),
    },
    handler: async (request, reply) => {
      const selection = selectedFields(request.query, ListedOrder)
      const { type: name = 'wc' } = request.query
      const { type, list } = orders.of(name)
      const page = pageOf(request.query)
      const { search, include } = request.query
      const found = await list({
        search: search || undefined,
        include,
        limit: page.limit,
        offset: offsetOf(page),
      })
      const total = search || include ? found.total() : totals.get(`orders:${type}`, found.total)
      const rows = await withFiles(type, found.orders)
      return ok(
        rows.map((row) => pick(row, selection)),
        { type: name, ...pageMeta(context, request, reply, page, await total) },
      )
    },
  })

  app.get('/:id', {
    schema: {
      operationId: 'get_order',
      tags,
      params: IdParams,
      querystring: OrderQuery,
      response: answers(200, Order),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { item_id: itemId, item_key: itemKey } = request.query
      const selection = selectedFields(request.query, Order)
      const { type, get } = orders.of(request.query.type ?? 'wc')
      const found = toFound(id, type, await get(id, { itemId, itemKey }))
      const part = [selection.key, itemId ?? '', literalKey(itemKey) ?? ''].join('&')
      const representation = part === '&&' ? '' : part
      const data = pick(found.resource, selection)
      return sendOne(request, reply, found, { representation, data, table: database.t.orders })
    },
  })

  app.patch('/:id', {
    schema: {
      operationId: 'update_order',
      tags,
      params: IdParams,
      body: OrderPatch,
      response: answers(200, Order),
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const { item_id: itemId, order } = request.body
      const { type, get, update } = orders.of(request.body.type ?? 'wc')
      assertNoItem(type, itemId)
      const precondition = ifMatch(request)
      const check = precondition && (({ state }: FoundOrder) => precondition(state))
      const { orderId, place, itemKey } = await update(id, itemId, order, check)
      totals.forget()
      if (place) await metaChanged({ table: place.table, objectId: place.objectId, keys: [place.key] })
      if (!isReadBack()) return ok({ order_id: orderId })
      const found = toFound(orderId, type, await get(orderId, { itemKey }))
      return sendWritten(reply, found, '', found.resource)
    },
  })

  app.post('/:id/export', {
    // The service has ten seconds, which is all that other requests have, and the file may take longer.
    config: { patient: true },
    schema: {
      operationId: 'export_order',
      tags,
      params: IdParams,
      body: OrderExport,
      response: answers(201, ExportJob),
    },
    handler: async (request, reply) => {
      const started = performance.now()
      const patience = patienceOf(request, exportWait)
      const { id: orderId } = request.params
      const { type: name = 'wc', item_id: itemId, ...wishes } = request.body
      const { type, get } = orders.of(name)
      assertItem(type, itemId)
      const [item] = (await get(orderId, { itemId })).items
      if (item?.text === undefined)
        throw item ? unreadableValue(item.found.place) : new SvcError('svc_order_data_not_found')
      const customization = item.text
      let handed: HandedOver | undefined
      const hand = async () => {
        handed = await exporter.handOver({ orderId, orderType: type, itemId, customization }, wishes)
        // A key must never give a pending response again: the repeat is what takes the job up.
        return handed.job.status === 'pending' ? undefined : { resource: handed.job }
      }
      const again = async (id: number) => {
        const job = await exporter.job(id)
        handed = job && { job, isExpected: true }
        return job && { resource: job }
      }
      await once(context, request, reply, { make: hand, again })
      if (!handed) throw new SvcError('svc_print_job_not_found')
      totals.forget()
      const left = patience.milliseconds - (performance.now() - started)
      const job = await exporter.outcome(handed, left, hangUpOf(reply))
      if (!job) throw new SvcError('svc_print_job_not_found')
      assertDrawn(job)
      if (patience.applied !== undefined) reply.header('preference-applied', patience.applied)
      created(context, reply, `/print-jobs/${job.guid}`)
      return ok({
        print_job_id: job.guid,
        order_id: orderId,
        order_type: name,
        item_id: itemId ?? null,
        status: job.status,
        file_url: printFileUrl(job.file, storage),
        file: printFileName(job.file),
      })
    },
  })

  app.delete('/:id', {
    schema: {
      operationId: 'delete_order',
      tags,
      params: IdParams,
      querystring: OrderDeleteQuery,
      response: answers(200, Deleted),
    },
    handler: async (request) => {
      const { id } = request.params
      const precondition = ifMatch(request)
      const { remove } = orders.of(request.query.type ?? 'shortcode')
      await remove(id, precondition && (({ state }) => precondition(state)))
      totals.forget()
      return deleted(id)
    },
  })
})

/** What the renderer refuses is told at once, in the words that the job keeps. */
function assertDrawn({ status, error, guid }: PrintJob): void {
  if (status !== 'failed' || error?.code !== 'svc_render_refused') return
  throw new SvcError('svc_render_refused', { message: error.message, data: { print_job_id: guid } })
}

/** Aborts when the connection of the client is gone. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}

/** Adds the address of the newest print file to each listed order, or to each of its items. */
function filesOf({ database, storage }: SvcContext) {
  const jobs = printJobsRepository(database)
  return async (type: OrderType, rows: ListedRow[]) => {
    const files = await jobs.newestFiles(
      type,
      rows.map(({ id }) => id),
    )
    return rows.map(({ order_items, ...row }) => {
      const urlOf = (itemId: number) => printFileUrl(files.get(row.id)?.get(itemId), storage)
      if (!order_items) return { ...row, print_file_url: urlOf(0) }
      return { ...row, order_items: order_items.map((item) => ({ ...item, print_file_url: urlOf(item.id) })) }
    })
  }
}
