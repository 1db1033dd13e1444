// Which values of file_url are allowed, decided from the string alone, before any name is looked up.
import { SvcError } from '../errors.ts'

export interface UrlPolicy {
  /** Pairs `host:port` that are trusted although private, whatever the port. */
  trusted: ReadonlySet<string>
  /** The only allowed names (`*.router.example` = any name below it); undefined allows all. */
  allowedHosts: readonly string[] | undefined
  ports: readonly number[]
}

const longest = 4096

/**
 * The parsed URL.
 * @throws SvcError 422 `svc_print_file_url_refused`
 */
export function checkedUrl(text: string, policy: UrlPolicy): URL {
  if (text.length > longest) refuse(`must be at most ${longest} characters long`)
  // The parser would silently correct whitespace, backslashes and a missing host.
  if (!/^https?:\/\/[^/?#@\\\s\0-\x20\x7f][^\\\s\0-\x20\x7f]*$/i.test(text) || !URL.canParse(text)) {
    refuse('must be an http or https URL')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') refuse('must not carry credentials')
  if (isTrusted(url, policy)) return url
  if (!policy.ports.includes(portOf(url))) refuse(`must use one of the ports ${policy.ports.join(', ')}`)
  if (policy.allowedHosts && !policy.allowedHosts.some((pattern) => isHost(hostOf(url), pattern))) {
    refuse('names a host that is not on the list of this installation')
  }
  return url
}

/** Whether the embedding host vouches for this pair of host and port. */
export const isTrusted = (url: URL, { trusted }: UrlPolicy) => trusted.has(`${hostOf(url)}:${portOf(url)}`)

/** The host in lower case, without the dot that may end a full name and without the brackets of IPv6. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$|\.$/g, '')

export const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/**
 * `host:port` in the form in which addresses are compared.
 * @throws Error when it is no such pair
 */
export function hostPort(pair: string): string {
  const plain = /^(?:\[[0-9a-f:.]+\]|[^\s/@:?#\\*[\]]+):\d+$/i.test(pair)
  if (!plain || !URL.canParse(`http://${pair}/`)) {
    throw new Error(`printReady.allow: "${pair}" must be a pair like "router.internal:9000".`)
  }
  const url = new URL(`http://${pair}/`)
  return `${hostOf(url)}:${portOf(url)}`
}

function isHost(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase()
  return wanted.startsWith('*.')
    ? host.endsWith(wanted.slice(1)) && host.length >= wanted.length
    : host === wanted
}

function refuse(reason: string): never {
  throw new SvcError('svc_print_file_url_refused', { message: `file_url ${reason}.` })
}
