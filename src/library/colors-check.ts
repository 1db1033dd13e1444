// Validates and normalizes a color library, and reports all its problems at once.
import { numberOf } from '../json/parse.ts'
import { isObject, isWellFormed } from '../json/values.ts'
import { type Color, type ColorLibrary, libraryVersion, normalHex, type Palette } from './stored-colors.ts'

type JsonObject = Record<string, unknown>

/** An id in a message, up to the length of the longest valid one. */
const quotedId = (id: string) => JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id)

/** Maximum number of reported problems; the others are counted. */
const maxProblems = 1000

/**
 * The library of a PUT, sent flat or under `library`, with colors as `#rrggbb`; or its problems. Either `colors` or
 * `palettes` may be omitted and is empty then.
 * @param version the stored version, which may be sent back
 */
export function checkLibrary(
  body: JsonObject,
  version: number,
): { library: ColorLibrary; errors: never[] } | { library?: never; errors: string[] } {
  const isNested = Object.hasOwn(body, 'library')
  const model = isNested ? body.library : body
  if (isNested && Object.keys(body).length > 1) {
    return { errors: ['Send the library either flat or under "library", not both.'] }
  }
  if (!isObject(model)) return { errors: ['library must be an object.'] }
  const { colors, palettes } = model
  if (colors === undefined && palettes === undefined) return { errors: ['colors or palettes is required.'] }
  const errors: string[] = []
  const sent = model.version ?? version
  if (sent !== version && sent !== libraryVersion) errors.push(`version must be ${libraryVersion}.`)
  const checkedColors = itemsOf(colors, 'colors', errors, checkColor)
  const ids = new Set(checkedColors.map(({ id }) => id))
  const checkedPalettes = itemsOf(palettes, 'palettes', errors, (palette, path, errors) =>
    checkPalette(palette, path, errors, ids),
  )
  if (errors.length === 0 && !isWellFormed(model)) {
    errors.push('The library must not contain a lone surrogate.')
  }
  if (errors.length > maxProblems) {
    const more = errors.length - maxProblems
    return { errors: [...errors.slice(0, maxProblems), `… and ${more} more.`] }
  }
  if (errors.length > 0) return { errors }
  return {
    library: { ...model, version: sent as number, colors: checkedColors, palettes: checkedPalettes },
    errors: [],
  }
}

/**
 * Checks the items of a list: what colors and palettes have in common, then `check`. Adds the problems to `errors`.
 * @param name of the list, for the paths in problems
 */
function itemsOf<T>(
  list: unknown,
  name: string,
  errors: string[],
  check: (item: JsonObject, path: string, errors: string[]) => T,
): T[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) {
    errors.push(`${name} must be an array.`)
    return []
  }
  const seen = new Set<unknown>()
  return list.flatMap((item: unknown, index) => {
    const path = `${name}[${index}]`
    if (!isObject(item)) {
      errors.push(`${path} must be an object.`)
      return []
    }
    if (typeof item.id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(item.id)) {
      errors.push(`${path}.id must be 1 to 64 ASCII letters, digits, "_" or "-".`)
    } else if (seen.has(item.id)) {
      errors.push(`${path}.id "${item.id}" occurs twice in ${name}.`)
    }
    seen.add(item.id)
    if (typeof item.name !== 'string' || item.name.trim() === '') {
      errors.push(`${path}.name must be a non-empty string.`)
    }
    if (!isWellFormed(item)) errors.push(`${path} must not contain a lone surrogate.`)
    return [check(item, path, errors)]
  })
}

/** Adds problems to `errors`; the color is only used if there are none. */
function checkColor(color: JsonObject, path: string, errors: string[]): Color {
  const { hex, price } = color
  const normal = typeof hex === 'string' && /^#[^#\s]+$/.test(hex) ? normalHex(hex) : undefined
  if (!normal) errors.push(`${path}.hex must be "#rgb" or "#rrggbb".`)
  if (price !== undefined && !(Number(numberOf(price)) >= 0)) {
    errors.push(`${path}.price must be a number of at least 0.`)
  }
  return { ...color, hex: normal } as Color & JsonObject
}

/** Adds problems to `errors`; the palette is only used if there are none. @param ids of all colors of the library */
function checkPalette(palette: JsonObject, path: string, errors: string[], ids: Set<string>): Palette {
  const { colorIds } = palette
  if (!Array.isArray(colorIds)) errors.push(`${path}.colorIds must be an array.`)
  const seen = new Set<unknown>()
  for (const [index, id] of Array.isArray(colorIds) ? colorIds.entries() : []) {
    const entry = `${path}.colorIds[${index}]`
    if (typeof id !== 'string') errors.push(`${entry} must be the id of a color.`)
    else if (!ids.has(id)) errors.push(`${entry} ${quotedId(id)} is not the id of a color of this library.`)
    else if (seen.has(id)) errors.push(`${entry} "${id}" occurs twice in the palette.`)
    seen.add(id)
  }
  return palette as Palette & JsonObject
}
