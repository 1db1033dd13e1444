// Checks the size of pictures: limits of the decoders refuse one, limits that a shop sets for print only warn.

/** Default of `renderer.pictureMegapixels`: the largest picture that is uploaded or printed. */
export const standardMegapixels = 120
/** The same in pixels. */
export const standardPixels = standardMegapixels * 1e6

/** The most pixels of a picture that is embedded in a drawing. */
export const maxEmbeddedPixels = 50_000_000

/**
 * The most segments, blocks or chunks of a picture that is embedded in a drawing. Ordinary pictures have dozens, animated ones some
 * thousands. Reading one takes as long as reading many bytes, so their number is limited apart from the size of the file.
 */
export const maxEmbeddedParts = 50_000

const megapixels = (pixels: number) => Math.round(pixels / 1e5) / 10

/** A sentence why a picture of this size is neither stored nor printed; undefined if it is. @param limit in pixels */
export function pixelProblem(width: number, height: number, limit = standardPixels): string | undefined {
  const pixels = width * height
  return pixels > limit
    ? `The picture has ${width} × ${height} pixels (${Math.ceil(pixels / 1e5) / 10} megapixels); at most ${megapixels(limit)} megapixels are printed.`
    : undefined
}

/** The largest width and height in pixels: codecs keep whole rows in memory, many at a time. */
export const maxSide = 32_767

/** Whether a picture of this size may be decoded as part of a drawing. */
export const isDecodable = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxEmbeddedPixels

/** The shop's limits for uploaded pictures, from the master print profile. */
export interface PictureLimits {
  /** Pixels per inch. */
  minDpi?: number
  /** Pixels. */
  minWidth?: number
  minHeight?: number
  maxWidth?: number
  maxHeight?: number
}

interface PictureSize {
  width: number | null
  height: number | null
  /** Pixels per inch; null if the file does not specify it. */
  density: number | null
}

/** A sentence that names every violated limit; undefined if there is none. Unknown sizes violate no limit. */
export function limitWarning(picture: PictureSize, limits: PictureLimits): string | undefined {
  const { width, height, density } = picture
  const below = (value: number | null, limit: number | undefined) =>
    value !== null && limit !== undefined && value < limit
  const above = (value: number | null, limit: number | undefined) =>
    value !== null && limit !== undefined && value > limit
  const violations = [
    below(width, limits.minWidth) && `narrower than ${limits.minWidth} pixels`,
    below(height, limits.minHeight) && `shorter than ${limits.minHeight} pixels`,
    above(width, limits.maxWidth) && `wider than ${limits.maxWidth} pixels`,
    above(height, limits.maxHeight) && `taller than ${limits.maxHeight} pixels`,
    below(density, limits.minDpi) && `below ${limits.minDpi} dpi`,
  ].filter((violation) => violation !== false)
  return violations.length > 0 ? `The picture is ${violations.join(' and ')}.` : undefined
}
