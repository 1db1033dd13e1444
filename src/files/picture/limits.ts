// Whether a picture suits the print: a picture outside of the limits is taken, with a warning.

/** The most pixels of a picture that is accepted, as an asset or embedded in a drawing. */
export const maxPixels = 50_000_000

export interface PictureLimits {
  /** Pixels per inch. */
  minDpi?: number
  /** Pixels. */
  minWidth?: number
  minHeight?: number
  maxWidth?: number
  maxHeight?: number
}

export interface PictureSize {
  width: number | null
  height: number | null
  /** Pixels per inch; null where the file says nothing about it. */
  density: number | null
}

/** A sentence that names what is outside of the limits; undefined when nothing is. What is unknown is not judged. */
export function limitWarning(picture: PictureSize, limits: PictureLimits): string | undefined {
  const { width, height, density } = picture
  const below = (value: number | null, limit: number | undefined) =>
    value !== null && limit !== undefined && value < limit
  const above = (value: number | null, limit: number | undefined) =>
    value !== null && limit !== undefined && value > limit
  const faults = [
    below(width, limits.minWidth) && `narrower than ${limits.minWidth} pixels`,
    below(height, limits.minHeight) && `lower than ${limits.minHeight} pixels`,
    above(width, limits.maxWidth) && `wider than ${limits.maxWidth} pixels`,
    above(height, limits.maxHeight) && `higher than ${limits.maxHeight} pixels`,
    below(density, limits.minDpi) && `coarser than ${limits.minDpi} dpi`,
  ].filter((fault) => fault !== false)
  return faults.length > 0 ? `The picture is ${faults.join(' and ')}.` : undefined
}
