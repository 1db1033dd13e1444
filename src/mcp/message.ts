// Reads a JSON-RPC message. A large one carries a file, which is taken out of it on another thread.
import { SvcError } from '../errors.ts'
import { parseExact } from '../json/exact.ts'
import { extentOf } from '../large-json/scan.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

export interface ReadMessage {
  message: unknown
  /** The argument `file` of a large call, base64-encoded. */
  file?: string
}

/** Messages of one batch, which are all worked on at once. */
const maxMessages = 20

/** Values of a message, counted before it is parsed: they take up to twenty times their bytes in memory. */
const maxValues = 500_000
/** Less deep ones reach their tool, which refuses more than 512 levels with an error that an agent reads. */
const maxDepth = 10_000

/**
 * @param bytes of the body; empty afterwards
 * @throws SvcError 400 for other than JSON, 413 if more than a file is large
 */
export async function readMessage(bytes: Uint8Array<ArrayBuffer>): Promise<ReadMessage> {
  if (bytes.length >= largeFrom) return offThread(import.meta.url, 'parseLargeMessage', bytes)
  const message = parse(bytes)
  if (Array.isArray(message) && message.length > maxMessages)
    throw new SvcError('svc_body_too_large', { message: `A batch may hold ${maxMessages} messages.` })
  return { message }
}

/** Runs on the other thread. */
export function parseLargeMessage(bytes: Uint8Array): ReadMessage {
  const message = parse(bytes)
  const args = Object(Object(Object(message).params).arguments)
  const { file } = args
  if (typeof file !== 'string' || bytes.length - file.length > largeFrom)
    throw new SvcError('svc_body_too_large', { message: 'Only the file of an upload may be this large.' })
  args.file = ''
  return { message, file }
}

function parse(bytes: Uint8Array): unknown {
  const { depth, values } = extentOf(bytes)
  if (depth > maxDepth)
    throw new SvcError('rest_invalid_json', { message: 'The message is nested deeper than 512 levels.' })
  if (values > maxValues)
    throw new SvcError('svc_body_too_large', {
      message: `A message may contain ${maxValues.toLocaleString('en')} values.`,
    })
  try {
    return parseExact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch (cause) {
    throw new SvcError('rest_invalid_json', { cause })
  }
}
