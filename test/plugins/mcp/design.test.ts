// What an agent needs to write designs: rules, a schema, names that it guesses, and warnings about what cannot be drawn.
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { designExample, designSchema } from '../../../src/mcp/design.ts'
import { Findings } from '../../../src/renderer/refusal.ts'
import { sceneOf } from '../../../src/renderer/scene.ts'
import { designWarnings } from '../../../src/renderer/written-view.ts'
import { build } from '../../support/hosts/build.ts'
import { caller, connected, servedTools } from '../../support/hosts/mcp.ts'

t.test('the list of tools is small: a character is less than a quarter of a token', async (t) => {
  const { url } = await servedTools(t)
  const { tools } = await (await connected(t, url)).listTools()
  const plain = tools.map(({ outputSchema: _unused, ...tool }) => tool)
  t.ok(JSON.stringify(tools).length < 54_000, 'about 13,000 tokens')
  t.ok(JSON.stringify(plain).length < 37_000, 'about 9,000 tokens')
})

t.test('every id says whose it is, and names of choices say which is the usual one', async (t) => {
  const { url } = await servedTools(t)
  const { tools } = await (await connected(t, url)).listTools()
  for (const { name, inputSchema } of tools) {
    const { id } = (inputSchema.properties ?? {}) as Record<string, { description?: string }>
    if (id) t.ok(id.description, name)
  }
  const order = tools.find(({ name }) => name === 'get_order')?.inputSchema.properties
  t.match(order, { type: { default: 'wc', description: /wc .*shortcode .*gf/ } })
})

t.test('the prompt and the resource tell how designs are written', async (t) => {
  const { url } = await servedTools(t)
  const client = await connected(t, url)
  t.match((await client.listPrompts()).prompts, [{ name: 'design-rules' }])
  const { messages } = await client.getPrompt({ name: 'design-rules' })
  t.match((messages[0]?.content as { text: string } | undefined)?.text, 'svc://design-schema')
  const { resources } = await client.listResources()
  t.match(resources, [{ uri: 'svc://design-schema', mimeType: 'application/schema+json' }])
  const { contents } = await client.readResource({ uri: 'svc://design-schema' })
  t.strictSame(JSON.parse((contents[0] as { text: string }).text), JSON.parse(JSON.stringify(designSchema)))
  await t.rejects(client.readResource({ uri: 'svc://none' }), /no resource/)
  await t.rejects(client.getPrompt({ name: 'none' }), /no prompt/)
})

t.test('the schema is one, and its example and defaults are what the renderer takes', async (t) => {
  const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(designSchema)
  t.ok(isValid(designExample))
  for (const name of ['type', 'source', 'title', 'parameters']) {
    const [element] = structuredClone(designExample.elements)
    Reflect.deleteProperty(element ?? {}, name)
    t.notOk(isValid({ ...designExample, elements: [element] }), `an element without ${name}`)
  }
  t.strictSame(await designWarnings([designExample]), [])
  for (const { properties } of designSchema.properties.elements.items.anyOf) {
    const known = Object.entries(properties.parameters.properties) as [
      string,
      { default?: unknown; enum?: string[] },
    ][]
    const take = (parameters: object) => {
      const findings = new Findings()
      const element = {
        type: properties.type.const,
        source: '/a.png',
        title: 'A',
        parameters: { width: 9, ...parameters },
      }
      const view = { title: 'V', options: {}, elements: [element], names: [], copies: 1, isLocked: false }
      sceneOf(view, findings, { isPreview: true })
      return [...findings.refusals, ...findings.warnings]
    }
    for (const [name, { default: usual, enum: choices = [] }] of known)
      for (const value of [usual, ...choices].filter((each) => each !== undefined))
        t.strictSame(take({ [name]: value }), [], `${name} ${value}`)
  }
})

t.test('a view that cannot be drawn is stored as sent, and warned of over REST and MCP', async (t) => {
  const { url, call } = await servedTools(t)
  const { id } = (await call('POST', '/products', { title: 'Mug' })).body.data
  const elements = [
    { type: 'text', source: 'Hi', title: 'Greeting', parameters: { textAlign: 'middle', colour: '#fff' } },
    { type: 'image', title: 'Nothing', parameters: {} },
    { type: 'spiral', source: 'x', title: 'Odd', parameters: {} },
  ]
  const made = await call('POST', `/products/${id}/views`, { title: 'Front', elements })
  t.equal(made.status, 201)
  t.strictSame(made.body.data.elements, elements)
  t.match(made.body.meta.warnings, [
    /View "Front", element "Greeting": The property textAlign is "middle"/,
    /element "Nothing": The element names no picture/,
    /element "Odd": An element of type "spiral" cannot be drawn\. Known are text and image; a shape is an image: an SVG/,
    /element "Greeting": Unknown properties have no effect on the print: "colour"/,
  ])
  const tool = caller(await connected(t, url))
  const printingBox = { left: 0, top: 0, width: 100, height: 100 }
  const options = { printingBox, output: { width: 100, height: 300 } }
  const changed = await tool('update_view', { view_id: made.body.data.id, elements: [], options })
  t.match(changed.structuredContent, { meta: { warnings: [/differ in their ratio/] } })
  const fine = await tool('update_view', {
    id: made.body.data.id,
    elements: [elements[0]].map(() => designExample.elements[0]),
  })
  t.equal(fine.structuredContent?.meta?.warnings, undefined)
})

t.test('the design of an order is looked at, too, and a very large one is not', async (t) => {
  const { call } = await build(t)
  const views = [
    {
      title: 'Front',
      elements: [{ type: 'text', source: 'x', title: 'A', parameters: { fontSize: 'big' } }],
    },
  ]
  const made = await call('POST', '/shortcode-orders', { views })
  t.match(made.body.meta.warnings, [/"A": The property fontSize is not a finite number/])
  const many = Array.from({ length: 3000 }, (_, n) => ({ title: `${n}`, type: 'image', parameters: {} }))
  t.match(await designWarnings([{ title: 'V', elements: many }]), [/has 3000 elements/])
  const several = many.slice(0, 50)
  t.equal((await designWarnings([{ title: 'V', elements: several }])).length, 21)
  const empty = { type: 'image', title: 'A', parameters: {} }
  for (const note of ['x'.repeat(256 * 1024), Array(300_000).fill(1), { ['n'.repeat(256 * 1024)]: 1 }])
    t.strictSame(await designWarnings([{ title: 'V', elements: [{ ...empty, note }] }]), [])
  const exact = JSON.parse('{"left":1}')
  exact.left = (JSON as unknown as { rawJSON(text: string): object }).rawJSON('1.234567890123456789')
  t.strictSame(
    await designWarnings([
      { title: 'V', elements: [{ type: 'text', source: 'x', title: 'A', parameters: exact }] },
    ]),
    [],
  )
})

t.test('the usual names of ids are taken, and one by its own name wins', async (t) => {
  const { url, call } = await servedTools(t)
  await call('POST', '/products', { title: 'Mug' })
  await call('POST', '/design-categories', { title: 'Nature' })
  const tool = caller(await connected(t, url))
  t.match((await tool('get_product', { product_id: 1 })).structuredContent, { data: { title: 'Mug' } })
  const view = (await tool('add_product_view', { product_id: 1, title: 'Front' })).structuredContent?.data.id
  t.match((await tool('get_view', { view_id: view })).structuredContent, { data: { product_id: 1 } })
  for (const alias of ['category_id', 'design_category_id'])
    t.match((await tool('get_design_category', { [alias]: 1 })).structuredContent, { data: { id: 1 } })
  const both = await tool('get_product', { id: 1, product_id: 2 })
  t.match(both.content[0]?.text, /Unknown parameters: product_id/)
  await call('POST', '/products', { title: 'Cup' })
  for (const given of [{ settings: { svc_ae_image_dpi: 150 } }, { svc_ae_image_dpi: 200 }]) {
    const { structuredContent } = await tool('update_settings', given)
    t.match(structuredContent, { data: { svc_ae_image_dpi: /^(150|200)$/ } }, JSON.stringify(given))
  }
  const library = { colors: [{ id: 'ink', name: 'Ink', hex: '#333333' }], palettes: [] }
  for (const given of [{ library }, { color_library: library }, library])
    t.match((await tool('save_color_library', given)).structuredContent, { data: library })
  t.match((await tool('update_settings')).content[0]?.text, 'Missing parameters: body.')
  const moved = await tool('update_view', { view_id: view, product_id: 2 })
  t.match(moved.structuredContent, { data: { id: view, product_id: 2 } })
})
