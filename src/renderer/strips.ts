// Draws marks as pixels by librsvg, in strips if a side is longer than librsvg draws.
import sharp, { type Sharp } from 'sharp'
import { type SvgPage, type SvgResources, svgOf } from './emit-svg.ts'

/** Pixels of a side that librsvg draws at once; it stops at 32,767. */
export const maxLibrsvgSide = 32_000

interface DrawnPart extends Pick<SvgPage, 'area' | 'marks' | 'ground'> {
  /** Pixels. */
  width: number
  height: number
}

/**
 * The marks in an area of the stage as an image of a size, each pixel as if it was drawn at once. If the size is too large, it is divided
 * into strips: rectangles of equal size, except those at the right and lower edges.
 */
export function drawnPixels(
  { area, marks, ground, width, height }: DrawnPart,
  resources: SvgResources,
): Sharp {
  const [columns, rows] = [Math.ceil(width / maxLibrsvgSide), Math.ceil(height / maxLibrsvgSide)]
  const [w, h] = [Math.ceil(width / columns), Math.ceil(height / rows)]
  const svg = (left: number, top: number) => {
    const [wide, high] = [Math.min(w, width - left), Math.min(h, height - top)]
    const part = {
      x: area.x + (area.width * left) / width,
      y: area.y + (area.height * top) / height,
      width: (area.width * wide) / width,
      height: (area.height * high) / height,
    }
    return Buffer.from(
      svgOf({ area: part, marks, ground, width: String(wide), height: String(high) }, resources),
    )
  }
  const limits = { unlimited: true, limitInputPixels: false }
  if (columns === 1 && rows === 1) return sharp(svg(0, 0), limits)
  const parts = Array.from({ length: columns * rows }, (_, i) =>
    svg((i % columns) * w, Math.floor(i / columns) * h),
  )
  // Smaller strips are filled up with pixels, which are cut off.
  return sharp(parts, { ...limits, join: { across: columns } }).extract({ left: 0, top: 0, width, height })
}
