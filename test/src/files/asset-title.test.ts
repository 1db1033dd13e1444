import t from 'tap'
import { assetTitle } from '../../../src/files/asset-title.ts'

t.test(
  'assetTitle: a title keeps the words of the file name, without folders and invisible characters',
  async (t) => {
    t.equal(assetTitle('My logo (final).PNG'), 'My logo (final).PNG')
    t.equal(assetTitle('C:\\Users\\me\\logo.svg'), 'logo.svg')
    t.equal(assetTitle('../../etc/x.png'), 'x.png')
    t.equal(assetTitle('gpj\u202egnp.\r\n\0  png'), 'gpjgnp. png')
    t.equal(assetTitle('Stra\u0308ße \u{1f3a8}.pdf'), 'Str\u00e4ße \u{1f3a8}.pdf')
  },
)

t.test('assetTitle: a title has at most 255 characters and is never empty', async (t) => {
  t.equal(assetTitle('\u{1f3a8}'.repeat(300)), '\u{1f3a8}'.repeat(255))
  for (const name of ['', '/', '\0', '\ud800']) t.equal(assetTitle(name), 'untitled')
})
