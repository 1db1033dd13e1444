// `fields=a,b` (or `_fields`): the properties that the response contains; others need not be read.
import { invalidParams } from '../core/errors.ts'

/** The properties that a response contains. */
export interface FieldSelection {
  has(name: string): boolean
  /** The selected names, sorted; '' for all. */
  key: string
  /** Whether these are all properties that the resource has. */
  isWhole?: true
}

const all: FieldSelection = { has: () => true, key: '', isWhole: true }

/** @throws SvcError 400 that lists the properties that the resource does not have */
export function selectedFields(
  query: { fields?: string; _fields?: string },
  resource: { properties: object },
): FieldSelection {
  const name = query.fields === undefined ? '_fields' : 'fields'
  const list = query[name]
  if (list === undefined) return all
  const names = new Set(
    list
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  const unknown = [...names].filter((property) => !Object.hasOwn(resource.properties, property))
  if (unknown.length > 0) {
    throw invalidParams({
      [name]: `names unknown properties (${unknown.join(', ')}); known are ${Object.keys(resource.properties).join(', ')}`,
    })
  }
  return names.size === 0
    ? all
    : { has: (property) => names.has(property), key: `fields=${[...names].sort().join(',')}` }
}

/**
 * Adds a property that is included only with its `include_…` parameter, or if `fields` contains it.
 * @param byDefault value of the parameter in the standard representation
 */
export function withField(
  selection: FieldSelection,
  property: string,
  included = false,
  byDefault = false,
): FieldSelection {
  const comes = included || selection.key !== ''
  return {
    has: (name) => (name !== property || comes) && selection.has(name),
    key: selection.key + (included === byDefault ? '' : `&${property}`),
  }
}
