// The transport of `svc-api mcp`: one message per line of stdin and stdout. Not that of the package, which would parse the
// lines itself.
import { once } from 'node:events'
import type { JSONRPCMessage, parseJSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { SvcError } from '../core/errors.ts'
import { parseMessage } from './message.ts'

/** Largest message in bytes; files are sent by their path. */
const maxLine = 10 * 1024 * 1024
const newline = 10

/** The code of JSON-RPC for a message that is none. Nobody knows which request it was. */
const refusal = (message: string) => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })

/**
 * Serves until stdin ends, which closes it. Lines that are not JSON are ignored, and those with too many values refused.
 * @param check throws an error for other than messages
 */
export function stdioTransport(check: typeof parseJSONRPCMessage): Transport {
  const { stdin, stdout } = process
  let pending: Buffer[] = []
  let length = 0
  let isClosed = false

  const close = async () => {
    if (isClosed) return
    isClosed = true
    stdin.off('data', onData).off('end', close).off('close', close).off('error', onError).pause()
    stdout.off('error', onLost)
    // What is written after this is lost, which is no reason to crash.
    stdout.on('error', () => {})
    transport.onclose?.()
  }
  const onError = (error: Error) => transport.onerror?.(error)
  const onLost = (error: Error) => {
    onError(error)
    void close()
  }
  const onData = (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      receive(Buffer.concat([...pending, rest.subarray(0, end)]).toString())
      pending = []
      length = 0
      rest = rest.subarray(end + 1)
    }
    pending.push(rest)
    length += rest.length
    if (length > maxLine) onLost(new Error(`A message is longer than ${maxLine} bytes.`))
  }
  const receive = (line: string) => {
    try {
      transport.onmessage?.(check(parseMessage(line)))
    } catch (error) {
      if (error instanceof SvcError && error.cause instanceof SyntaxError) return
      if (error instanceof SvcError) stdout.write(`${JSON.stringify(refusal(error.message))}\n`)
      onError(error as Error)
    }
  }

  const transport: Transport = {
    async start() {
      stdin.on('data', onData).on('end', close).on('close', close).on('error', onError)
      stdout.on('error', onLost)
    },
    async send(message: JSONRPCMessage) {
      if (isClosed) throw new Error('The connection is closed.')
      if (!stdout.write(`${JSON.stringify(message)}\n`)) await once(stdout, 'drain')
    },
    close,
  }
  return transport
}
