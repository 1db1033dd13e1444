// Text that was damaged before it was stored: what is recognized, what is left alone, and the warning with the probable text.
import t from 'tap'
import { isLossy, undamaged } from '../../../src/renderer/damaged-text.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()

const damaged: Record<string, string> = {
  Josu00e9: 'José',
  'Jos\\u00e9': 'José',
  'ud83dude00 Hi': '😀 Hi',
  Ou2019Brien: 'O’Brien',
  '10 u2013 12': '10 – 12',
  'Mum &amp; Dad': 'Mum & Dad',
  'It&#039;s &#x27;': "It's '",
  "O\\'Brien": "O'Brien",
  "O\\\\\\'Brien": "O'Brien",
  'JosÃ©': 'José',
  'Ã–sterreich': 'Österreich',
  'Itâ€™s': 'It’s',
  'MichaÅ‚': 'Michał',
  'ÐŸÑ€Ð¸Ð²ÐµÑ‚': 'Привет',
  'MÃ¼ller &amp; SÃ¶hne': 'Müller & Söhne',
}

t.test('undamaged: the probable text of each kind of damage', async (t) => {
  for (const [stored, probable] of Object.entries(damaged)) t.equal(undamaged(stored), probable, stored)
})

t.test('undamaged: text that is as it was written is left alone', async (t) => {
  for (const stored of [
    'Neu2019',
    'Menu2025',
    'Blau2024',
    'produced',
    'AT&T',
    'R&D; co',
    'C:\\users',
    'A \\ B',
    'u2',
    'CAFÉ’s “CAFÉ”',
    '«CAFÉ»',
    'IRMÃ” x',
    'São Paulo',
    'voilà…',
    'É®',
    'Ø 12',
    'Straße',
    'Привет',
    '世界',
  ])
    t.equal(undamaged(stored), undefined, stored)
})

t.test('isLossy: a lost character and its escape', async (t) => {
  t.same(['J\ufffd', 'Jos\\ufffd', 'Josufffd', 'José'].map(isLossy), [true, true, true, false])
})

t.test('render: damaged text is a warning with the probable text', async (t) => {
  const placeholder = text('Name', { textPlaceholder: 'Name' })
  const view = { ...viewWith(text('Mum &amp; Dad'), placeholder), names_numbers: [{ name: 'Josu00e9' }] }
  const { outcome } = await renderHere(printTask, [view], fonts, sources)
  t.match(outcome, {
    kind: 'done',
    report: {
      warnings: [
        { code: 'value', element: 'Mum &amp; Dad', value: 'Mum & Dad' },
        { code: 'value', element: 'Name', value: 'José', message: /probably it was "José"/ },
      ],
    },
  })
  const lost = await renderHere(
    { ...printTask, kind: 'preflight' },
    [viewWith(text('Josufffd'))],
    fonts,
    sources,
  )
  t.match(lost.outcome, { report: { warnings: [{ code: 'value', message: /U\+FFFD/ }] } })
})
