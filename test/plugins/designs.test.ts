// The designs of a design category: which may be stored, and those of other writers.
import { rule } from '../support/hosts/fresh-host.ts'

rule(
  'a design is an image or a graphic block with a title; others give 400 with their positions',
  async (t, { call }) => {
    const good = [
      { title: 'Picture', image: 'a.png', thumbnail: 't.png', parameters: { colors: '#000' }, vendor: 1 },
      { title: 'Block', elements: [{ type: 'text' }], parameters: {}, width: 10, height: 20 },
      { title: 'Both', image: 'a.png', elements: [] },
    ]
    const made = await call('POST', '/design-categories', { title: 'A', designs: good })
    t.strictSame([made.status, made.body.data.designs], [201, good])
    const bad = {
      'must have a title': [
        { image: 'a' },
        { title: '', image: 'a' },
        { title: ' ', image: 'a' },
        { title: 1, image: 'a' },
      ],
      'must have an image or elements': [{ title: 'x' }, { title: 'x', image: '' }],
      'must have a URL as its image': [
        { title: 'x', image: null },
        { title: 'x', image: 5, elements: [] },
      ],
      'must have an array as its elements': [
        { title: 'x', elements: {} },
        { title: 'x', image: 'a', elements: 'b' },
      ],
      'must be an object': ['x', null, []],
    }
    for (const [problem, list] of Object.entries(bad)) {
      for (const design of list) {
        const designs = [good[0], design]
        for (const response of [
          await call('POST', '/design-categories', { title: 'B', designs }),
          await call('PATCH', '/design-categories/1', { designs }),
        ]) {
          t.strictSame(
            [response.status, response.body.data.params],
            [400, { designs: `has designs that cannot be stored: [1] ${problem}` }],
            JSON.stringify(design),
          )
        }
      }
    }
    const many = await call('PATCH', '/design-categories/1', {
      designs: Array.from({ length: 50 }, () => ({})),
    })
    t.match(many.body.message, /\[19\] must have a title and 30 more\.$/)
  },
)

rule(
  'designs that are stored already may be sent back beside new ones',
  async (t, { call, db, t: names }) => {
    await call('POST', '/design-categories', { title: 'A' })
    const old = '[{"b":12345678901234567890,"a":{"d":1,"c":2},"e":{}},"x",{"title":"","image":""}]'
    await db.updateTable(names.designs).set({ designs: old }).execute()
    const read = (await call('GET', '/design-categories/1')).body.data.designs
    const reordered = { a: { c: 2, d: 1 }, b: Number('12345678901234567890'), e: {} }
    const designs = [{ title: 'New', image: 'a' }, 'x', reordered, read[2]]
    t.strictSame((await call('PATCH', '/design-categories/1', { designs })).body.data?.designs, designs)
    for (const change of [{ b: 1 }, { e: [] }, { a: { c: 2 } }]) {
      const response = await call('PATCH', '/design-categories/1', { designs: [{ ...reordered, ...change }] })
      t.equal(response.status, 400)
    }
    t.equal((await call('PATCH', '/design-categories/1', { designs: [read[2], read[2]] })).status, 200)
  },
)
