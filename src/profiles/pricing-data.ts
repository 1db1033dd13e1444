// Checks the data of a pricing rule: the properties that the storefront's price calculation reads, when they are present. Other
// properties are stored unchecked.
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { numberOf } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

const properties = [
  'textLength',
  'linesLength',
  'fontSize',
  'imageSize',
  'imageSizeScaled',
  'elementsLength',
  'colorsLength',
  'canvasSize',
  'coverage',
  'pattern',
]
const elements = ['all', 'image', 'text', 'customImage', 'customText']
const operators = ['=', '>', '<', '>=', '<=']

/** What is wrong with a value, after its path; several of an object or a list, undefined if nothing is. */
type Problems = string | string[] | undefined
/** A check of each property. */
type Checks = Record<string, (value: unknown) => Problems>

const oneOf = (allowed: string[]) => (value: unknown) =>
  allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}`

/** Whether a value names elements by their title: `#` and the title. */
const isTitle = (value: unknown) => typeof value === 'string' && /^#./s.test(value)

const target: Checks = {
  views: (value) =>
    Number.isSafeInteger(value) && Number(value) >= -1 ? undefined : 'must be -1 or the index of a view',
  elements: (value) =>
    isTitle(value) || elements.includes(value as string)
      ? undefined
      : `must be one of ${elements.join(', ')}, or "#" and a title`,
}

const rule: Checks = {
  operator: oneOf(operators),
  price: (value) => (numberOf(value) === undefined ? 'must be a number' : undefined),
}

const data: Checks = {
  property: oneOf(properties),
  target: (value) => problemsOf(value, target),
  type: oneOf(['any', 'all']),
  rules: (value) =>
    Array.isArray(value)
      ? value.flatMap((item, i) => prefixed(`[${i}]`, problemsOf(item, rule)))
      : 'must be an array',
}

function problemsOf(value: unknown, checks: Checks): Problems {
  if (!isObject(value)) return 'must be an object'
  return Object.entries(checks).flatMap(([name, check]) =>
    Object.hasOwn(value, name) ? prefixed(`.${name}`, check(membersOf(value)[name])) : [],
  )
}

/** Each problem after its path: `.rules[1].price must be a number`. */
function prefixed(path: string, problems: Problems): string[] {
  if (problems === undefined) return []
  return typeof problems === 'string' ? [`${path} ${problems}`] : problems.map((problem) => path + problem)
}

/** @throws SvcError 422 `svc_pricing_rule_invalid` with every problem in `errors` */
export function assertRuleData(value: unknown): void {
  const errors = prefixed('data', problemsOf(value, data))
  if (errors.length === 0) return
  throw new SvcError('svc_pricing_rule_invalid', {
    message: `The data of the pricing rule is not valid: ${errors.slice(0, 3).join('; ')}${errors.length > 3 ? ` and ${errors.length - 3} more` : ''}.`,
    errors: errors.slice(0, 100),
  })
}
