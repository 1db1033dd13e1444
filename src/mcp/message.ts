// Reads a JSON-RPC message. A large one carries a file, which is taken out of it.
import { SvcError } from '../core/errors.ts'
import { parseExact } from '../json/exact.ts'
import { extentOf } from '../json/text.ts'

/** Messages of one batch, which are all worked on at once. */
const maxMessages = 20

/** Values of a message, counted before it is parsed: they take up to twenty times their bytes in memory. */
const maxValues = 500_000
/** Less deep ones reach their tool, which refuses more than 512 levels with an error that an agent reads. */
const maxDepth = 10_000

/** Bytes of a message, without the file of an upload. */
const maxPlain = 512 * 1024

/**
 * The message, and the argument `file` of a large call, base64-encoded.
 * @throws SvcError 400 for other than JSON, 413 if more than a file is large
 */
export function readMessage(bytes: Uint8Array): { message: unknown; file?: string } {
  const message = parseMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (Array.isArray(message) && message.length > maxMessages)
    throw new SvcError('svc_body_too_large', { message: `A batch may hold ${maxMessages} messages.` })
  if (bytes.length < maxPlain) return { message }
  const args = Object(Object(Object(message).params).arguments)
  const { file } = args
  if (typeof file !== 'string' || bytes.length - file.length > maxPlain)
    throw new SvcError('svc_body_too_large', { message: 'Only the file of an upload may be this large.' })
  args.file = ''
  return { message, file }
}

/** @throws SvcError 400 for other than JSON, 413 for too many values */
export function parseMessage(text: string): unknown {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth)
    throw new SvcError('rest_invalid_json', { message: 'The message is nested deeper than 512 levels.' })
  if (values > maxValues)
    throw new SvcError('svc_body_too_large', {
      message: `A message may contain ${maxValues.toLocaleString('en')} values.`,
    })
  try {
    return withoutNullArguments(parseExact(text))
  } catch (cause) {
    throw new SvcError('rest_invalid_json', { cause })
  }
}

/** Some clients send `"arguments": null` for a tool without parameters, which the package refuses. */
function withoutNullArguments(message: unknown): unknown {
  for (const part of [message].flat()) {
    const params = Object(Object(part).params)
    if (params.arguments === null) delete params.arguments
  }
  return message
}
