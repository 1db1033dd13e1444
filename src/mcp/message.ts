// Reads a JSON-RPC message. A large one carries a file, which is taken out of it on another thread.
import { SvcError } from '../errors.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'

export interface ReadMessage {
  message: unknown
  /** The argument `file` of a large call, base64-encoded. */
  file?: string
}

/**
 * @param bytes of the body; empty afterwards
 * @throws SvcError 400 for other than JSON, 413 if more than a file is large
 */
export function readMessage(bytes: Uint8Array<ArrayBuffer>): Promise<ReadMessage> {
  if (bytes.length >= largeFrom) return offThread(import.meta.url, 'parseLargeMessage', bytes)
  return Promise.resolve({ message: parse(bytes) })
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
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch (cause) {
    throw new SvcError('rest_invalid_json', { cause })
  }
}
