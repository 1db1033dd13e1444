// Examples of requests and responses, recorded from the demo shop.
import type { Json } from './schemas.ts'

/** The example of an operation's body as a keyword of its media type; nothing if there is none. */
export function examplesOf(_id: string, _part: 'request' | 'response', _type: string): Json {
  return {}
}
