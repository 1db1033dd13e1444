// The known part of a pricing rule's data. Unknown properties are kept as they are.
import { SvcError } from '../core/errors.ts'
import { numberOf } from '../json/exact.ts'
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

type Problem = string | undefined
type Checks = Record<string, (value: unknown) => Problem | string[]>

const oneOf = (allowed: string[]) => (value: unknown) =>
  allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}`

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

function problemsOf(value: unknown, checks: Checks): Problem | string[] {
  if (!isObject(value)) return 'must be an object'
  return Object.entries(checks).flatMap(([name, check]) =>
    Object.hasOwn(value, name) ? prefixed(`.${name}`, check(Reflect.get(value, name))) : [],
  )
}

/** Each problem after its path: `.rules[1].price must be a number`. */
function prefixed(path: string, found: Problem | string[]): string[] {
  if (found === undefined) return []
  return typeof found === 'string' ? [`${path} ${found}`] : found.map((problem) => path + problem)
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
