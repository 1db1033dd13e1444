// Recognizes URLs of files in the uploads folder: under any scheme and host name of the site, and behind the image proxy of WordPress.

/** Jetpack's image proxy (Photon): `https://i0.wp.com/<host>/<path>`. */
const proxy = /^i[0-3]\.wp\.com$/
/** Parameters of the proxy that do not change the size of the picture. */
const plainParameters = new Set(['ssl', 'quality', 'strip'])

/** Where the site has its uploads. */
export interface UploadPlaces {
  /** The public URL of the uploads folder; undefined if the host names none. */
  uploadsUrl: string | undefined
  siteUrl: string
  /** Hosts that the site had before, which designs still name. */
  formerHosts?: readonly string[] | undefined
}

/** The path below the uploads folder that a URL names, empty if it cannot be decoded; undefined for other URLs. */
export function uploadKey(
  url: URL,
  { uploadsUrl, siteUrl, formerHosts = [] }: UploadPlaces,
): string | undefined {
  if (uploadsUrl === undefined) return undefined
  const uploads = new URL(`${uploadsUrl}/`)
  const siteHosts = URL.canParse(siteUrl) ? [new URL(siteUrl).host] : []
  const lowerFormerHosts = formerHosts.map((host) => host.toLowerCase())
  const hosts = [uploads.host, ...siteHosts, ...lowerFormerHosts].map(withoutWww)
  const { host, pathname } = proxied(url) ?? url
  if (!hosts.includes(withoutWww(host)) || !pathname.startsWith(uploads.pathname)) return undefined
  try {
    return decodeURIComponent(pathname.slice(uploads.pathname.length))
  } catch {
    return ''
  }
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** The host and path of the original of a proxied picture; undefined for other URLs, and for a picture in another size. */
function proxied({ host, pathname, searchParams }: URL): { host: string; pathname: string } | undefined {
  if (!proxy.test(host) || [...searchParams.keys()].some((name) => !plainParameters.has(name)))
    return undefined
  const [, proxiedHost = '', ...segments] = pathname.split('/')
  return { host: proxiedHost.toLowerCase(), pathname: `/${segments.join('/')}` }
}
