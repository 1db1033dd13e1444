// Streams of customers' PDFs in the encodings of older programs.
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { filtered } from '../../../src/renderer/pdf-filters.ts'
import { pdf, pdfStream } from '../../support/fixtures/make-pdf.ts'
import { drawnPdf, inkedArea } from '../../support/render/pdf-designs.ts'

/** LZW as in PDF 32000-1 §7.4.4, with a table that is cleared when it is full. */
function lzw(data: Uint8Array, isEarly = true): Buffer {
  let [table, width, bits] = [new Map<string, number>(), 9, '']
  const reset = () => {
    table = new Map(Array.from({ length: 256 }, (_, code) => [String.fromCharCode(code), code]))
  }
  let count = 258
  const put = (code: number) => {
    bits += code.toString(2).padStart(width, '0')
  }
  reset()
  put(256)
  let word = ''
  for (const byte of data) {
    const longer = word + String.fromCharCode(byte)
    if (table.has(longer)) {
      word = longer
      continue
    }
    put(table.get(word) ?? 0)
    table.set(longer, count++)
    word = String.fromCharCode(byte)
    if (count + (isEarly ? 1 : 0) > 1 << width) width++
    if (count < 4094) continue
    put(table.get(word) ?? 0)
    width = Math.min(width, 12)
    put(256)
    reset()
    ;[count, width, word] = [258, 9, '']
  }
  if (word !== '') {
    put(table.get(word) ?? 0)
    if (++count + (isEarly ? 1 : 0) > 1 << width && width < 12) width++
  }
  put(257)
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((each) => Number.parseInt(each.padEnd(8, '0'), 2)))
}

const options = { maxLength: 1e6, isEarly: true }

t.test('filtered: LZW gives back what was encoded', async (t) => {
  // The example of the standard.
  const example = Buffer.from('800b6050220c0c8501', 'hex')
  t.strictSame(
    filtered(example, ['LZWDecode'], options),
    Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]),
  )
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 1, max: 300 }),
      fc.boolean(),
      (part, times, isEarly) => {
        const data = Buffer.concat(Array.from({ length: times }, (_, i) => Buffer.from([...part, i & 255])))
        const decoded = filtered(lzw(data, isEarly), ['LZW'], { ...options, isEarly })
        return decoded?.equals(data) === true
      },
    ),
    { numRuns: 60 },
  )
})

t.test('filtered: ASCII85 and hexadecimal digits, alone and before others', async (t) => {
  const [text, bytes] = [Buffer.from('87cURD_*#4DfTZ)~>'), Buffer.from('Hello, world')]
  t.strictSame(filtered(text, ['ASCII85Decode'], options)?.subarray(0, 5), bytes.subarray(0, 5))
  t.strictSame(filtered(Buffer.from('z!!~>'), ['A85'], options), Buffer.alloc(5))
  t.strictSame(filtered(Buffer.from('48 65\n6C6c6F2>zz'), ['AHx'], options), Buffer.from('Hello '))
  const packed = Buffer.from(`${deflateSync(bytes).toString('hex')}>`)
  t.strictSame(filtered(packed, ['ASCIIHexDecode', 'FlateDecode'], options), bytes)
})

t.test('filtered: undefined for other filters, refused where bytes are damaged or too many', async (t) => {
  t.equal(filtered(Buffer.alloc(9), ['JPXDecode'], options), undefined)
  t.equal(filtered(Buffer.alloc(9), ['AHx', 'AHx', 'AHx', 'AHx', 'AHx'], options), undefined)
  t.throws(() => filtered(Buffer.from('807fc0', 'hex'), ['LZW'], options), { code: 'picture' })
  const long = Buffer.alloc(5000)
  for (const [name, bytes] of [
    ['LZW', lzw(long)],
    ['Fl', deflateSync(long)],
    ['A85', Buffer.from(`${'z'.repeat(1250)}~>`)],
    ['AHx', Buffer.from(long.toString('hex'))],
  ] as const)
    t.throws(() => filtered(bytes, [name], { ...options, maxLength: 4999 }), { code: 'limit' }, name)
})

t.test('render: pages in LZW and in ASCII85 are placed as vectors', async (t) => {
  const content = Buffer.from('0 g 0 0 100 100 re f')
  const streams = [
    pdfStream('/Filter /LZWDecode', lzw(content)),
    pdfStream('/Filter [/ASCIIHexDecode /FlateDecode]', `${deflateSync(content).toString('hex')}>`),
  ]
  for (const stream of streams) {
    const file = pdf({ page: '/Contents 5 0 R', objects: [stream] })
    const { bytes, refusals, warnings } = await drawnPdf(file)
    t.strictSame({ refusals, warnings }, { refusals: [], warnings: [] })
    t.notMatch(bytes.toString('latin1'), /\/Subtype \/Image|LZWDecode/)
    const png = await drawnPdf(file, {}, { format: 'png' })
    t.strictSame(await inkedArea(png.bytes), [100, 200, 100, 100])
  }
})
