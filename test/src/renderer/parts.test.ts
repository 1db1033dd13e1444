// Parts of the renderer by themselves: letters with marks, sharp shadows, cached fonts, and what is told of a written view.
import t from 'tap'
import { composed } from '../../../src/renderer/composed.ts'
import { cachedFont } from '../../../src/renderer/font-cache.ts'
import { sharpShadow } from '../../../src/renderer/shadow.ts'
import { designWarnings } from '../../../src/renderer/written-view.ts'

t.test('letters with marks become what the font has', (t) => {
  const font = (characters: string) => (character: string) => characters.includes(character)
  t.equal(composed('plain', font('')), 'plain')
  t.equal(composed('a\u0308', font('ä')), 'ä', 'joined, since the font has the letter')
  t.equal(composed('a\u0308', font('a\u0308')), 'a\u0308', 'left, since it has only the parts')
  t.equal(composed('\u1e01', font('a\u0325')), 'a\u0325', 'taken apart')
  t.equal(composed('\u1e01', font('x')), '\u1e01', 'what is lacking is the character that was written')
  t.equal(composed('a\u0323\u0308', font('äa\u0323\u0308')), 'ä\u0323', 'a mark below is no obstacle')
  t.equal(composed('a\u0301\u0308', font('áä\u0308')), 'á\u0308', 'one above is')
  t.equal(composed('\u1ead', font('âa\u0323\u0302')), 'â\u0323')
  t.end()
})

t.test('a sharp shadow of vectors is their silhouette, and that of a picture is a picture', (t) => {
  const color = { r: 1, g: 2, b: 3, a: 0.5 }
  const shape = { kind: 'shape', outline: [], fill: { r: 9, g: 9, b: 9, a: 1 } }
  const shadow = { kind: 'shadow', color, dx: 4, dy: 5, sigma: 0, marks: [shape] }
  const found = sharpShadow(shadow as never)
  t.match(found, { kind: 'group', matrix: [1, 0, 0, 1, 4, 5], alpha: 0.5 })
  t.match(Object(found).marks, [{ kind: 'shape', fill: { r: 1, g: 2, b: 3, a: 1 } }])
  t.equal(sharpShadow({ ...shadow, sigma: 1 } as never), undefined)
  t.equal(sharpShadow({ ...shadow, marks: [{ kind: 'picture' }] } as never), undefined)
  const inside = { kind: 'group', marks: [shape, { kind: 'picture' }] }
  t.equal(sharpShadow({ ...shadow, marks: [inside] } as never), undefined)
  t.end()
})

t.test('cachedFont: fonts of 24 MiB are cached, those that were used last', (t) => {
  const megabyte = 1024 * 1024
  const parsed: number[] = []
  const use = (id: number, megabytes: number) =>
    cachedFont(Buffer.alloc(megabytes * megabyte, id), () => {
      parsed.push(id)
      return { id } as never
    })
  for (const [id, megabytes] of [
    [1, 10],
    [2, 10],
    [1, 10],
    [3, 4],
  ] as const)
    t.match(use(id, megabytes).font, { id })
  t.strictSame(parsed.splice(0), [1, 2, 3], '24 MiB together')
  use(4, 1)
  for (const id of [1, 3, 4]) use(id, { 1: 10, 3: 4, 4: 1 }[id] ?? 0)
  t.strictSame(parsed.splice(0), [4])
  use(2, 10)
  t.strictSame(parsed, [2], 'the one that was not used for longest had to go')
  const [one, other] = [use(2, 10), use(2, 10)].map(({ font }) => font)
  t.not(one, other, 'what one task notes is not seen by the next')
  t.end()
})

t.test('of many faults twenty are told', async (t) => {
  const elements = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      type: 'text',
      title: `Element ${i}`,
      source: 'x',
      parameters: { left: 'nowhere' },
    }))
  const told = (count: number) => designWarnings([{ title: 'Front', elements: elements(count), options: {} }])
  t.equal((await told(20)).length, 20)
  t.equal((await told(23)).length, 21)
  t.equal((await told(23)).at(-1), '… and 3 more.')
  t.match((await told(1))[0], /Element 0/)
})
