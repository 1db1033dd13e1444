// PDFs that customers uploaded, as elements of designs: their pages and boxes, in pixels and as vectors.
import { createHash } from 'node:crypto'
import t from 'tap'
import { pdf, pdfStream } from '../../support/fixtures/make-pdf.ts'
import { drawnPdf, inkedArea } from '../../support/render/pdf-designs.ts'

// The page is 200 × 200 points, and a quarter of it black: the lower left one.
const quarter = pdf()

t.test('render: a PDF is drawn as PNG, a pixel of the stage for each point', async (t) => {
  const { bytes, refusals, warnings } = await drawnPdf(quarter, {}, { format: 'png' })
  t.strictSame({ refusals, warnings }, { refusals: [], warnings: [] })
  t.strictSame(await inkedArea(bytes), [100, 200, 100, 100])
})

t.test('render: a PDF in a preview, a JPEG and an SVG', async (t) => {
  const preview = { kind: 'preview', view: 0, width: 400, maxPixels: 4e6 } as const
  t.strictSame(await inkedArea((await drawnPdf(quarter, {}, preview as never)).bytes), [100, 200, 100, 100])
  const jpeg = await drawnPdf(quarter, { scaleX: 0.5, scaleY: 0.5 }, { format: 'jpeg' })
  t.strictSame(await inkedArea(jpeg.bytes), [150, 200, 50, 50])
  const { bytes } = await drawnPdf(quarter, {}, { format: 'svg' })
  t.match(bytes.toString(), /<image [^>]*xlink:href="data:image\/png;base64,/)
  const whole = [100, 200, 100, 100]
  const area = await inkedArea(bytes)
  t.ok(
    whole.every((value, index) => Math.abs(value - (area[index] ?? 0)) <= 2),
    area.join(),
  )
})

t.test('render: crop box, rotation and UserUnit decide what of the page is shown', async (t) => {
  const areaOf = async (page: string) =>
    inkedArea((await drawnPdf(pdf({ page }), {}, { format: 'png' })).bytes)
  t.strictSame(await areaOf('/CropBox [50 0 200 100]'), [125, 150, 50, 100])
  t.strictSame(await areaOf('/CropBox [200 100 50 -20]'), [125, 150, 50, 100], 'within the media box')
  t.strictSame(await areaOf('/Rotate 90'), [100, 100, 100, 100])
  t.strictSame(await areaOf('/Rotate 180'), [200, 100, 100, 100])
  t.strictSame(await areaOf('/Rotate -90'), [200, 200, 100, 100])
  t.strictSame(await areaOf('/CropBox [0 0 100 200] /Rotate 90 /UserUnit 1.5'), [50, 125, 150, 150])
})

t.test('render: a design that was made with a picture of the page keeps its size', async (t) => {
  const { bytes } = await drawnPdf(quarter, { width: 300, height: 300 }, { format: 'png' })
  t.strictSame(await inkedArea(bytes), [50, 200, 150, 150])
  const { refusals } = await drawnPdf(quarter, { width: 300, height: 200 })
  t.match(refusals, [/measures 200 × 200 pixels, but the design was made with 300 × 200/])
  const cropped = await drawnPdf(
    quarter,
    { cropX: 50, cropY: 50, width: 100, height: 100 },
    { format: 'png' },
  )
  t.strictSame(await inkedArea(cropped.bytes), [150, 200, 50, 50])
})

const twoPages = pdf({
  kids: ['5 0 R'],
  tree: '/CropBox [0 0 100 100]',
  objects: [
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 6 0 R >>',
    pdfStream('', '0 0 50 50 re f'),
  ],
})

t.test('render: `page` chooses the page, and one that the PDF does not have is refused', async (t) => {
  const second = await drawnPdf(twoPages, { page: 2 }, { format: 'png' })
  t.strictSame(await inkedArea(second.bytes), [150, 200, 50, 50], 'the page inherits its crop box')
  t.match((await drawnPdf(twoPages, { page: 3 })).refusals, ['The PDF has 2 pages; the design shows page 3.'])
  t.match((await drawnPdf(quarter, { page: 2 })).refusals, ['The PDF has 1 page; the design shows page 2.'])
  t.match((await drawnPdf(quarter, { page: 0 })).refusals, [/property page is 0/])
})

t.test('render: a PDF in a PDF is placed as vectors, with its content unchanged', async (t) => {
  const { bytes, warnings } = await drawnPdf(
    pdf({ page: '/Rotate 90', content: '0 1 0 0 k 0 0 100 100 re f' }),
  )
  t.strictSame(warnings, [])
  const text = bytes.toString('latin1')
  t.match(text, /\/Subtype \/Form\n\/BBox \[0 0 200 200\]\n\/Matrix \[0 -1 1 0 0 200\]/)
  t.notMatch(text, /\/Subtype \/Image/)
  const again = await drawnPdf(pdf({ page: '/Rotate 90', content: '0 1 0 0 k 0 0 100 100 re f' }))
  const hash = (file: Buffer) => createHash('sha256').update(file).digest('hex')
  t.equal(hash(again.bytes), hash(bytes), 'the same design gives the same bytes')
})

t.test('render: a tinted or filtered PDF is printed as a picture', async (t) => {
  const { bytes } = await drawnPdf(quarter, { fill: '#ff0000' })
  t.match(bytes.toString('latin1'), /\/Subtype \/Image/)
  t.notMatch(bytes.toString('latin1'), /\/Subtype \/Form/)
})

t.test('render: what only a viewer needs is not copied', async (t) => {
  const page = `/Resources << /Properties << /P 5 0 R >> /XObject << /X 6 0 R >> >> /Metadata 5 0 R
    /Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 9 9] >>]`
  const form =
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /PieceInfo 5 0 R /StructParent 3 /Extra << /Secret (hidden) >>'
  const file = pdf({
    page,
    content: '/X Do',
    objects: ['<< /Secret (hidden) >>', pdfStream(form, '0 0 9 9 re f')],
  })
  const { bytes, messages } = await drawnPdf(file)
  t.strictSame(messages, ['The PDF has form fields or comments, which are not printed.'])
  t.notMatch(bytes.toString('latin1'), /Secret|PieceInfo|StructParent|Annot|Properties/)
})
