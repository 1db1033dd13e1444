// Fetches the OpenAPI document of an API and makes its tools, and sends the requests of their calls.
import { membersOf } from '../core/foreign.ts'
import { fromJson } from '../json/parse.ts'
import { foreignJson } from '../json/untrusted.ts'
import type { ApiDocument } from './document.ts'
import { type ToolResponse, textOf } from './results.ts'
import { type ApiTool, type Mode, type ToolRequest, toolsOf } from './tools.ts'

/** A request with an encoded body. The path is below the REST root. */
export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** Sends a request to the API: over HTTP, or within the process of the host. */
export type Transport = (request: RawRequest) => Promise<ToolResponse>

/** The fields of an upload. `file` is its content: as bytes, or in base64. */
interface FormFile {
  file: string | Uint8Array<ArrayBuffer>
  filename: string
}

/** Maximum number of documents whose tools are cached: they differ by the rights of the sender and by toggles. */
const maxDocuments = 16

/** How tools take files. */
interface UploadForm {
  /** Whether they take the path of a file instead of its content. */
  takesPath: boolean
}

/**
 * Returns a function that returns the tools of the API behind a transport. Each call asks for the document; tools are made again only
 * if its ETag is new. It throws an Error with the message of the response unless that is 200 or 304.
 */
export function apiTools(
  mode: Mode,
  { takesPath }: UploadForm,
): (transport: Transport) => Promise<ApiTool[]> {
  const cache = new Map<string, ApiTool[]>()
  return async (transport) => {
    const response = await transport({
      method: 'GET',
      path: '/svc/v1/openapi.json',
      headers: cache.size > 0 ? { 'if-none-match': [...cache.keys()].join(', ') } : {},
    })
    const etag = response.headers.get('etag') ?? ''
    const cachedTools = cache.get(etag)
    if (response.status === 304 && cachedTools) return cachedTools
    if (response.status !== 200) throw new Error(messageOf(response))
    // The document is made by this project.
    const document = fromJson(textOf(response.bytes)) as ApiDocument
    const tools = toolsOf(document, mode, { takesPath })
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= maxDocuments) cache.delete(oldest)
    if (etag !== '') cache.set(etag, tools)
    return tools
  }
}

/** The message of an error response. */
function messageOf({ status, bytes }: ToolResponse): string {
  const { message = `The API responded ${status}.` } = membersOf(foreignJson(textOf(bytes)))
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
  // The tool requires both properties of a form.
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
