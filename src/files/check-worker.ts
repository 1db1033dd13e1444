// The script of the child processes that check files for accept.ts, one at a time. A rejected file is a result, not an error.
import sharp from 'sharp'
import { serve } from '../workers/child.ts'
import { FileRejected, type RejectionCode } from './rejected.ts'

/** The outcome of a check. At most one of the three is set; a check that returns nothing has an empty outcome. */
export interface CheckOutcome {
  /** What the check returns: the file to store, or undefined if it is stored unchanged. */
  result?: unknown
  /** Why the check rejects the file. */
  rejected?: { message: string; code: RejectionCode }
  /** The stack of any other error, which the file would cause again. */
  broken?: string
}

type Check = (input: never) => unknown

/** The input of the checks of pictures; the other checks get bytes, or a drawing. */
interface PictureInput {
  bytes: Uint8Array
  maxPixels: number
}

// No cache of decoded pictures, and one thread for decoding.
sharp.cache(false)
sharp.concurrency(1)

/** A job for `serve`. Modules are loaded with their first check: checking a font loads no DOM. */
const checked = (load: () => Promise<Check>) => async () => {
  const check = await load()
  return (input: never) => outcomeOf(check, input)
}

serve({
  svg: checked(async () => (await import('./svg/sanitize.ts')).sanitizeSvg),
  drawn: checked(async () => (await import('./svg/measure.ts')).drawOnce),
  pdf: checked(async () => (await import('./pdf/check.ts')).assertPassivePdf),
  ttf: checked(async () => (await import('./font/check.ts')).checkTrueType),
  png: checked(async () => {
    const { encodePng } = await import('./picture/encode.ts')
    return ({ bytes, maxPixels }: PictureInput) => encodePng(bytes, maxPixels)
  }),
  jpeg: checked(async () => {
    const { encodeJpeg } = await import('./picture/encode.ts')
    return ({ bytes, maxPixels }: PictureInput) => encodeJpeg(bytes, maxPixels)
  }),
})

async function outcomeOf(check: Check, input: never): Promise<CheckOutcome> {
  try {
    return { result: await check(input) }
  } catch (error) {
    if (error instanceof FileRejected) return { rejected: { message: error.message, code: error.code } }
    return { broken: describeError(error) }
  }
}

/** The stack trace, with the message only if it cannot quote the file. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, message, stack = '' } = error
  const isSafeToLog = [RangeError, TypeError, URIError].some((kind) => error instanceof kind)
  const lines = stack.split('\n').filter((line) => /^ +at /.test(line))
  return [isSafeToLog ? `${name}: ${message}` : name, ...lines].join('\n')
}
