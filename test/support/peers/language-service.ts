/** The language service of TypeScript, as an editor asks it: what it shows of a name, and the errors of a program. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'

const root = resolve(import.meta.dirname, '../../..')
const tsconfig = readFileSync(resolve(root, 'tsconfig.json'), 'utf8')

interface Message {
  id?: number
  method?: string
  params?: { items?: unknown[] }
  result?: unknown
  error?: { message: string }
}

interface Diagnostic {
  severity: number
  message: string
}

const headerEnd = '\r\n\r\n'

/** Starts the service, in a folder in which `svc-api` is this package. It ends with the test. */
export async function languageService(t: Test) {
  // Below this package, so that it finds itself by its name.
  const folder = t.testdir({ 'tsconfig.json': tsconfig.replace(/"include": \[.*\]/, '"include": ["*.mts"]') })
  const child = spawn(resolve(root, 'node_modules/.bin/tsc'), ['--lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let requests = 0

  function send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}${headerEnd}${text}`)
  }

  function request(method: string, params: object): Promise<unknown> {
    const id = ++requests
    const response = Promise.withResolvers<unknown>()
    waiting.set(id, response)
    send({ id, method, params })
    return response.promise
  }

  function received({ id, method, params, result, error }: Message): void {
    if (method !== undefined && id !== undefined) {
      // The service asks for settings of the editor, which has none.
      send({ id, result: params?.items?.map(() => null) ?? null })
    } else if (id !== undefined) {
      if (error) waiting.get(id)?.reject(new Error(error.message))
      else waiting.get(id)?.resolve(result)
    }
  }

  let unread = Buffer.alloc(0)
  child.stdout.on('data', (data: Buffer) => {
    unread = Buffer.concat([unread, data])
    for (;;) {
      const end = unread.indexOf(headerEnd)
      if (end < 0) return
      const length = Number(/Content-Length: (\d+)/i.exec(unread.subarray(0, end).toString())?.[1])
      const begin = end + headerEnd.length
      if (unread.length < begin + length) return
      const message = JSON.parse(unread.subarray(begin, begin + length).toString())
      unread = unread.subarray(begin + length)
      received(message)
    }
  })

  await request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] }, diagnostic: {} } },
  })
  send({ method: 'initialized', params: {} })
  let programs = 0

  return {
    /** Opens a program in the editor. */
    open(text: string) {
      const uri = pathToFileURL(`${folder}/program-${++programs}.mts`).href
      const textDocument = { uri, languageId: 'typescript', version: 1, text }
      send({ method: 'textDocument/didOpen', params: { textDocument } })
      return {
        /** What the editor shows when the mouse rests on the first occurrence of the name after `after`. */
        async hover(name: string, after = ''): Promise<string> {
          const start = text.indexOf(after) + after.length
          const offset = start + text.slice(start).search(new RegExp(`\\b${name}\\b`))
          const lines = text.slice(0, offset).split('\n')
          const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
          const found = await request('textDocument/hover', { textDocument: { uri }, position })
          return (found as { contents: { value: string } } | null)?.contents.value ?? ''
        },
        /** Messages of its errors. */
        async errors(): Promise<string[]> {
          const report = await request('textDocument/diagnostic', { textDocument: { uri } })
          const { items } = report as { items: Diagnostic[] }
          return items.filter(({ severity }) => severity === 1).map(({ message }) => message)
        },
      }
    },
  }
}
