// How the master print profile wants print files: others may have stored anything there.
import t from 'tap'
import { readOutput } from '../../../src/settings/master-profile.ts'

t.test('readOutput: what is said with the right type is read', async (t) => {
  const said = {
    color: 'pdfx4',
    profile: 'Coated',
    condition: 'FOGRA39',
    overprintBlack: false,
    blackInk: 'all',
    maxInk: 300,
  }
  t.strictSame(readOutput({ ...said, marks: true, other: 1 }), { ...said, marks: true })
  t.strictSame(readOutput({ color: 'rgb', overprintBlack: true, marks: false }), {
    color: 'rgb',
    overprintBlack: true,
    marks: false,
  })
})

t.test('readOutput: what is missing or of another type is not said', async (t) => {
  for (const output of [undefined, null, 'x', [], {}]) t.strictSame(readOutput(output), {})
  const wrong = {
    color: 'cmyk',
    profile: '',
    condition: 5,
    overprintBlack: 'yes',
    blackInk: 'yes',
    maxInk: true,
    marks: 1,
  }
  t.strictSame(readOutput(wrong), {})
  t.strictSame(readOutput({ profile: 'x'.repeat(100) }), { profile: 'x'.repeat(100) })
  t.strictSame(readOutput({ profile: 'x'.repeat(101) }), {})
})

t.test('the limit of ink is a percentage from 1 to 400, as a number or from a form', async (t) => {
  for (const maxInk of [1, 400, '1', ' 400 ', '250.5']) t.equal(readOutput({ maxInk }).maxInk, Number(maxInk))
  for (const maxInk of [0, 401, '0.9', '400.1', '', ' ', 'x', null]) t.strictSame(readOutput({ maxInk }), {})
})
