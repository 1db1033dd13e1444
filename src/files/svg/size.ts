// Computes the size of a drawing in CSS pixels from its root element.

/** CSS pixels, whole numbers; null if unknown. */
export interface DrawingSize {
  width: number | null
  height: number | null
}

const pixelsPerUnit: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
}

/** The largest integer in the asset index. */
const maxSize = 2_147_483_647

/** The beginning of a sanitized drawing: up to `<svg`, its attributes, and the end of the tag. */
const rootTag = /^(<\?xml[^>]*\?>\s*<svg)([^>]*?)(\/?>)/

type Attributes = ReadonlyMap<string, string>

/** The size by the attributes of the root. A missing side is derived from the viewBox; null if the drawing has no intrinsic size. */
export function drawingSize(root: Attributes): DrawingSize {
  const box = viewBox(root)
  const width = pixels(root.get('width'))
  const height = pixels(root.get('height'))
  const ratio = box && box.width / box.height
  return {
    width: rounded(width ?? (height && ratio ? height * ratio : box?.width)),
    height: rounded(height ?? (width && ratio ? width / ratio : box?.height)),
  }
}

/** Width and height attributes from the viewBox for a drawing without any, so that all programs agree on its size. */
export function missingSize(root: Attributes): [string, string][] {
  const box = viewBox(root)
  const fluid = (value: string | undefined) => value === undefined || value.trim() === '100%'
  if (!box || !fluid(root.get('width')) || !fluid(root.get('height'))) return []
  return [
    ['width', String(box.width)],
    ['height', String(box.height)],
  ]
}

/**
 * A sanitized drawing with another width and height on its root element; unchanged if it does not begin as rewrite.ts writes it.
 * @param box width and height of a viewBox from 0 0 that replaces its viewBox; undefined keeps it
 */
export function resized(
  svg: string,
  { width, height }: { width: string; height: string },
  box?: { width: number | string; height: number | string },
): string {
  return svg.replace(rootTag, (_, start: string, attributes: string, end: string) => {
    const replaced = box ? / (?:width|height|viewBox)="[^"]*"/g : / (?:width|height)="[^"]*"/g
    const view = box ? ` viewBox="0 0 ${box.width} ${box.height}"` : ''
    return `${start}${attributes.replace(replaced, '')}${view} width="${width}" height="${height}"${end}`
  })
}

function viewBox(root: Attributes): { width: number; height: number } | undefined {
  const [, , width = 0, height = 0] = (root.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 && Number.isFinite(width * height) ? { width, height } : undefined
}

/** A positive length in pixels; undefined for percentages, unknown units and anything else. */
function pixels(length: string | undefined): number | undefined {
  const [, number, unit = ''] =
    /^\s*\+?((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(length?.slice(0, 100) ?? '') ?? []
  const name = unit.toLowerCase()
  const factor = Object.hasOwn(pixelsPerUnit, name) ? pixelsPerUnit[name] : undefined
  const value = Number(number) * (factor ?? Number.NaN)
  return value > 0 && Number.isFinite(value) ? value : undefined
}

/** At least one pixel; null for a size that is unknown, or that the asset index cannot store. */
function rounded(value: number | undefined): number | null {
  return value === undefined || value > maxSize ? null : Math.max(1, Math.round(value))
}
