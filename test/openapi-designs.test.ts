// Designs in the OpenAPI document: named parts that describe them, and refuse none that is stored.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { designComponents } from '../src/mcp/design-parts.ts'
import { build } from './support/hosts/build.ts'
import { designs } from './support/render/designs.ts'

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../openapi.json'), 'utf8'))
const { schemas } = document.components
const ajv = new Ajv({ strict: false, useDefaults: true, formats: { binary: true } })
ajv.addSchema(document, 'document')
const checkOf = (name: string) => {
  const check = ajv.getSchema(`document#/components/schemas/${name}`)
  if (!check) throw new Error(`There is no schema ${name}.`)
  return check
}

t.test('openapi.json: bodies and resources with designs refer to their parts', async (t) => {
  const element = { $ref: '#/components/schemas/ViewElement' }
  for (const name of ['View', 'AddProductViewBody', 'UpdateViewBody'])
    t.match(schemas[name].properties.elements.items, element, name)
  t.match(schemas.UpdateViewBody.properties.options, { $ref: '#/components/schemas/ViewOptions' })
  t.match(schemas.CreateShortcodeOrderBody.properties.views.items, {
    $ref: '#/components/schemas/DesignView',
  })
  t.match(schemas.ElementParameters.properties.fontSize, {
    type: 'number',
    description: 'Pixels of the stage. At least 0, at most 10000. Default: 18.',
  })
})

t.test('openapi.json: each design that can be drawn is valid, and is not changed by defaults', async (t) => {
  const check = checkOf('ViewElement')
  for (const { name, elements } of designs) {
    for (const element of elements) {
      const copy = structuredClone(element)
      t.ok(check(copy), `${name}: ${JSON.stringify(check.errors)}`)
      t.strictSame(copy, element, name)
    }
  }
  t.notOk(check({ type: 5 }))
})

t.test(
  'POST /products/{id}/views: properties that the document does not name are stored as sent',
  async (t) => {
    const { call } = await build(t)
    const { body: product } = await call('POST', '/products', { title: 'Mug' })
    const elements = [
      {
        type: 'text',
        source: 'Ada',
        title: 'Name',
        vendor: { a: [1, null] },
        parameters: { left: '200', lens: 7 },
      },
      { type: 'vendor-3d' },
    ]
    const options = {
      stageWidth: 600,
      vendor: true,
      printingBox: { left: 0, top: 0, width: 9, height: 9, skew: 1 },
    }
    const made = await call('POST', `/products/${product.data.id}/views`, {
      title: 'Front',
      elements,
      options,
    })
    t.equal(made.status, 201)
    const { body } = await call('GET', `/views/${made.body.data.id}`)
    t.strictSame([body.data.elements, body.data.options], [elements, options])
  },
)

t.test('GET /openapi.json: has the parts only with operations that use them', async (t) => {
  const { call } = await build(t)
  const partsOf = async () => Object.keys((await call('GET', '/openapi.json')).body.components.schemas)
  t.ok((await partsOf()).includes('PageOutput'))
  await call('PATCH', '/settings', {
    svc_api_products_enabled: false,
    svc_api_shortcode_orders_enabled: false,
  })
  t.notOk((await partsOf()).some((name) => Object.hasOwn(designComponents, name)))
})
