// PNG files whose compressed rows a PDF takes as they are.
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { pngRows } from '../../../src/renderer/picture-files.ts'
import { png, pngChunk } from '../../support/fixtures/make-png.ts'

t.test('pngRows: the rows of gray and RGB pictures, and the palette of indexed ones', async (t) => {
  for (const [color, colors] of [
    [0, 1],
    [2, 3],
  ] as const) {
    const rows = pngRows(png({ color, width: 16, height: 12 }))
    t.match(rows, { colors, palette: undefined })
    t.equal(inflateSync(rows?.data ?? '').length, 12 * (16 * colors + 1))
  }
  const indexed = pngRows(await sharp(png()).png({ palette: true }).toBuffer())
  t.match(indexed, { colors: 1 })
  t.ok((indexed?.palette?.length ?? 0) > 3 * 16)
})

t.test('pngRows: undefined for what a PDF would show in another way', async (t) => {
  const transparent = pngChunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]))
  for (const [name, bytes] of Object.entries({
    transparent: png({ before: [transparent] }),
    'with alpha': png({ color: 6 }),
    'gray with alpha': png({ color: 4 }),
    'of 16 bits': png({ depth: 16 }),
    calibrated: png({ before: [pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))] }),
    turned: png({ before: [pngChunk('eXIf', Buffer.from('MM'))] }),
    interlaced: await sharp(png()).png({ progressive: true }).toBuffer(),
  }))
    t.equal(pngRows(bytes), undefined, name)
})
