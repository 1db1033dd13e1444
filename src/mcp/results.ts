// The result of a tool: the data of the response, cut to a size that an agent can read, or an error with what to do next.
import { parseExact } from '../json/exact.ts'
import type { Json } from './document.ts'
import type { ApiTool } from './tools.ts'

export interface ToolResult {
  [property: string]: unknown
  content: ({ type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string })[]
  structuredContent?: Json
  isError?: boolean
}

/** Response to the request of a tool. */
export interface ToolResponse {
  status: number
  headers: Headers
  /** The body; a large one is empty once it was read. */
  bytes: Uint8Array
}

/** The bytes as a string. */
export const textOf = (bytes: Uint8Array, encoding: 'utf8' | 'base64' = 'utf8'): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding)

/** Characters beyond which a result is cut; the second is for a result whose properties the call named. */
const maxCharacters = 40_000
const maxSelected = 200_000
/** Characters of a picture in base64 beyond which clients refuse it. */
const maxPicture = 900_000

/** What the results of a call need to know about it. */
export interface Called extends Pick<ApiTool, 'list' | 'rest'> {
  /** Whether the call named the properties. */
  isSelected: boolean
}

/** Bytes of the largest response that is parsed to be cut. */
const maxParsed = 8 * 1024 * 1024

/** The result of a tool. */
export function resultOf(called: Called, { status, headers, bytes }: ToolResponse): ToolResult {
  const mimeType = /^image\/\w+/.exec(headers.get('content-type') ?? '')?.[0]
  if (mimeType) return picture(mimeType, bytes)
  if (bytes.length > maxParsed)
    return refusal(`The result has ${bytes.length} bytes. ${called.rest} Or it can be read over REST.`)
  const text = textOf(bytes)
  const body = parse(text)
  if (status >= 400 || body === undefined)
    return failure(called.list, status, headers.get('retry-after'), text, body)
  const { data, meta } = body
  const result = { data, ...(meta === undefined ? {} : { meta: meta as Json }) }
  const length = JSON.stringify(result).length
  const most = called.isSelected && !Array.isArray(data) ? maxSelected : maxCharacters
  if (length <= most) return success(result)
  const truncated = (what: string, rest = called.rest) => ({
    ...result.meta,
    truncated: `The result had ${length} characters. ${what} ${rest}`,
  })
  return success(
    Array.isArray(data) ? cutList(data, truncated) : cutObject(Object(data), length, most, truncated),
  )
}

function picture(mimeType: string, bytes: Uint8Array): ToolResult {
  const length = Math.ceil(bytes.length / 3) * 4
  if (length <= maxPicture) return { content: [{ type: 'image', data: textOf(bytes, 'base64'), mimeType }] }
  return refusal(`The picture has ${length} characters in base64. Call again with a smaller width.`)
}

const success = (structuredContent: Json): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** A result whose call never became a request. */
export const refusal = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

type Truncated = (what: string, rest?: string) => Json

function cutList(data: unknown[], truncated: Truncated): Json {
  let size = 0
  const items = data.filter((item) => {
    size += JSON.stringify(item).length
    return size <= maxCharacters
  })
  return { data: items, meta: truncated(`These are the first ${items.length} of ${data.length} items.`) }
}

/** The object without its largest properties. */
function cutObject(data: Json, length: number, most: number, truncated: Truncated): Json {
  const remaining = { ...data }
  const bySize = Object.entries(remaining)
    .map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.size - a.size)
  let remainingLength = length
  const out: string[] = []
  for (const { name, size } of bySize) {
    if (remainingLength <= most) break
    delete remaining[name]
    out.push(name)
    remainingLength -= size
  }
  const isHopeless = bySize.some(({ size }) => size > maxSelected)
  const rest = isHopeless ? 'The largest is too large for any tool, and can be read over REST.' : undefined
  return { data: remaining, meta: truncated(`Left out: ${out.join(', ')}.`, rest) }
}

function failure(
  list: string | undefined,
  status: number,
  retryAfter: string | null,
  text: string,
  body: Json | undefined,
): ToolResult {
  const message =
    typeof body?.message === 'string' ? body.message : `The API responded ${status}: ${text.slice(0, 200)}`
  const details = [body?.errors, Object(body?.data).params]
    .filter((detail) => !Object.values(Object(detail)).every((reason) => message.includes(String(reason))))
    .map((detail) => JSON.stringify(detail))
  const hint = hintFor(status, String(body?.code), list, retryAfter)
  return refusal([message, ...details, hint].filter(Boolean).join('\n'))
}

/** What to do next. */
function hintFor(status: number, code: string, list: string | undefined, retryAfter: string | null): string {
  if (code === 'rest_no_route')
    return 'This group may be switched off; get_system_info lists the active ones.'
  switch (status) {
    case 400:
    case 422:
      return 'Correct this and call again.'
    case 401:
    case 403:
      return 'The token of this server is missing or invalid; ask its operator.'
    case 404:
      return list === undefined ? 'Nothing has this id.' : `${list} gives the ids that there are.`
    case 409:
      return retryAfter === null ? 'Resolve the conflict first.' : `Call again in ${retryAfter} seconds.`
    case 412:
      return 'It has changed in the meantime: read it again.'
    case 413:
      return 'Ask for fewer rows, or for single properties with fields.'
    case 502:
    case 503:
      return `Call again in ${retryAfter ?? 5} seconds.`
    default:
      return ''
  }
}

function parse(text: string): Json | undefined {
  try {
    const value = parseExact(text)
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
