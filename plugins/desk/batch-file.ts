// One file with all chosen items of a batch: a PDF of their designs, or a ZIP of their finished print files.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError, unreadableValue } from '../../src/core/errors.ts'
import { html, type Part } from '../../src/core/html.ts'
import { disconnectSignal } from '../../src/http/disconnect.ts'
import { spotColors } from '../../src/library/stored-colors.ts'
import { itemKey } from '../../src/orders/print-states.ts'
import { orderName } from '../../src/orders/source.ts'
import { type Form, valueIn } from '../../src/pages/scope.ts'
import { bundleFile } from '../../src/print/bundle-file.ts'
import type { DesignPart } from '../../src/renderer/design.ts'
import { type BatchItem, designsIn, outdatedOf } from './batch.ts'
import type { Desk } from './desk.ts'
import { noDesign } from './drawn.ts'
import { attached, timestamp, zipOf } from './file-routes.ts'
import { fileStateOf } from './job-state.ts'

/** The buttons that send a file: each page once, each page as often as there are pieces, or the finished files. */
type FileAct = 'pdf' | 'sheets' | 'zip'

/** Whether a button of the batch sends a file. */
export const isFileAct = (act: string): act is FileAct => ['pdf', 'sheets', 'zip'].includes(act)

interface Sending {
  request: FastifyRequest
  reply: FastifyReply
  form: Form
  /** The address of the batch with these further parameters. */
  back: (more: string) => string
  /** Sends the batch again with its ticks and this problem. */
  again: (status: number, words: Part) => Promise<FastifyReply>
}

/** One file of all items: drawn now, or the finished files of their jobs in a ZIP. */
export async function sendFile(
  desk: Desk,
  act: FileAct,
  chosen: readonly BatchItem[],
  { request, reply, form, back, again }: Sending,
): Promise<FastifyReply> {
  // A file changes nothing, so there is no action for the audit trail.
  desk.assertForm(request, valueIn(form, '_form'))
  if (act === 'zip') {
    const newest = await desk.jobs.newest(chosen.map(({ order }) => order))
    const outdated = await outdatedOf(desk, chosen, newest)
    const isReady = (key: string) => fileStateOf(newest.get(key)) === 'ready' && !outdated.has(key)
    const unfinished = chosen.filter(({ item }) => !isReady(itemKey(item)))
    if (unfinished.length > 0) return reply.redirect(back(`&said=unfinished&count=${unfinished.length}`), 303)
    const zip = await zipOf(
      desk,
      chosen.flatMap(({ item }) => newest.get(itemKey(item)) ?? []),
    )
    return attached(reply, `orders-${timestamp(await desk.timeZone())}.zip`).send(zip)
  }
  const { renderer, options, preflightForm } = desk.context
  if (!renderer) throw new SvcError('svc_renderer_off')
  const parts = await partsOf(desk, chosen)
  if (parts.length === 0) return reply.redirect(back('&said=nothing'), 303)
  const { format: _pdf, ...pdf } = await preflightForm({ output_format: 'svg-pdf' })
  const spots = renderer.isForPress ? await spotColors(options) : []
  const settings = { renderer, isOnSheets: act === 'sheets', spots, ...pdf }
  let file: Readable
  try {
    file = await bundleFile(parts, settings, disconnectSignal(reply))
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'svc_render_refused') throw error
    return again(
      error.statusCode,
      html`${(error.errors ?? [error.message]).map((text) => html`<p>${text}</p>`)}`,
    )
  }
  const name = `${act === 'sheets' ? 'sheets' : 'orders'}-${timestamp(await desk.timeZone())}.pdf`
  return attached(reply, name).send(file)
}

/** The designs of the items, without those of which no pieces are left. */
async function partsOf(desk: Desk, chosen: readonly BatchItem[]): Promise<DesignPart[]> {
  const open = chosen.filter(({ item }) => item.pieces)
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
