// Finds the fields of a form that matter for orders: the one with the design, those that name the customer, and those that describe
// the ordered product.
import { membersOf } from '../core/foreign.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { shopText } from './shop-text.ts'

type Field = Record<string, unknown>

/** A field of the ordered product, such as its size, with the meta keys of its parts. */
interface AttributeField {
  label: string
  keys: string[]
  /** Whether a price follows the value, as in `Large|5`. */
  isPriced: boolean
}

/** The relevant fields of a form, as meta keys of its entries. */
export interface FormFields {
  /** Title of the form. */
  title: string
  /** Meta key of the design. */
  design: string
  name: string[]
  mail: string[]
  quantity: string[]
  attributes: AttributeField[]
}

/** Types of fields that may be attributes: with choices, numbers and short texts. */
const attributeTypes = ['text', 'number', 'select', 'radio', 'checkbox', 'product', 'option']
const pricedTypes = ['product', 'option']
/** The most attributes of an entry. */
const maxAttributes = 20

/** The relevant fields of a form; undefined when none of them contains designs. */
export function fieldsOf(displayMeta: string | null): FormFields | undefined {
  const fields = fieldsIn(displayMeta)
  const design = fields.find((field) =>
    String(field?.cssClass ?? '')
      .split(/\s+/)
      .includes('svc-order'),
  )
  if (!design) return undefined
  const ofType = (type: string) => fields.filter((field) => field?.type === type).slice(0, 1)
  const attributes = fields.filter((field) => field !== design && attributeTypes.includes(typeOf(field)))
  return {
    title: titleOf(displayMeta),
    design: String(design.id),
    // A name has parts (first, last) with their own ids, or is one string under the field's id.
    name: ofType('name').flatMap((field) => [...partsOf(field), String(field.id)]),
    mail: ofType('email').map(({ id }) => String(id)),
    quantity: [
      ...ofType('quantity').map(({ id }) => String(id)),
      // The parts of a single product are its name, price and quantity.
      ...ofType('product').flatMap((field) => partsOf(field).slice(2, 3)),
    ],
    attributes: attributes.slice(0, maxAttributes).map((field) => {
      const parts = partsOf(field)
      const isProduct = typeOf(field) === 'product'
      return {
        label: shopText(String(field.label ?? '')),
        keys: parts.length === 0 ? [String(field.id)] : isProduct ? parts.slice(0, 1) : parts,
        isPriced: pricedTypes.includes(typeOf(field)),
      }
    }),
  }
}

/** Attributes and quantity of an entry. @param valueUnder returns its value under a meta key; empty if there is none */
export function orderedOf({ quantity, attributes }: FormFields, valueUnder: (key: string) => string) {
  const filled = attributes.map(({ label, keys, isPriced }) => {
    const values = keys.map(valueUnder).filter((value) => value !== '')
    const names = isPriced ? values.map(withoutPrice) : values
    return { name: label, value: shopText(names.join(', ')) }
  })
  const number = quantity.map(valueUnder).find((value) => value.trim() !== '')
  return {
    attributes: filled.filter(({ value }) => value !== ''),
    ...(number !== undefined && { quantity: number.trim() }),
  }
}

const withoutPrice = (value: string) => {
  const end = value.lastIndexOf('|')
  return end < 0 ? value : value.slice(0, end)
}

const typeOf = (field: Field | undefined) => String(field?.type ?? '')

/** Meta keys of the parts of a field. */
const partsOf = ({ inputs }: Field): string[] =>
  (Array.isArray(inputs) ? inputs : []).map((input: { id?: unknown }) => String(input?.id))

function titleOf(displayMeta: string | null): string {
  const json = readStoredJson(displayMeta, '{}')
  const { title } = membersOf(json === undefined ? {} : fromJson(json)) as { title?: unknown }
  return typeof title === 'string' ? shopText(title) : ''
}

function fieldsIn(displayMeta: string | null): Field[] {
  const json = readStoredJson(displayMeta, '{}')
  const form = (json === undefined ? {} : fromJson(json)) as { fields?: unknown }
  return (Array.isArray(form?.fields) ? form.fields : []) as Field[]
}

/** Labels of a form's fields and of their parts by meta key, without the field of the design. */
export function labelsOf(displayMeta: string | null): Map<string, string> {
  const { design } = fieldsOf(displayMeta) ?? {}
  const fields = fieldsIn(displayMeta).filter((field) => String(field?.id) !== design)
  return new Map(
    fields.flatMap((field) => {
      const parts = (Array.isArray(field?.inputs) ? field.inputs : []) as Field[]
      return [...parts, field].map(
        (part) => [String(part?.id), String(field?.label ?? part?.label ?? '')] as const,
      )
    }),
  )
}
