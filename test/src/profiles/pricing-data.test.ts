// What the data of a pricing rule may hold where the shop reads it, and the sentences for everything else.
import t from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import { assertRuleData } from '../../../src/profiles/pricing-data.ts'

const properties =
  'textLength linesLength fontSize imageSize imageSizeScaled elementsLength colorsLength canvasSize coverage pattern'
const operators = ['=', '>', '<', '>=', '<=']

function refusal(data: unknown): { message: string; errors: readonly string[] } | undefined {
  try {
    assertRuleData(data)
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'svc_pricing_rule_invalid') throw error
    return { message: error.message, errors: error.errors as string[] }
  }
}

t.test('all that the designer knows is allowed, and what it does not read is kept as it is', (t) => {
  t.equal(refusal({}), undefined)
  for (const property of properties.split(' ')) t.equal(refusal({ property }), undefined, property)
  for (const elements of ['all', 'image', 'text', 'customImage', 'customText', '#A title', '#\n'])
    t.equal(refusal({ target: { elements } }), undefined, elements)
  for (const views of [-1, 0, 7]) t.equal(refusal({ target: { views } }), undefined)
  for (const type of ['any', 'all']) t.equal(refusal({ type, more: { of: 'it' } }), undefined)
  for (const operator of operators) t.equal(refusal({ rules: [{ operator, price: 1 }] }), undefined, operator)
  t.end()
})

t.test('assertRuleData: everything else is refused at its path', (t) => {
  const cases: [data: unknown, error: string][] = [
    [[], 'data must be an object'],
    [{ property: 'length' }, `data.property must be one of ${properties.replaceAll(' ', ', ')}`],
    [{ target: 'all' }, 'data.target must be an object'],
    [{ target: { views: -2 } }, 'data.target.views must be -1 or the index of a view'],
    [{ target: { views: 1.5 } }, 'data.target.views must be -1 or the index of a view'],
    [{ target: { views: '1' } }, 'data.target.views must be -1 or the index of a view'],
    ...['#', '', 'images', 7].map((elements): [unknown, string] => [
      { target: { elements } },
      'data.target.elements must be one of all, image, text, customImage, customText, or "#" and a title',
    ]),
    [{ type: 'none' }, 'data.type must be one of any, all'],
    [{ rules: {} }, 'data.rules must be an array'],
    [{ rules: [{}, { operator: '!=' }] }, 'data.rules[1].operator must be one of =, >, <, >=, <='],
    [{ rules: [{ price: '5' }] }, 'data.rules[0].price must be a number'],
    [{ rules: [7] }, 'data.rules[0] must be an object'],
  ]
  for (const [data, error] of cases)
    t.strictSame(refusal(data), {
      message: `The data of the pricing rule is not valid: ${error}.`,
      errors: [error],
    })
  t.end()
})

t.test(
  'assertRuleData: the message names three problems and the number of the others, the response at most a hundred',
  (t) => {
    const found = (count: number) => refusal({ rules: Array(count).fill(7) })
    const first = [0, 1, 2].map((i) => `data.rules[${i}] must be an object`)
    t.equal(found(3)?.message, `The data of the pricing rule is not valid: ${first.join('; ')}.`)
    t.equal(found(5)?.message, `The data of the pricing rule is not valid: ${first.join('; ')} and 2 more.`)
    t.equal(found(100)?.errors.length, 100)
    t.equal(found(150)?.errors.length, 100)
    t.end()
  },
)
