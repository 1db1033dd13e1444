// The result of an action, shown on the page of the queue or of an order to which it redirects. The parameter `said` of the URL names the text.
import type { FastifyRequest } from 'fastify'
import type { Html } from '../../src/core/html.ts'
import { queryValue } from '../../src/pages/form.ts'
import { notice } from '../../src/pages/html.ts'

/** Why a problem is not stored. */
export const noteMissing = 'A problem needs a note: write what is wrong. Nothing was done.'

const feedbackTexts: Record<string, string> = {
  retried: 'The job was started again.',
  replaced: 'Not retried: a newer job replaced it, or it did not fail.',
  print: 'The print file is being made.',
  printed: 'Marked as printed.',
  reprint: 'Marked for reprint.',
  problem: 'Marked as a problem.',
  to_print: 'Marked as to print.',
  none: 'No order is selected.',
  cancelled: 'The job was cancelled.',
  deliver: 'The file is being delivered again.',
  delivered: 'There is nothing to deliver: the file was delivered, or is no longer stored.',
  variation: 'The product number was changed. Send it to the print provider again.',
  here: 'The shop prints it itself from now on. Make a new print file.',
  ended: 'The job had ended before it could be cancelled.',
}

/** The result of the action that led to this page; undefined if none did. */
export function feedbackIn(request: FastifyRequest): Html | undefined {
  const feedback = queryValue(request, 'said')
  if (feedback === 'note') return notice('problem', noteMissing)
  if (feedback !== 'all')
    return Object.hasOwn(feedbackTexts, feedback) ? notice('done', feedbackTexts[feedback] ?? '') : undefined
  const { count, refused, untried } = countsIn(request)
  const sentences = [
    `${count} ${count === 1 ? 'job was' : 'jobs were'} started again.`,
    refused > 0 && `${refused} could not be started: the reasons are on the pages of their orders.`,
    untried > 0 && `${untried} were not tried in the time of a request: retry the rest.`,
  ]
  return notice(refused + untried > 0 ? 'problem' : 'done', sentences.filter(Boolean).join(' '))
}

/** How many items or jobs an action has worked on, could not work on, and had no time for, as the URL of the next page contains it. */
export function countsIn(request: FastifyRequest) {
  const number = (name: string) => Number(/^\d{1,4}$/.exec(queryValue(request, name))?.[0] ?? 0)
  return { count: number('count'), refused: number('refused'), untried: number('left') }
}
