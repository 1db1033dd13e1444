// Decides which URLs of print files and of pictures may be downloaded, by the string alone, before any name is looked up.
import { SvcError } from '../core/errors.ts'
import { hostNameOf } from '../outbound/guarded-request.ts'

/** Which servers files are downloaded from, as the host has configured. */
export interface UrlPolicy {
  /** Pairs `host:port` that may be private; the other two lists do not restrict them. */
  trusted: ReadonlySet<string>
  /** The only allowed names of other servers (`*.router.example` = any name below it); undefined allows all. */
  allowedHosts: readonly string[] | undefined
  /** The only allowed ports of other servers. */
  ports: readonly number[]
  /** What messages call the URL; default `file_url`. */
  urlName?: string
}

const maxLength = 4096

/**
 * The parsed URL.
 * @throws SvcError 422 `svc_print_file_url_refused`
 */
export function checkedUrl(text: string, policy: UrlPolicy): URL {
  const refuse: (reason: string) => never = (reason) => {
    const message = `${policy.urlName ?? 'file_url'} ${reason}.`
    throw new SvcError('svc_print_file_url_refused', { message })
  }
  if (text.length > maxLength) refuse(`must be at most ${maxLength} characters long`)
  // The parser would silently correct whitespace, backslashes and a missing host.
  if (!/^https?:\/\/[^/?#@\\\s\0-\x20\x7f][^\\\s\0-\x20\x7f]*$/i.test(text) || !URL.canParse(text)) {
    refuse('must be an http or https URL')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') refuse('must not contain credentials')
  if (isTrusted(url, policy)) return url
  if (!policy.ports.includes(portOf(url))) refuse(`must use one of the ports ${policy.ports.join(', ')}`)
  if (policy.allowedHosts && !policy.allowedHosts.some((pattern) => isHost(hostNameOf(url), pattern))) {
    refuse('has a host that is not in printReady.allowedHosts')
  }
  return url
}

/** Whether the embedding host trusts this pair of host and port. */
export const isTrusted = (url: URL, { trusted }: UrlPolicy) =>
  trusted.has(`${hostNameOf(url)}:${portOf(url)}`)

const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/**
 * `host:port` in the form in which addresses are compared.
 * @throws Error if it is not such a pair
 */
export function hostPort(pair: string): string {
  const isPair = /^(?:\[[0-9a-f:.]+\]|[^\s/@:?#\\*[\]]+):\d+$/i.test(pair)
  if (!isPair || !URL.canParse(`http://${pair}/`)) {
    throw new Error(`printReady.allow: "${pair}" must be a pair like "router.internal:9000".`)
  }
  const url = new URL(`http://${pair}/`)
  return `${hostNameOf(url)}:${portOf(url)}`
}

function isHost(host: string, pattern: string): boolean {
  const allowed = pattern.toLowerCase()
  return allowed.startsWith('*.')
    ? host.endsWith(allowed.slice(1)) && host.length >= allowed.length
    : host === allowed
}
