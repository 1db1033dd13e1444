// The public URLs of the site and of the REST root, from the configuration of the host.

/** The URL or path without slashes at its end. */
export const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

/** See `siteOf`. */
export type Site = ReturnType<typeof siteOf>

/**
 * The public URLs of the site and of the REST root, without a trailing slash, and the path of the REST root in this app.
 * @param siteUrl option of the host, or else the CMS option `home`
 * @param path of the REST root
 * @throws Error with one sentence if there is no URL or it is invalid
 */
export function siteOf(siteUrl: string | undefined, path: string) {
  if (!siteUrl)
    throw new Error('siteUrl: is required, because the database has no option "home" to derive it from.')
  if (!/^https?:\/\//.test(siteUrl) || !URL.canParse(siteUrl)) {
    throw new Error(`siteUrl: "${siteUrl}" must be an http or https URL.`)
  }
  const url = withoutSlash(siteUrl)
  // A site in a subfolder may have that folder in both siteUrl and baseUrl; the URL contains it once.
  const folder = withoutSlash(new URL(url).pathname)
  const root = folder !== '' && `${path}/`.startsWith(`${folder}/`) ? url.slice(0, -folder.length) : url
  return { url, restBase: root + path, restPath: path }
}

/** The path of the REST root from a checked option: with a leading slash, without a trailing one. */
export const basePath = (baseUrl = '/wp-json') => withoutSlash(baseUrl)
