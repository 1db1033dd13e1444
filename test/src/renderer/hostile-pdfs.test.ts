// PDFs that are made to hurt: as elements of designs they are refused with a sentence, within bounds of time and memory.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { pdf, pdfStream } from '../../support/fixtures/make-pdf.ts'
import { drawnPdf } from '../../support/render/pdf-designs.ts'

const deflated = (dict: string, data: Buffer) => pdfStream(`${dict} /Filter /FlateDecode`, deflateSync(data))
const form = (resources: string, content: string) =>
  pdfStream(`/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << ${resources} >>`, content)
const shown = (objects: (string | Buffer)[]) =>
  pdf({ page: '/Resources << /XObject << /X 5 0 R >> >>', content: '/X Do', objects })

/** Each form shows the next one ten times. */
const laughing = (levels: number) =>
  shown(Array.from({ length: levels }, (_, i) => form(`/XObject << /X ${6 + i} 0 R >>`, '/X Do '.repeat(10))))

const hostile: [what: string, file: Buffer, message: RegExp][] = [
  [
    'a script',
    pdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
    /contains actions or scripts/,
  ],
  [
    'an attached file',
    pdf({ catalog: '/Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >>' }),
    /attached files/,
  ],
  ['encryption', pdf({ trailer: '/Encrypt << /Filter /Standard /V 1 >>' }), /The PDF is encrypted\./],
  ['an external stream', pdf({ objects: [pdfStream('/F (other.bin)', '')] }), /references an external file/],
  ['a truncated file', pdf().subarray(0, 300), /truncated/],
  ['forms that show each other a million times', laughing(7), /shows its parts too many times/],
  ['forms within forms', laughing(40), /(nested too deeply|too many times)/],
  ['a form that shows itself', shown([form('/XObject << /X 5 0 R >>', '/X Do')]), /contains itself/],
  [
    'content of a gigabyte',
    pdf({ page: '/Contents 5 0 R', objects: [deflated('', Buffer.alloc(80 * 2 ** 20, ' '))] }),
    /content of the PDF is too large/,
  ],
  [
    'a huge media box',
    pdf({ mediaBox: '0 0 1000000000 1000000000' }),
    /measures 1000000000 × 1000000000 points/,
  ],
  ['a page without an area', pdf({ page: '/UserUnit 0.000001' }), /measures 0 × 0 points/],
  [
    'a page tree that leads to itself',
    pdf({ kids: ['2 0 R'] }),
    /The PDF has 1 page; the design shows page 2\./,
  ],
  ['a tree of a million pages', pdf({ kids: [`${'3 0 R '.repeat(1_000_000)}`] }), /more than 20000 pages/],
]

t.test('render: hostile PDFs are refused with a sentence', async (t) => {
  for (const [what, file, message] of hostile) {
    const before = process.cpuUsage().user
    const { refusals } = await drawnPdf(file, {
      page: what.includes('page tree') || what.includes('tree of') ? 2 : 1,
    })
    t.match(refusals, [message], what)
    const seconds = (process.cpuUsage().user - before) / 1e6
    t.ok(seconds < 20, `${what}: ${seconds} s`)
  }
})

t.test('render: objects that lead to each other are copied once', async (t) => {
  const font =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /Resources << /Font << /F 5 0 R >> >> /CharProcs << /a 6 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [9] >>'
  const file = pdf({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content: 'BT /F 9 Tf (a) Tj ET',
    objects: [font, pdfStream('', '9 0 d0 0 0 9 9 re f')],
  })
  const { bytes, refusals } = await drawnPdf(file)
  t.strictSame(refusals, [])
  t.equal(bytes.toString('latin1').match(/\/Type3/g)?.length, 1)
})

t.test('render: names and strings of a PDF cannot leave their places', async (t) => {
  const name = '/A#20#2f#3e#3eJS#28'
  const file = pdf({
    page: `/Resources << /ExtGState << ${name} << /ca 1 /S (a\\)>>) >> >> >>`,
    content: `${name} gs 0 0 100 100 re f`,
  })
  const { bytes, refusals } = await drawnPdf(file)
  t.strictSame(refusals, [])
  t.match(bytes.toString('latin1'), '/A#20#2f#3e#3eJS#28')
})
