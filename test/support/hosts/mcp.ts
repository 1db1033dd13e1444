// A host that serves tools for agents, and the official client.
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import { type BuildOptions, build, token } from './build.ts'

/** @param options of `build`; the uploads lie in the test's folder */
export async function servedTools(t: Test, options: BuildOptions = {}) {
  const dir = t.testdir({ uploads: {} })
  const host = await build(t, {
    mcp: true,
    uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
    ...options,
  })
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = host.app.server.address() as AddressInfo
  return { ...host, url: `http://127.0.0.1:${port}/wp-json/svc/v1/mcp` }
}

export async function connected(t: Test, url: string, query = '') {
  const client = new Client({ name: 'test', version: '1.0.0' })
  t.teardown(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + query), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

export interface Result {
  isError?: boolean
  content: { type: string; text: string; data?: string; mimeType?: string }[]
  structuredContent?: { data: Record<string, unknown>; meta?: Record<string, unknown> }
}

export const caller =
  (client: Client) =>
  async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as unknown as Result
