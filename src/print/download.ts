// Downloads a print-ready file, or a picture of a design, from an untrusted URL: only from public or trusted servers, at exactly the
// address that was checked, with limited size and time. All failures of the network become the same error, so that a caller cannot
// explore networks.
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../core/errors.ts'
import { step } from '../core/step.ts'
import { outboundSpans } from '../core/trace.ts'
import { storageFull } from '../core/unavailable.ts'
import type { TypeFor } from '../files/file-types.ts'
import { sniffLength } from '../files/sniff.ts'
import { guardedRequest, type Lookup, systemLookupAll } from '../outbound/guarded-request.ts'
import { type FetchBudget, spend } from '../renderer/file-copies.ts'
import { printTypeOf, safeName } from './file-type.ts'
import { checkedUrl, isTrusted, type UrlPolicy } from './file-url.ts'
import { type LocalFile, temporaryFiles } from './temporary-files.ts'

export interface DownloadSettings {
  policy: UrlPolicy
  /** Largest file in bytes, and maximum seconds for the whole download. */
  limits: { bytes: number; seconds: number }
  /** Folder of the files that are not stored yet. */
  tempDir: string
  lookup?: Lookup | undefined
}

/** A complete file on this machine. The caller moves or removes it. */
export interface Downloaded extends LocalFile {
  type: TypeFor<'print'>
  /** Safe file name with the extension of the true type. */
  name: string
}

const maxRedirects = 3
const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'svc-api' }
/** Overhead in bytes allowed beyond twice the file size: headers and chunk framing, which costs time per chunk. */
const maxFraming = 4 * 1024 * 1024

/** Downloads files of one context into its folder of temporary files. */
export function downloader({ policy, limits, tempDir, lookup = systemLookupAll }: DownloadSettings) {
  const { reserve, release, ...files } = temporaryFiles(tempDir, limits.seconds)

  /** The response with status 200, after redirects, each to a URL that is checked like the first. */
  async function follow(first: URL, signal: AbortSignal, budget?: FetchBudget): Promise<IncomingMessage> {
    let url = first
    for (let hop = 0; ; hop++) {
      if (budget && --budget.requests < 0) throw tooManyRequests()
      const span = { purpose: 'print-file', method: 'GET', origin: url.origin } as const
      const response = await outboundSpans.around(span, () =>
        guardedRequest(url, { headers, isTrusted: isTrusted(url, policy), lookup, signal }),
      )
      if (response.statusCode === 200) return response
      response.on('error', () => {}).destroy()
      if (hop === maxRedirects) throw new Error('Too many redirects.')
      url = checkedUrl(redirectTarget(response, url), policy)
    }
  }

  /** Writes the body to `path`. @returns its first bytes, by which its type is recognized */
  async function save(
    response: IncomingMessage,
    path: string,
    signal: AbortSignal,
    budget?: FetchBudget,
  ): Promise<Buffer> {
    if (Number(response.headers['content-length']) > limits.bytes) throw tooLarge(limits.bytes)
    const { socket } = response
    const head = Buffer.alloc(sniffLength)
    let size = 0
    async function* counted(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        if (size < sniffLength) chunk.copy(head, size)
        size += chunk.length
        if (size > limits.bytes) throw tooLarge(limits.bytes)
        if (budget) spend(budget, chunk.length)
        if (socket.bytesRead > 2 * size + maxFraming) throw new Error('The body is mostly framing.')
        yield chunk
      }
    }
    await pipeline(response, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    return head.subarray(0, size)
  }

  /** Downloads to `path`. */
  async function attempt(
    url: URL,
    path: string,
    signal: AbortSignal,
    budget?: FetchBudget,
  ): Promise<Downloaded> {
    const response = await follow(url, signal, budget)
    try {
      const coding = response.headers['content-encoding'] ?? 'identity'
      if (coding !== 'identity') throw new Error('The body has a content coding that was not requested.')
      const type = printTypeOf(await save(response, path, signal, budget))
      if (!type) throw new SvcError('svc_print_file_rejected')
      return { path, type, name: safeName(url, type) }
    } finally {
      response.on('error', () => {}).destroy()
    }
  }

  return {
    ...files,

    /**
     * The parsed URL, if downloads from it are allowed. No name is looked up.
     * @throws SvcError 422
     */
    checkUrl: (text: string) => checkedUrl(text, policy),

    /**
     * Downloads the file into the folder of temporary files.
     * @param budget requests and bytes that remain for all pictures of the design
     * @throws SvcError 413 if it is too large, 422 for its content, 507 if the disk is full, 502 for everything else, also for a
     *   redirect to a URL that is not allowed; then no file is left on the disk
     */
    async fetch(url: URL, stop: AbortSignal, budget?: FetchBudget): Promise<Downloaded> {
      const path = reserve()
      const remove = () => files.discard({ path })
      try {
        return await step({ milliseconds: limits.seconds * 1000, stop, late: remove }, async (signal) => {
          try {
            await mkdir(tempDir, { recursive: true })
            return await attempt(url, path, signal, budget)
          } catch (error) {
            await remove()
            throw error
          }
        })
      } catch (error) {
        release(path)
        if (error instanceof SvcError && error.code !== 'svc_print_file_url_refused') throw error
        throw storageFull(error) ?? new SvcError('svc_print_file_unavailable', { cause: error })
      }
    },
  }
}

export type Downloader = ReturnType<typeof downloader>

/** The target of a redirect. Redirects from https to http are refused. */
function redirectTarget({ statusCode, rawHeaders, headers }: IncomingMessage, from: URL): string {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || location === undefined) {
    throw new Error(`The server responded with ${statusCode}.`)
  }
  const count = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'location').length
  if (count > 1) throw new Error('The response has several Location headers.')
  const target = new URL(location, from)
  if (from.protocol === 'https:' && target.protocol !== 'https:')
    throw new Error('Redirect from https to http.')
  return target.href
}

const tooManyRequests = () =>
  new SvcError('svc_print_file_unavailable', {
    message: 'The pictures of the design need too many requests to other servers.',
  })

const tooLarge = (bytes: number) =>
  new SvcError('svc_print_file_too_large', {
    message: `The print file is larger than ${bytes} bytes, the limit of this installation.`,
  })
