// The API as the MCP server sees it: its document, from which the tools are made, and the requests of their calls.

import { foreignJson } from '../json/foreign.ts'
import { fromJson } from '../json/parse.ts'
import type { ApiDocument } from './document.ts'
import { type ToolResponse, textOf } from './results.ts'
import { type ApiTool, type Mode, type ToolRequest, toolsOf } from './tools.ts'

/** A request as it goes out: a path below the REST root and an encoded body. */
export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

export type Transport = (request: RawRequest) => Promise<ToolResponse>

/** A file of a form. */
interface FormFile {
  file: string | Uint8Array<ArrayBuffer>
  filename: string
}

/** Documents differ by sender and by what is switched on. */
const mostDocuments = 16

/** Makes the tools of the API behind a transport; keeps those of the last documents. */
export function apiTools(mode: Mode, takesPath: boolean): (transport: Transport) => Promise<ApiTool[]> {
  const cache = new Map<string, ApiTool[]>()
  return async (transport) => {
    const response = await transport({
      method: 'GET',
      path: '/svc/v1/openapi.json',
      headers: cache.size > 0 ? { 'if-none-match': [...cache.keys()].join(', ') } : {},
    })
    const etag = response.headers.get('etag') ?? ''
    const same = cache.get(etag)
    if (response.status === 304 && same) return same
    if (response.status !== 200) throw new Error(messageOf(response))
    const tools = toolsOf(fromJson(textOf(response.bytes)) as ApiDocument, mode, takesPath)
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= mostDocuments) cache.delete(oldest)
    if (etag !== '') cache.set(etag, tools)
    return tools
  }
}

function messageOf({ status, bytes }: ToolResponse): string {
  const { message = `The API responded ${status}.` } = Object(foreignJson(textOf(bytes)))
  return String(message)
}

/** Sends the request of a tool through the transport, a form as multipart/form-data. */
export async function sendRequest(transport: Transport, request: ToolRequest): Promise<ToolResponse> {
  const { method, path, body, isForm } = request
  if (body === undefined) return transport({ method, path, headers: {} })
  if (!isForm) {
    const headers = { 'content-type': 'application/json' }
    return transport({ method, path, headers, body: JSON.stringify(body) })
  }
  const encoded = new Response(formOf(body as FormFile))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return transport({ method, path, headers, body: new Uint8Array(await encoded.arrayBuffer()) })
}

function formOf({ file, filename, ...fields }: FormFile): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  const bytes = typeof file === 'string' ? new Uint8Array(Buffer.from(file, 'base64')) : file
  form.append('file', new Blob([bytes]), filename)
  return form
}
