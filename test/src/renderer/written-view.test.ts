// Warnings of writes: elements without a type, and options of views that a preflight would refuse.
import t from 'tap'
import { build } from '../../support/hosts/build.ts'

const viewFor = (options: object) => ({ title: 'Front', elements: [], options })
const stage = { stageWidth: 200, stageHeight: 100 }

t.test(
  'POST /products/{id}/views: meta.warnings names elements without a type or with an unknown one',
  async (t) => {
    const { call } = await build(t, { engine: 'SQLite' })
    const { id } = (await call('POST', '/products', { title: 'Mug' })).body.data
    const elements = [
      { title: 'Text', source: 'only one' },
      'str',
      { type: 'hologram', title: 'H' },
      { type: 'text', title: 'T', source: 'a', parameters: { fontFamily: 'Arial' } },
      { title: 'Old', source: 'a', parameters: { type: 'text', fontFamily: 'Arial' } },
    ]
    const { status, body } = await call('POST', `/products/${id}/views`, { title: 'Front', elements })
    t.equal(status, 201)
    const text = body.meta.warnings.join('\n')
    t.match(
      text,
      /element "Text": Element 1 has no type and is drawn as an image; send the type text or image/,
    )
    t.match(text, /Element 2 is not an object with properties/)
    t.match(text, /An element of type "hologram" cannot be drawn/)
    t.notMatch(text, /Element [45]/)
  },
)

t.test(
  'PATCH /views/{id}: meta.warnings names options that a preflight refuses, with their full names',
  async (t) => {
    const { call } = await build(t, { engine: 'SQLite', renderer: true })
    const { id: product } = (await call('POST', '/products', { title: 'Mug' })).body.data
    const { id } = (await call('POST', `/products/${product}/views`, viewFor(stage))).body.data
    const warned = async (options: object) => {
      const { body } = await call('PATCH', `/views/${id}`, { options: { ...stage, ...options } })
      return (body.meta?.warnings ?? []).join('\n')
    }
    const range = /The property output\.width is -20, which is not between 0 and 50000/
    t.match(await warned({ output: { width: -20, height: 10 } }), range)
    t.match((await call('GET', `/products/${product}/preflight`)).text, range)
    t.match(
      await warned({ output: { width: 20, height: 20 } }),
      /200 × 100 px\) and the output .* differ in their ratio/,
    )
    t.match(
      await warned({ outptu: { width: 20, height: 10 } }),
      /"outptu" has no effect.*did you mean output\?/,
    )
    t.match(
      await warned({ output: { widht: 20, height: 10 } }),
      /"output.widht".*did you mean output.width\?/,
    )
    t.equal(await warned({ output: { width: 20, height: 10, bleed: 3 } }), '')
  },
)

t.test(
  'GET /products/{id}/preflight: the refusal of a picture on a forbidden port does not mention file_url',
  async (t) => {
    const { call } = await build(t, { engine: 'SQLite', renderer: true })
    const { id } = (await call('POST', '/products', { title: 'Mug' })).body.data
    const source = 'http://127.0.0.1:3702/x'
    const elements = [{ type: 'image', title: 'Logo', source, parameters: { width: 9, height: 9 } }]
    const options = { ...stage, output: { width: 20, height: 10 } }
    await call('POST', `/products/${id}/views`, { ...viewFor(options), elements })
    const { text } = await call('GET', `/products/${id}/preflight`)
    t.match(text, /could not be fetched\. Its URL must use one of the ports 80, 443, 8080/)
    t.notMatch(text, /file_url/)
  },
)
