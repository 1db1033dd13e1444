// What is wrong with a value that violates its schema: the end of a sentence that begins with the name of the property.
import type { ErrorObject } from 'ajv'

/** Names of JSON types in messages. */
const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Maximum length of a problem, which may name properties of any length. */
export const maxProblemLength = 500

/** The problem that an error of Ajv reports. */
export function problemOf(error: ErrorObject | undefined): string {
  if (!error) return 'is invalid'
  const path = error.instancePath.split('/').slice(1)
  const pointer = path.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  return ((pointer ? `has a problem at ${pointer}: it ` : '') + demandOf(error)).slice(0, maxProblemLength)
}

/** What the violated keyword of the schema demands. */
function demandOf({ keyword, params, parentSchema = {} }: ErrorObject): string {
  const { minimum, maximum } = parentSchema
  switch (keyword) {
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}`
    case 'minimum':
    case 'maximum':
      if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) {
        return `must be ${params.comparison === '>=' ? 'at least' : 'at most'} ${params.limit}`
      }
      return `must be between ${minimum} and ${maximum}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'minLength':
    case 'maxLength':
    case 'pattern':
      // The message of the schema covers length and pattern.
      return parentSchema['x-message'] ?? lengthDemand(keyword, params.limit)
    case 'minItems':
      return `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'required':
      return `must have the property ${params.missingProperty}`
    case 'x-blob':
      return 'must not contain a lone surrogate'
    case 'additionalProperties':
      return `must not have the property ${params.additionalProperty}`
    default:
      return 'is invalid'
  }
}

function lengthDemand(keyword: string, limit: number): string {
  if (keyword === 'minLength') return 'must not be empty'
  return keyword === 'maxLength' ? `must be at most ${limit} characters long` : 'has an invalid format'
}
