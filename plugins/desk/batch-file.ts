// One file with all chosen items of a batch: a PDF of their designs, or a ZIP of their finished print files.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import { html, type Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { spotColors } from '../../src/library/spot-colors.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { type Form, valueIn } from '../../src/pages/form.ts'
import { bundleFile } from '../../src/print/bundle-file.ts'
import type { DesignPart } from '../../src/renderer/design.ts'
import { type BatchItem, designsIn, outdatedItems } from './batch.ts'
import { noDesign } from './design-ref.ts'
import type { Desk } from './desk.ts'
import { attached, timestamp, zipOf } from './file-routes.ts'
import { fileStateOf } from './job-state.ts'

/** The buttons that send a file: a PDF with each page once, or as often as there are pieces, or a ZIP of the finished files. */
type FileAction = 'pdf' | 'sheets' | 'zip'

/** Whether a button of the batch sends a file. */
export const isFileAction = (action: string): action is FileAction =>
  ['pdf', 'sheets', 'zip'].includes(action)

interface FileRequest {
  request: FastifyRequest
  reply: FastifyReply
  form: Form
  /** Returns the URL of the batch with these further parameters. */
  batchUrl: (more: string) => string
  /** Sends the batch with the entries of the form and this problem. */
  refuse: (status: number, problem: Part) => Promise<FastifyReply>
}

/** Sends the file for a button. Redirects to the batch if there is nothing to send, or not yet. */
export async function sendFile(
  desk: Desk,
  action: FileAction,
  items: readonly BatchItem[],
  fileRequest: FileRequest,
): Promise<FastifyReply> {
  // A file changes nothing, so there is no action for the audit trail.
  desk.assertForm(fileRequest.request, valueIn(fileRequest.form, '_form'))
  if (action === 'zip') return sendZip(desk, items, fileRequest)
  return sendPdf(desk, items, fileRequest, { isOnSheets: action === 'sheets' })
}

/** The finished files, if each item has one of its current design. */
async function sendZip(desk: Desk, items: readonly BatchItem[], { reply, batchUrl }: FileRequest) {
  const newest = await desk.jobs.newest(items.map(({ order }) => order))
  const outdated = await outdatedItems(desk, items, newest)
  const isReady = (key: string) => fileStateOf(newest.get(key)) === 'ready' && !outdated.has(key)
  const unfinished = items.filter(({ item }) => !isReady(itemKey(item)))
  if (unfinished.length > 0)
    return reply.redirect(batchUrl(`&said=unfinished&count=${unfinished.length}`), 303)
  const zip = await zipOf(
    desk,
    items.flatMap(({ item }) => newest.get(itemKey(item)) ?? []),
  )
  return attached(reply, `orders-${timestamp(await desk.timeZone())}.zip`).send(zip)
}

/** The designs, drawn now. */
async function sendPdf(
  desk: Desk,
  items: readonly BatchItem[],
  { reply, batchUrl, refuse }: FileRequest,
  { isOnSheets }: { isOnSheets: boolean },
): Promise<FastifyReply> {
  const { renderer, options, preflightForm } = desk.context
  if (!renderer) throw new SvcError('svc_renderer_off')
  const parts = await partsOf(desk, items)
  if (parts.length === 0) return reply.redirect(batchUrl('&said=nothing'), 303)
  const { format: _pdf, ...pdf } = await preflightForm({ output_format: 'svg-pdf' })
  const spots = renderer.isForPress ? await spotColors(options) : []
  let file: Readable
  try {
    file = await bundleFile(parts, { renderer, isOnSheets, spots, ...pdf }, disconnectSignal(reply))
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'svc_render_refused') throw error
    const problems = error.errors ?? [error.message]
    return refuse(error.statusCode, html`${problems.map((text) => html`<p>${text}</p>`)}`)
  }
  const name = `${isOnSheets ? 'sheets' : 'orders'}-${timestamp(await desk.timeZone())}.pdf`
  return attached(reply, name).send(file)
}

/** The designs of the items, without those of which no pieces are left to print. @throws SvcError 404, 500 for a design that is missing or cannot be read */
async function partsOf(desk: Desk, items: readonly BatchItem[]): Promise<DesignPart[]> {
  const open = items.filter(({ item }) => item.pieces)
  const designs = new Map<string, string>()
  for await (const { key, json, stored } of designsIn(desk, open)) {
    if (json === undefined) throw unreadableValue(stored.location)
    designs.set(key, json)
  }
  return open.map(({ order, item }) => {
    const design = designs.get(itemKey(item))
    if (design === undefined) throw noDesign()
    const title = item.item > 0 ? `${orderName(order)}, item ${item.item}` : orderName(order)
    return { title, copies: item.pieces ?? 0, design }
  })
}
