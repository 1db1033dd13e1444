// The templates of a provider's variation as the CMS stores them: where on the product each picture is printed.
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { ProviderRefused } from '../print/providers/provider.ts'

/** Placements are short names such as `front` and `embroidery_chest_left`. */
const placement = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The placements in the order of the templates: from a list of objects with a placement, a list of names, or an object
 * with one key per placement.
 * @throws ProviderRefused when the value cannot be read
 */
export function placementsOf(stored: string | null): string[] {
  const json = readStoredJson(stored, '[]')
  const value: unknown = json === undefined ? undefined : fromJson(json)
  if (typeof value !== 'object' || value === null) return unreadable()
  return Object.entries(value).map(([key, template]) => {
    const name = nameOf(template) ?? (/^\d+$/.test(key) ? undefined : key)
    return name !== undefined && placement.test(name) ? name : unreadable()
  })
}

function nameOf(template: unknown): string | undefined {
  if (typeof template === 'string' && !/^\d*$/.test(template)) return template
  const { placement, type } = Object(template)
  return [placement, type].find((name) => typeof name === 'string' && name !== '')
}

function unreadable(): never {
  throw new ProviderRefused('The templates of the variation cannot be read.')
}
