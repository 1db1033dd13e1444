// Colors of the library with an ink of their own, whatever others stored beside them.
import t from 'tap'
import { spotColors } from '../../../src/library/spot-colors.ts'
import type { OptionsStore } from '../../../src/settings/option-rows.ts'

const stored = (...colors: unknown[]) => {
  const text = JSON.stringify({ version: 2, colors, palettes: [] })
  const getMany = async () => new Map([['svc_color_library', text]])
  return spotColors({ getMany } as unknown as OptionsStore)
}
const color = (more: object) => ({ id: 'c-1', hex: '#C8102E', name: 'Red', ...more })

t.test('spotColors: a color with the name of an ink is a spot color, with its inks', async (t) => {
  t.strictSame(await stored(color({ spot: ' PANTONE 186 C ', cmyk: [2, 100, 85, 6] })), [
    { hex: '#c8102e', name: 'PANTONE 186 C', cmyk: [2, 100, 85, 6] },
  ])
  t.strictSame(await stored(color({ hex: '#abc', spot: 'Gold' })), [{ hex: '#aabbcc', name: 'Gold' }])
})

t.test('spotColors: colors without an ink of their own are none', async (t) => {
  t.strictSame(await stored(color({}), color({ spot: '' }), color({ spot: '  ' }), color({ spot: 7 })), [])
})

t.test('spotColors: inks that are not four percentages leave the conversion to the profile', async (t) => {
  for (const cmyk of [[1, 2, 3], [1, 2, 3, 101], [-1, 0, 0, 0], ['a', 0, 0, 0], 'none', null, {}])
    t.strictSame(
      await stored(color({ spot: 'Gold', cmyk })),
      [{ hex: '#c8102e', name: 'Gold' }],
      JSON.stringify(cmyk),
    )
})

t.test('spotColors: a long name is cut, and a library that cannot be read has no spot colors', async (t) => {
  const [first] = await stored(color({ spot: 'x'.repeat(200) }))
  t.equal(first?.name.length, 80)
  const getMany = async () => new Map([['svc_color_library', '{"version":2']])
  t.strictSame(await spotColors({ getMany } as unknown as OptionsStore).catch(() => []), [])
})
