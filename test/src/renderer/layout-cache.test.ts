// Layouts of words are cached between designs, and do not depend on other texts.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { faceOf } from '../../../src/renderer/font-face.ts'

const fonts = resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts')
const regular = readFileSync(`${fonts}/LiberationSans-Regular.ttf`)
const face = (bytes = regular) => faceOf({ key: 'F1', name: 'Test' }, bytes)
const latin = (text: string) => ({ text, isRightToLeft: false, script: 'latn' as const })

t.test('shape: keeps the layout of a Latin word for the next face of the same file', async (t) => {
  t.equal(face().shape(latin('Waffle')), face().shape(latin('Waffle')))
  const bold = readFileSync(`${fonts}/LiberationSans-Bold.ttf`)
  t.not(face().shape(latin('Waffle')).width, face(bold).shape(latin('Waffle')).width)
  const long = 'W'.repeat(25)
  t.not(face().shape(latin(long)), face().shape(latin(long)), 'a long word takes too much memory')
})

t.test('shape: a space has its own character after a no-break space with the same glyph', async (t) => {
  const used = face()
  const [before] = used.shape(latin('\u00a0')).glyphs
  const [after] = used.shape(latin(' ')).glyphs
  t.strictSame([before?.codePoints, after?.codePoints], [[0xa0], [0x20]])
  t.equal(before?.id, after?.id)
})

t.test('embedded: a variable font contains the glyphs of words whose layout was cached', async (t) => {
  const inter = readFileSync(
    resolve(import.meta.dirname, '../../support/fixtures/montserrat/Montserrat-subset.ttf'),
  )
  const sizes = [1, 2].map(() => {
    const bold = faceOf({ key: 'F1', name: 'Test', weight: 700 }, inter)
    bold.shape(latin('AB'))
    return bold.embedded().length
  })
  t.equal(sizes[0], sizes[1])
})
