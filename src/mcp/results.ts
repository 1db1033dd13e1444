// Turns a response of the API into the result of a tool: its data, cut to a size that an agent can read, or an error with a hint.
import { membersOf } from '../core/foreign.ts'
import { parseExact } from '../json/parse.ts'
import type { Json } from './document.ts'
import type { ApiTool } from './tools.ts'

/** The result of a tool (MCP `CallToolResult`). */
export interface ToolResult {
  [property: string]: unknown
  content: ({ type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string })[]
  structuredContent?: Json
  isError?: boolean
}

/** The response of the API to the request of a tool. */
export interface ToolResponse {
  status: number
  headers: Headers
  /** The body. */
  bytes: Uint8Array
}

/** The bytes as a string. */
export const textOf = (bytes: Uint8Array, encoding: 'utf8' | 'base64' = 'utf8'): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding)

/** Maximum characters of a result; a longer one is cut. */
const maxCharacters = 40_000
/** The same for one resource, if the call named the properties to return. */
const maxSelected = 200_000
/** Maximum characters of a picture in base64; clients refuse a longer one. */
const maxPicture = 900_000

/** A call of a tool, as far as its result depends on it. */
export interface ToolCall extends Pick<ApiTool, 'listTool' | 'restHint'> {
  /** Whether the call named the properties. */
  isSelected: boolean
}

/** Maximum bytes of a response that is parsed at all; the result of a larger one is an error. */
const maxParsed = 8 * 1024 * 1024

/** The result of a call. */
export function resultOf(call: ToolCall, { status, headers, bytes }: ToolResponse): ToolResult {
  const mimeType = /^image\/\w+/.exec(headers.get('content-type') ?? '')?.[0]
  if (mimeType) return picture(mimeType, bytes)
  if (bytes.length > maxParsed)
    return refusal(`The result has ${bytes.length} bytes. ${call.restHint} Or it can be read over REST.`)
  const text = textOf(bytes)
  const body = parse(text)
  if (status >= 400 || body === undefined)
    return failure({ status, retryAfter: headers.get('retry-after'), text, body, listTool: call.listTool })
  const { data, meta } = body
  const result = { data, ...(meta === undefined ? {} : { meta: meta as Json }) }
  const length = JSON.stringify(result).length
  const maxLength = call.isSelected && !Array.isArray(data) ? maxSelected : maxCharacters
  if (length <= maxLength) return success(result)
  const {
    cutData,
    summary,
    hint = call.restHint,
  } = Array.isArray(data) ? cutList(data) : cutObject(membersOf(data), length, maxLength)
  const truncated = `The result had ${length} characters. ${summary} ${hint}`
  return success({ data: cutData, meta: { ...result.meta, truncated } })
}

function picture(mimeType: string, bytes: Uint8Array): ToolResult {
  const length = Math.ceil(bytes.length / 3) * 4
  if (length <= maxPicture) return { content: [{ type: 'image', data: textOf(bytes, 'base64'), mimeType }] }
  return refusal(`The picture has ${length} characters in base64. Call again with a smaller width.`)
}

/** A result with data, for clients with and without structured content. */
const success = (structuredContent: Json): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** A result that reports an error. */
export const refusal = (text: string): ToolResult => ({ isError: true, content: [{ type: 'text', text }] })

/** Data that was cut. */
interface CutData {
  cutData: unknown
  /** A sentence about the remaining data. */
  summary: string
  /** A sentence about how to get the rest, if it is not that of the tool. */
  hint?: string | undefined
}

/** The first items of a list that have `maxCharacters` together. */
function cutList(data: unknown[]): CutData {
  let size = 0
  const items = data.filter((item) => {
    size += JSON.stringify(item).length
    return size <= maxCharacters
  })
  return { cutData: items, summary: `These are the first ${items.length} of ${data.length} items.` }
}

/** The object without as many of its largest properties as are too much. @param length of the JSON text of the whole result */
function cutObject(data: Json, length: number, maxLength: number): CutData {
  const remaining = { ...data }
  const bySize = Object.entries(remaining)
    .map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.size - a.size)
  let remainingLength = length
  const omitted: string[] = []
  for (const { name, size } of bySize) {
    if (remainingLength <= maxLength) break
    delete remaining[name]
    omitted.push(name)
    remainingLength -= size
  }
  const isTooLargeAlone = bySize.some(({ size }) => size > maxSelected)
  const hint = isTooLargeAlone
    ? 'The largest is too large for any tool, and can be read over REST.'
    : undefined
  return { cutData: remaining, summary: `Left out: ${omitted.join(', ')}.`, hint }
}

/** An error response of the API. */
interface ErrorResponse {
  status: number
  /** The header Retry-After. */
  retryAfter: string | null
  /** The body. */
  text: string
  /** The parsed body; undefined if it is no JSON object. */
  body: Json | undefined
  /** See `ApiTool.listTool`. */
  listTool: string | undefined
}

/** A result that reports an error of the API: its message, its details, and what to do next. */
function failure({ status, retryAfter, text, body, listTool }: ErrorResponse): ToolResult {
  const message =
    typeof body?.message === 'string' ? body.message : `The API responded ${status}: ${text.slice(0, 200)}`
  const details = [body?.errors, membersOf(body?.data).params]
    .filter((detail) => !Object.values(membersOf(detail)).every((reason) => message.includes(String(reason))))
    .map((detail) => JSON.stringify(detail))
  const hint = hintFor(status, String(body?.code), listTool, retryAfter)
  return refusal([message, ...details, hint].filter(Boolean).join('\n'))
}

/** What the agent can do next; '' if there is no advice. */
function hintFor(
  status: number,
  code: string,
  listTool: string | undefined,
  retryAfter: string | null,
): string {
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
      return listTool === undefined ? 'Nothing has this id.' : `${listTool} gives the ids that there are.`
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

/** The JSON object in the text; undefined for anything else. */
function parse(text: string): Json | undefined {
  try {
    const value = parseExact(text)
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
