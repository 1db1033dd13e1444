// The type of a file is detected from its bytes, and must match its name.
import t from 'tap'
import {
  assertContentMatches,
  assetTypeByContent,
  assetTypeByName,
  extensionOf,
  sniff,
} from '../../../src/files/sniff.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { pdf } from '../../support/fixtures/make-pdf.ts'
import { png } from '../../support/fixtures/make-png.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'

t.test('sniff: the extension is what follows the last dot of the name, in lower case', async (t) => {
  t.equal(extensionOf('Logo.PNG'), 'png')
  t.equal(extensionOf('shell.php.svg'), 'svg')
  t.equal(extensionOf('C:\\pictures.d\\logo'), '')
  t.equal(extensionOf('logo.'), '')
})

t.test(
  'sniff: assetTypeByContent: a file without a name has the type of its bytes, if that is accepted',
  async (t) => {
    t.equal(assetTypeByContent(png()), 'png')
    t.equal(assetTypeByContent(pdf()), 'pdf')
    for (const bytes of [Buffer.from('GIF89a'), Buffer.from('<?php'), Buffer.alloc(0), font()])
      t.throws(() => assetTypeByContent(bytes), { code: 'svc_upload_type_not_allowed' })
  },
)

t.test('sniff: png, svg, pdf and the extensions of JPEG are asset names, others are not', async (t) => {
  t.strictSame(['a.png', 'a.jpg', 'a.JPEG', 'a.jpe', 'a.jfif', 'a.svg', 'a.pdf'].map(assetTypeByName), [
    'png',
    'jpeg',
    'jpeg',
    'jpeg',
    'jpeg',
    'svg',
    'pdf',
  ])
  for (const name of ['a.gif', 'a', 'a.svgz', 'a.php', 'a.__proto__', 'a.png ']) {
    t.throws(() => assetTypeByName(name), { code: 'svc_upload_type_not_allowed' }, name)
  }
})

t.test('sniff: the type is detected from the bytes', async (t) => {
  const cases: [string, string | Buffer][] = [
    ['png', png()],
    ['pdf', pdf()],
    ['ttf', font()],
    ['jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['gif', 'GIF89a'],
    ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['zip', 'PK\x03\x04'],
    ['otf', 'OTTO'],
    ['ttc', 'ttcf'],
    ['woff', 'wOFF'],
    ['woff2', 'wOF2'],
    ['bmp', 'BM'],
    ['tiff', 'II*\0'],
    ['tiff', 'MM\0*'],
    ['rar', 'Rar!'],
    ['postscript', '%!PS-Adobe'],
    ['exe', 'MZ\x90'],
    ['php', '<?php echo 1;'],
    ['php', '  <?= 1 ?>'],
    ['html', '<!DOCTYPE html><html>'],
    ['html', '<script>alert(1)</script>'],
    ['xml', '<?xml version="1.0"?><rss/>'],
    ['unknown', 'just text'],
    ['unknown', ''],
    ['unknown', '<!-- never closed'],
  ]
  for (const [type, bytes] of cases) t.equal(sniff(Buffer.from(bytes as string)), type)
})

t.test(
  'sniff: a drawing is found behind declarations, comments, instructions and a DOCTYPE, in any encoding it may have',
  async (t) => {
    const prolog = '<?xml version="1.0"?>\n<!-- <html> -->\n<?pi?><!DOCTYPE svg [<!ENTITY a "<b>">]>\n'
    t.equal(sniff(Buffer.from(prolog + SVG)), 'svg')
    t.equal(sniff(Buffer.from(`\ufeff${SVG}`)), 'svg')
    t.equal(sniff(Buffer.from(`\ufeff${prolog}${SVG}`, 'utf16le')), 'svg')
    t.equal(sniff(Buffer.from(`\ufeff${SVG}`, 'utf16le').swap16()), 'svg')
    t.equal(sniff(Buffer.from(`<x:svg xmlns:x="http://www.w3.org/2000/svg"/>${' '.repeat(70_000)}é`)), 'svg')
  },
)

t.test('sniff: a name that contradicts the content is rejected, and the message names both', async (t) => {
  t.throws(() => assertContentMatches(Buffer.from('GIF89a'), 'png'), {
    code: 'svc_upload_type_mismatch',
    message: 'The file name says PNG, but the content is GIF.',
  })
  t.doesNotThrow(() => assertContentMatches(png(), 'png'))
})
