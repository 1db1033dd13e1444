// The state of the print file of an item, in words and in color.
import { html } from '../../src/core/html.ts'
import type { JobView } from '../../src/print/job-overview.ts'

/** What became of the print file of an item. `waiting` includes jobs that run. */
export type FileState = 'none' | 'waiting' | 'failed' | 'ready'

/** The states in words. */
export const fileStateNames: Record<FileState, string> = {
  none: 'No print file',
  waiting: 'Waiting',
  failed: 'Failed',
  ready: 'Ready',
}

/** The state that the newest job of an item means; none without a job. */
export function fileStateOf(job: JobView | undefined): FileState {
  if (!job) return 'none'
  if (job.status === 'completed') return 'ready'
  return job.status === 'failed' ? 'failed' : 'waiting'
}

/** The state in words and in color. @param name other words for it */
export const fileStateBadge = (state: FileState, name = fileStateNames[state]) =>
  html`<span class="state ${state}">${name}</span>`

/** The state of the newest job of an item in words and in color; a job that is being drawn is shown as running. */
export function jobBadge(job: JobView | undefined) {
  const state = fileStateOf(job)
  return fileStateBadge(state, state === 'waiting' && job?.isRunning ? 'Running' : undefined)
}
