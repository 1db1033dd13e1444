// How orders are named in links and in words.

import type { FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { orderTypes } from '../../src/orders/all-orders.ts'
import type { OrderType } from '../../src/orders/source.ts'
import { html } from '../../src/pages/html.ts'
import { queryValue } from '../../src/pages/scope.ts'
import type { JobView } from '../../src/print/job-overview.ts'

export type PrintState = 'none' | 'waiting' | 'failed' | 'ready'

export const stateNames: Record<PrintState, string> = {
  none: 'No print file',
  waiting: 'Waiting',
  failed: 'Failed',
  ready: 'Ready',
}

export function stateOf(job: JobView | undefined): PrintState {
  if (!job) return 'none'
  if (job.status === 'completed') return 'ready'
  return job.status === 'failed' ? 'failed' : 'waiting'
}

/** The state in words and in color. */
export const stateMark = (state: PrintState, name = stateNames[state]) =>
  html`<span class="state ${state}">${name}</span>`

/** The same of a job, which may be running. */
export function jobMark(job: JobView | undefined) {
  const state = stateOf(job)
  return stateMark(state, state === 'waiting' && job?.isHeld ? 'Running' : undefined)
}

export const typeIn = (text: string): OrderType | undefined => orderTypes.find((type) => type === text)

export const idIn = (text: string): number | undefined =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

/** The order that a page is about. @throws SvcError 404 for a link that names none */
export function orderIn(request: FastifyRequest): { type: OrderType; id: number } {
  return orderNamed(queryValue(request, 'type'), queryValue(request, 'id'))
}

export function orderNamed(type: string, id: string): { type: OrderType; id: number } {
  const [known, number] = [typeIn(type), idIn(id)]
  if (!known || number === undefined)
    throw new SvcError('rest_no_route', { message: 'There is no such order.' })
  return { type: known, id: number }
}

export const orderLink = ({ type, id }: { type: string; id: number | string }) =>
  `order?type=${encodeURIComponent(type)}&id=${encodeURIComponent(id)}`
