// `fields=a,b` (also `_fields`): only these members, so that what nobody wants is not read.
import { invalidParams } from '../errors.ts'

/** Tells whether a member of the representation is wanted. */
export interface FieldSelection {
  has(member: string): boolean
  /** The names as asked for, sorted; '' when all are wanted. */
  key: string
}

const all: FieldSelection = { has: () => true, key: '' }

/** @throws SvcError 400 naming the members that the resource does not have */
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
  const unknown = [...names].filter((member) => !Object.hasOwn(resource.properties, member))
  if (unknown.length > 0) {
    throw invalidParams({
      [name]: `names unknown members (${unknown.join(', ')}); known are ${Object.keys(resource.properties).join(', ')}`,
    })
  }
  return names.size === 0
    ? all
    : { has: (member) => names.has(member), key: `fields=${[...names].sort().join(',')}` }
}

/**
 * A field that comes only with its own `include_…` parameter, or where `fields` names it.
 * @param byDefault value of the parameter in the standard representation
 */
export function withField(
  selection: FieldSelection,
  field: string,
  included = false,
  byDefault = false,
): FieldSelection {
  const comes = included || selection.key !== ''
  return {
    has: (name) => (name !== field || comes) && selection.has(name),
    key: selection.key + (included === byDefault ? '' : `&${field}`),
  }
}
