// Print file servers that misbehave in every way that HTTP's state machine allows, as raw bytes on a socket.
import type { Socket } from 'node:net'

/** What a server does on each connection, after the request or, depending on `at`, immediately. */
export interface OddServer {
  /** Default: once the head of the request has arrived. */
  at?: 'connection'
  tls?: true
  do: (socket: Socket, head: string) => void
  /** Allowed statuses besides 502. */
  or?: string[]
}

const pdf = '%PDF-1.7\nprint me'
const ok = 'HTTP/1.1 200 OK\r\n'
const says =
  (text: string): OddServer['do'] =>
  (socket) =>
    void socket.write(text, 'latin1')
const saysAndEnds =
  (text: string): OddServer['do'] =>
  (socket) =>
    void socket.end(text, 'latin1')

/** Writes the string repeatedly, as fast as it is read or at an interval in milliseconds. */
const repeats =
  (text: string, { first = '', every = 0 } = {}): OddServer['do'] =>
  (socket) => {
    socket.write(first, 'latin1')
    const timer = setInterval(() => {
      if (!socket.writableNeedDrain) socket.write(text, 'latin1')
    }, every)
    socket.on('close', () => clearInterval(timer))
  }

const reset = (socket: Socket) => void socket.resetAndDestroy()

const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n'

export const oddServers: Record<string, OddServer> = {
  '101 with an upgrade': { do: says(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`) },
  '101 with an upgrade and bytes behind it': {
    do: says(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n${pdf}`),
  },
  '101 with an upgrade, half closed': {
    do: saysAndEnds(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}\r\n`),
  },
  '101 without an upgrade': { do: says('HTTP/1.1 101 Switching Protocols\r\n\r\n') },
  '101 with a length': { do: says(`HTTP/1.1 101 x\r\n${upgrade}content-length: 17\r\n\r\n${pdf}`) },
  '101 behind a redirect': {
    do: (socket, head) =>
      void socket.write(
        head.startsWith('GET /again')
          ? `HTTP/1.1 101 x\r\n${upgrade}\r\n`
          : 'HTTP/1.1 302 x\r\nlocation: /again\r\n\r\n',
      ),
  },
  '101 behind an early hint': { do: says(`HTTP/1.1 103 x\r\n\r\nHTTP/1.1 101 x\r\n${upgrade}\r\n`) },
  '200 with an upgrade': { do: says(`${ok}${upgrade}\r\n`) },
  '200 as for CONNECT': { do: says('HTTP/1.1 200 Connection established\r\n\r\n') },
  '426 that asks for an upgrade': { do: says(`HTTP/1.1 426 x\r\n${upgrade}\r\n`) },
  '100 without end': { do: repeats('HTTP/1.1 100 Continue\r\n\r\n') },
  '102 without end': { do: repeats('HTTP/1.1 102 Processing\r\n\r\n') },
  '103 without end': { do: repeats('HTTP/1.1 103 x\r\nlink: </a>\r\n\r\n'.repeat(500)) },
  '103 now and then': { do: repeats('HTTP/1.1 103 x\r\n\r\n', { every: 50 }) },
  '199 without end': { do: repeats('HTTP/1.1 199 x\r\n\r\n') },
  '103 and the end': { do: saysAndEnds('HTTP/1.1 103 x\r\n\r\n') },
  'no word': { do: () => {} },
  'no word, and nothing is read': { at: 'connection', do: (socket) => void socket.pause() },
  'the end before the request': { at: 'connection', do: (socket) => void socket.end() },
  'the end instead of a response': { do: (socket) => void socket.end() },
  'closed before the request': { at: 'connection', do: (socket) => void socket.destroy() },
  'reset before the request': { at: 'connection', do: reset },
  'reset instead of a response': { do: reset },
  'reset behind the head': {
    do: (socket) => void socket.write(`${ok}content-length: 99\r\n\r\n`, () => setTimeout(reset, 20, socket)),
  },
  'reset in the body': {
    do: (socket) =>
      void socket.write(`${ok}content-length: 99\r\n\r\n${pdf}`, () => setTimeout(reset, 20, socket)),
  },
  'half a status line': { do: says('HTTP/1.1 20') },
  'half a status line and the end': { do: saysAndEnds('HTTP/1.1 20') },
  'a head that trickles': { do: repeats('x: y\r\n', { first: ok, every: 20 }) },
  'a head byte by byte': { do: repeats('x', { first: 'HTTP/1.1 200 ', every: 20 }) },
  'a head without end': { do: repeats(`x: ${'y'.repeat(1000)}\r\n`, { first: ok }) },
  'a head and the end': { do: saysAndEnds(`${ok}content-length: 99\r\n`) },
  'a length and no body': { do: says(`${ok}content-length: 99\r\n\r\n`) },
  'a length, and the end before it': { do: saysAndEnds(`${ok}content-length: 99\r\n\r\n${pdf}`) },
  'a length below zero': { do: says(`${ok}content-length: -1\r\n\r\n${pdf}`) },
  'a length that is no number': { do: says(`${ok}content-length: 1e3\r\n\r\n${pdf}`) },
  'a length beyond all numbers': { do: says(`${ok}content-length: ${'9'.repeat(40)}\r\n\r\n${pdf}`) },
  'two lengths': { do: says(`${ok}content-length: 17\r\ncontent-length: 18\r\n\r\n${pdf}`) },
  'a length and chunks': {
    do: says(`${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n11\r\n${pdf}\r\n0\r\n\r\n`),
  },
  'a length of nothing': {
    do: says(`${ok}content-length: 0\r\n\r\n`),
    or: ['svc_print_file_rejected'],
  },
  'a body behind the length': { do: says(`${ok}content-length: 17\r\n\r\n${pdf}${pdf}`), or: ['fetched'] },
  'a whole file and an open connection': {
    do: says(`${ok}connection: keep-alive\r\ncontent-length: 17\r\n\r\n${pdf}`),
    or: ['fetched'],
  },
  'a whole file and an end': { do: saysAndEnds(`${ok}\r\n${pdf}`), or: ['fetched'] },
  'a body without length and without end': { do: says(`${ok}\r\n${pdf}`) },
  'a body that trickles': { do: repeats('.', { first: `${ok}\r\n${pdf}`, every: 20 }) },
  'chunks without a last one': { do: says(`${ok}transfer-encoding: chunked\r\n\r\n11\r\n${pdf}\r\n`) },
  'chunks and the end before the last one': {
    do: saysAndEnds(`${ok}transfer-encoding: chunked\r\n\r\n11\r\n${pdf}\r\n`),
  },
  'a chunk of no size': { do: says(`${ok}transfer-encoding: chunked\r\n\r\nxyz\r\n${pdf}\r\n0\r\n\r\n`) },
  'a chunk larger than it says': {
    do: says(`${ok}transfer-encoding: chunked\r\n\r\n3\r\n${pdf}\r\n0\r\n\r\n`),
  },
  'a chunk beyond all numbers': {
    do: says(`${ok}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n${pdf}`),
  },
  'a chunk extension without end': {
    do: repeats('y'.repeat(1000), { first: `${ok}transfer-encoding: chunked\r\n\r\n11;x=` }),
  },
  'trailers without end': {
    do: repeats('x: y\r\n', {
      first: `${ok}transfer-encoding: chunked\r\ntrailer: x\r\n\r\n11\r\n${pdf}\r\n0\r\n`,
    }),
  },
  'trailers that trickle': {
    do: repeats('x: y\r\n', {
      first: `${ok}transfer-encoding: chunked\r\n\r\n11\r\n${pdf}\r\n0\r\n`,
      every: 20,
    }),
  },
  'chunks in a coding that nobody knows': {
    do: says(`${ok}transfer-encoding: chunked, odd\r\n\r\n11\r\n${pdf}\r\n0\r\n\r\n`),
  },
  '204 with a body': { do: says(`HTTP/1.1 204 x\r\ncontent-length: 17\r\n\r\n${pdf}`) },
  '205 with a body': { do: says(`HTTP/1.1 205 x\r\ncontent-length: 17\r\n\r\n${pdf}`) },
  '206 of a part': { do: says(`HTTP/1.1 206 x\r\ncontent-length: 17\r\n\r\n${pdf}`) },
  '304 with a body': { do: says(`HTTP/1.1 304 x\r\ncontent-length: 17\r\n\r\n${pdf}`) },
  '408 before the request': { at: 'connection', do: saysAndEnds('HTTP/1.1 408 x\r\n\r\n') },
  '200 before the request': {
    at: 'connection',
    do: says(`${ok}content-length: 17\r\n\r\n${pdf}`),
    or: ['fetched'],
  },
  'two responses': { do: says(`${ok}content-length: 17\r\n\r\n${pdf}`.repeat(2)), or: ['fetched'] },
  'an error and then a file': {
    do: says(`HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n${ok}content-length: 17\r\n\r\n${pdf}`),
  },
  'a status of two digits': { do: says(`HTTP/1.1 20 OK\r\n\r\n${pdf}`) },
  'a status of 999': { do: says(`HTTP/1.1 999 x\r\n\r\n${pdf}`) },
  'HTTP/0.9': { do: saysAndEnds(pdf) },
  'HTTP/0.9 left open': { do: says(pdf) },
  'HTTP/2': { do: says('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') },
  'frames of HTTP/2': { do: says('\0\0\x12\x04\0\0\0\0\0') },
  'another protocol': { do: saysAndEnds('SSH-2.0-OpenSSH_9\r\n') },
  'bytes without end that are no HTTP': { do: repeats('\0'.repeat(1000)) },
  'TLS that says nothing': { tls: true, at: 'connection', do: () => {} },
  'TLS of garbage': { tls: true, at: 'connection', do: saysAndEnds('garbage'.repeat(10)) },
  'TLS of garbage without end': { tls: true, at: 'connection', do: repeats('\x16\x03\x01\x40\0\x02') },
  'TLS that is plain HTTP': {
    tls: true,
    at: 'connection',
    do: says(`${ok}content-length: 17\r\n\r\n${pdf}`),
  },
  'TLS that alerts': { tls: true, at: 'connection', do: says('\x15\x03\x03\0\x02\x02\x28') },
  'TLS that closes': { tls: true, at: 'connection', do: (socket) => void socket.end() },
}

/** A body with six bytes on the wire for each byte, as fast as it is read. */
export const chunksOfOneByte: OddServer = {
  do: repeats('1\r\nx\r\n'.repeat(20_000), {
    first: `${ok}transfer-encoding: chunked\r\n\r\n9\r\n%PDF-1.7\n\r\n`,
  }),
}

/** Behaves so on the socket. */
export function behave(socket: Socket, { at, do: act }: OddServer): void {
  // The client, or the behavior itself, closes the connection.
  socket.on('error', () => {}).on('end', () => socket.destroy())
  let head = ''
  if (at === 'connection') act(socket, head)
  const read = (bytes: Buffer) => {
    head += bytes.toString('latin1')
    if (!head.includes('\r\n\r\n')) return
    socket.off('data', read)
    socket.resume()
    act(socket, head)
  }
  if (at !== 'connection') socket.on('data', read)
}
