// URLs that name files of the uploads folder: under any scheme and host name of the site, and behind the image proxy of WordPress.

/** Jetpack's image proxy (Photon): `https://i0.wp.com/<host>/<path>`. */
const proxy = /^i[0-3]\.wp\.com$/
/** Parameters with which it returns the picture in its own size. */
const plainParameters = new Set(['ssl', 'quality', 'strip'])

export interface UploadPlaces {
  /** Public URL of the uploads folder. */
  uploadsUrl: string | undefined
  siteUrl: string
  /** Hosts that the site had before, which designs still name. */
  formerHosts?: readonly string[] | undefined
}

/** The key below the uploads folder that a URL names, '' if it is not readable; undefined for other URLs. */
export function uploadKey(
  url: URL,
  { uploadsUrl, siteUrl, formerHosts = [] }: UploadPlaces,
): string | undefined {
  if (uploadsUrl === undefined) return undefined
  const uploads = new URL(`${uploadsUrl}/`)
  const ofSite = URL.canParse(siteUrl) ? [new URL(siteUrl).host] : []
  const former = formerHosts.map((host) => host.toLowerCase())
  const hosts = [uploads.host, ...ofSite, ...former].map(withoutWww)
  const { host, pathname } = proxied(url) ?? url
  if (!hosts.includes(withoutWww(host)) || !pathname.startsWith(uploads.pathname)) return undefined
  try {
    return decodeURIComponent(pathname.slice(uploads.pathname.length))
  } catch {
    return ''
  }
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** Undefined if the URL is not one of the proxy, or asks for another size, which the original does not have. */
function proxied({ host, pathname, searchParams }: URL): { host: string; pathname: string } | undefined {
  if (!proxy.test(host) || [...searchParams.keys()].some((name) => !plainParameters.has(name)))
    return undefined
  const [, first = '', ...rest] = pathname.split('/')
  return { host: first.toLowerCase(), pathname: `/${rest.join('/')}` }
}
