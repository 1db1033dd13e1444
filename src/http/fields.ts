// Which properties a response contains: `fields=a,b` (or `_fields`) and `include_…`. Other properties need not be read.
import { invalidParams } from '../core/errors.ts'

/** The properties that a response contains. */
export interface FieldSelection {
  has(name: string): boolean
  /** Identifies the selection in ETags: the selected names, sorted, and `include_…`; '' for the default. */
  key: string
  /** Whether these are all properties that the resource has. */
  isWhole?: true
}

const wholeResource: FieldSelection = { has: () => true, key: '', isWhole: true }

/**
 * The properties that `fields` or `_fields` names; all without both.
 * @param resource schema of the resource
 * @throws SvcError 400 that lists the properties that the resource does not have
 */
export function selectedFields(
  query: { fields?: string; _fields?: string },
  resource: { properties: object },
): FieldSelection {
  const name = query.fields === undefined ? '_fields' : 'fields'
  const list = query[name]
  if (list === undefined) return wholeResource
  const names = new Set(
    list
      .split(',')
      .map((property) => property.trim())
      .filter((property) => property !== ''),
  )
  const unknown = [...names].filter((property) => !Object.hasOwn(resource.properties, property))
  if (unknown.length > 0) {
    throw invalidParams({
      [name]: `names unknown properties (${unknown.join(', ')}); known are ${Object.keys(resource.properties).join(', ')}`,
    })
  }
  return names.size === 0
    ? wholeResource
    : { has: (property) => names.has(property), key: `fields=${[...names].sort().join(',')}` }
}

/** A property that has an `include_…` parameter. */
interface OptionalProperty {
  property: string
  /** Value of the parameter. */
  isIncluded: boolean | undefined
  /** Default of the parameter. */
  byDefault?: boolean
}

/** The selection, with this property only if its `include_…` parameter is true, or if `fields` names it. */
export function withField(
  selection: FieldSelection,
  { property, isIncluded = false, byDefault = false }: OptionalProperty,
): FieldSelection {
  const isSelected = isIncluded || selection.key !== ''
  return {
    has: (name) => (name !== property || isSelected) && selection.has(name),
    key: selection.key + (isIncluded === byDefault ? '' : `&${property}`),
  }
}
