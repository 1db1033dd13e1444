// Reads a JSON-RPC 2.0 message. A large one may contain a file, which is taken out of it so that it is not copied.
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { parseExact } from '../json/parse.ts'
import { extentOf } from '../json/text.ts'
import { isObject } from '../json/values.ts'

/** Maximum messages of a batch, which are processed at the same time. */
const maxMessages = 20

/** Maximum values of a message, counted before it is parsed: they take up to twenty times their bytes in memory. */
const maxValues = 500_000
/** Levels that the parser can take. Tools refuse more than 512 levels themselves, with an error that an agent can read. */
const maxDepth = 10_000

/** Maximum bytes of a message without the file of an upload. */
const maxPlain = 512 * 1024

/**
 * Parses a message. From a message of `maxPlain` bytes or more it takes the argument `file`, which is in base64, and leaves '' there.
 * @throws SvcError 400 for other than JSON, 413 if the message is large without its file
 */
export function readMessage(bytes: Uint8Array): { message: unknown; file?: string } {
  const message = parseMessage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (Array.isArray(message) && message.length > maxMessages)
    throw new SvcError('svc_body_too_large', { message: `A batch may hold ${maxMessages} messages.` })
  if (bytes.length < maxPlain) return { message }
  const { arguments: args } = membersOf(membersOf(message).params)
  const file = isObject(args) ? args.file : undefined
  if (!isObject(args) || typeof file !== 'string' || bytes.length - file.length > maxPlain)
    throw new SvcError('svc_body_too_large', { message: 'Only the file of an upload may be this large.' })
  args.file = ''
  return { message, file }
}

/** The parsed message. @throws SvcError 400 for other than JSON, 413 for too many values */
export function parseMessage(text: string): unknown {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  // The message names the limit of tools, which a sender has to keep.
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

/** The message without `"arguments": null`, which some clients send for a tool without parameters, and the package refuses. */
function withoutNullArguments(message: unknown): unknown {
  for (const call of [message].flat()) {
    const { params } = membersOf(call)
    if (isObject(params) && params.arguments === null) delete params.arguments
  }
  return message
}
