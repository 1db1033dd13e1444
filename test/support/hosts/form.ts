// Multipart forms as a client sends them, and requests with such a body.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestHost, TestResponse } from './build.ts'
import { token } from './build.ts'

export interface FormPart {
  name: string
  content: Uint8Array | string
  /** Makes the part a file. */
  filename?: string | undefined
  type?: string
}

export const boundary = 'form-of-the-tests'

export function form(parts: readonly FormPart[], mark = boundary): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '%22')}"`
  const chunks = parts.flatMap(({ name, content, filename, type }) => [
    `--${mark}\r\nContent-Disposition: form-data; name=${quoted(name)}`,
    filename === undefined ? '' : `; filename=${quoted(filename)}`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  return Buffer.concat([...chunks, `--${mark}--\r\n`].map((chunk) => Buffer.from(chunk as string)))
}

export const formHeaders = (mark = boundary) => ({ 'content-type': `multipart/form-data; boundary=${mark}` })

export const filePart = (filename: string, content: Uint8Array | string): FormPart => ({
  name: 'file',
  filename,
  content,
  type: 'application/octet-stream',
})

/** Uploads one file without a socket. */
export function upload(
  { call }: Pick<TestHost, 'call'>,
  path: string,
  filename: string,
  content: Uint8Array | string,
  { headers, fields = {} }: { headers?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<TestResponse> {
  const others = Object.entries(fields).map(([name, value]) => ({ name, content: value }))
  return call('POST', path, form([filePart(filename, content), ...others]), { ...formHeaders(), ...headers })
}

interface Wire {
  /** Sends a whole body over a separate socket. */
  post(path: string, body: Uint8Array, headers?: Record<string, string>): Promise<TestResponse>
  port: number
}

/** The same host behind a real socket. */
export async function wire({ app }: Pick<TestHost, 'app'>): Promise<Wire> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    post: (path, body, headers = formHeaders()) =>
      new Promise((resolve, reject) => {
        const sent = request(
          {
            port,
            host: '127.0.0.1',
            method: 'POST',
            path: `/wp-json/svc/v1${path}`,
            agent: false,
            headers: { authorization: `Bearer ${token}`, 'content-length': body.length, ...headers },
          },
          async (response) => {
            const chunks: Buffer[] = []
            for await (const chunk of response) chunks.push(chunk)
            const text = Buffer.concat(chunks).toString()
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as TestResponse['headers'],
              body: JSON.parse(text),
              text,
            })
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
  }
}
