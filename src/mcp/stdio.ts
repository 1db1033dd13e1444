// The transport of `svc-api mcp`: one message per line of stdin and stdout (MCP, transport stdio). The transport of the package would
// parse lines without the limits of `parseMessage`.
import { once } from 'node:events'
import type { JSONRPCMessage, parseJSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { SvcError } from '../core/errors.ts'
import { parseMessage } from './message.ts'

/** Maximum bytes of a message; files are sent by their path. */
const maxLine = 10 * 1024 * 1024
const newline = 10

/** The error for an invalid message (JSON-RPC 2.0 §5.1), whose id is unknown. */
const refusal = (message: string) => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })

/**
 * A transport that closes when stdin ends. It ignores lines that are not JSON, and refuses those with too many values.
 * @param check returns the message, or throws if the value is none
 */
export function stdioTransport(check: typeof parseJSONRPCMessage): Transport {
  const { stdin, stdout } = process
  /** The beginning of a line whose end has not arrived yet, and its bytes. */
  let pending: Buffer[] = []
  let length = 0
  let isClosed = false

  const close = async () => {
    if (isClosed) return
    isClosed = true
    stdin.off('data', onData).off('end', close).off('close', close).off('error', onError).pause()
    stdout.off('error', onLost)
    // Later writes fail, which must not end the process.
    stdout.on('error', () => {})
    transport.onclose?.()
  }
  const onError = (error: Error) => transport.onerror?.(error)
  const onLost = (error: Error) => {
    onError(error)
    void close()
  }
  const onData = (chunk: Buffer) => {
    let remaining = chunk
    for (let end = remaining.indexOf(newline); end >= 0; end = remaining.indexOf(newline)) {
      receive(Buffer.concat([...pending, remaining.subarray(0, end)]).toString())
      pending = []
      length = 0
      remaining = remaining.subarray(end + 1)
    }
    pending.push(remaining)
    length += remaining.length
    if (length > maxLine) onLost(new Error(`A message is longer than ${maxLine} bytes.`))
  }
  const receive = (line: string) => {
    try {
      transport.onmessage?.(check(parseMessage(line)))
    } catch (error) {
      // The line is not JSON.
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
