// PDFs of customers in files for the press: placed unchanged where all colors are inks, otherwise pictures that the profile converts.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PdfKit from 'pdfkit'
import t from 'tap'
import { pdf, pdfStream } from '../../support/fixtures/make-pdf.ts'
import { drawnPdf, pressProfile } from '../../support/render/pdf-designs.ts'

const font = readFileSync(
  resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
)

/** In the inks of a press, and what it came to. */
async function pressed(file: Buffer, parameters: object = {}, options: object = {}) {
  const profile = await pressProfile()
  const press = {
    profile,
    condition: 'Test',
    overprintBlack: false,
    blackInk: 'text',
    maxInk: 400,
    spots: [],
  } as const
  const { bytes, refusals, messages } = await drawnPdf(file, parameters, { press }, options)
  const text = bytes.toString('latin1')
  return {
    refusals,
    messages,
    isVectors: text.includes('/Subtype /Form\n/BBox [0 0 200 200]'),
    isPicture: text.includes('/Subtype /Image'),
    text,
  }
}

const withResources = (resources: string, content: string, objects: (string | Buffer)[] = []) =>
  pdf({ page: `/Resources << ${resources} >>`, content, objects })

const spot =
  '[/Separation /PANTONE#20186#20C /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 .8 0] /N 1 >>]'
const profiled = pdfStream('/N 4 /Alternate /DeviceCMYK', 'not looked at')

t.test('render: a PDF in gray, CMYK and spot colors goes into a PDF/X-4 as it is', async (t) => {
  for (const file of [
    pdf(),
    pdf({ content: '0 1 0 0 k 0 0 9 9 re f 0.5 G 0 0 m 9 9 l S' }),
    withResources(`/ColorSpace << /S ${spot} >>`, '/S cs 1 scn 0 0 100 100 re f'),
    withResources('/ExtGState << /G << /ca .5 /BM /Multiply >> >>', '/G gs 0 1 0 0 k 0 0 9 9 re f'),
    pdf({ content: 'BI /W 1 /H 1 /CS /CMYK /BPC 8 ID \0\0\0\0 EI (0 0 1 rg) Tj % 1 0 0 rg' }),
    // Colors that nothing uses do not count.
    withResources('/ColorSpace << /C /DeviceRGB >> /XObject << /X 5 0 R >>', '0 0 9 9 re f', [
      pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '1 0 0 rg 0 0 9 9 re f'),
    ]),
  ])
    t.match(await pressed(file), { refusals: [], messages: [], isVectors: true, isPicture: false })
  const { text } = await pressed(withResources(`/ColorSpace << /S ${spot} >>`, '/S cs 1 scn 0 0 9 9 re f'))
  t.match(text, /\/Separation \/PANTONE#20186#20C \/DeviceCMYK/)
})

t.test(
  'render: a PDF with RGB, Lab or profiled colors becomes a picture in a PDF/X-4, with a warning',
  async (t) => {
    const image = (space: string) =>
      pdfStream(
        `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace ${space}`,
        'abc',
      )
    const shading =
      '/ShadingType 2 /Coords [0 0 9 9] /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >>'
    for (const file of [
      pdf({ content: '1 0 0 rg 0 0 100 100 re f' }),
      pdf({ content: '/DeviceRGB cs 1 0 0 scn 0 0 100 100 re f' }),
      withResources('/ColorSpace << /C [/ICCBased 5 0 R] >>', '/C cs 0 1 0 0 scn 0 0 9 9 re f', [profiled]),
      withResources('/ColorSpace << /DefaultCMYK [/ICCBased 5 0 R] >>', '0 0 0 1 k 0 0 9 9 re f', [profiled]),
      withResources('/XObject << /X 5 0 R >>', '/X Do', [image('/DeviceRGB')]),
      withResources('/XObject << /X 5 0 R >>', '/X Do', [image('[/Indexed /DeviceRGB 1 <000000ffffff>]')]),
      withResources(`/Shading << /S << ${shading} /ColorSpace /DeviceRGB >> >>`, '/S sh'),
      withResources('/XObject << /X 5 0 R >>', '/X Do', [
        pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '1 0 0 rg 0 0 9 9 re f'),
      ]),
      pdf({ content: 'BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI' }),
    ]) {
      const { messages, ...found } = await pressed(file)
      t.match(found, { refusals: [], isVectors: false, isPicture: true })
      t.strictSame(messages, [
        'The PDF is printed as a picture, not as vectors: it has colors in RGB or with a profile, which the output profile converts.',
      ])
    }
  },
)

t.test('render: outside of a press a PDF keeps its RGB and profiled colors as vectors', async (t) => {
  const file = withResources(
    '/ColorSpace << /C [/ICCBased 5 0 R] >>',
    '/C cs 0 1 0 0 scn 0 0 9 9 re f 1 0 0 rg',
    [profiled],
  )
  const { bytes, messages } = await drawnPdf(file)
  t.strictSame(messages, [])
  t.match(bytes.toString('latin1'), /\/ICCBased \d+ 0 R/)
})

/** Text in CMYK with a font, which the file contains. */
async function written(color: number[] = [0, 100, 0, 0]) {
  const doc = new PdfKit({ size: [200, 200], margin: 0 })
  const whole = buffer(doc as unknown as NodeJS.ReadableStream)
  doc
    .font(font as never)
    .fontSize(30)
    .fillColor(color as never)
    .text('Logo', 20, 20)
  doc.end()
  return whole
}

t.test('render: the fonts of a PDF are embedded, and a font that it lacks makes it a picture', async (t) => {
  const inside = await pressed(await written())
  t.match(inside, { refusals: [], messages: [], isVectors: true, isPicture: false })
  t.match(inside.text, /\/FontName \/[A-Z]+\+LiberationSans[\s\S]*\/FontFile2 \d+ 0 R/)
  const bare = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Optima >> >>'
  const lacking = withResources(bare, 'BT /F 30 Tf 20 20 Td (Logo) Tj ET')
  for (const format of ['svg-pdf', 'png'] as const) {
    const { messages, bytes } = await drawnPdf(lacking, {}, { format })
    t.strictSame(messages, [
      'The PDF does not contain its fonts "Optima"; it is printed in similar ones, as a picture.',
    ])
    t.notMatch(bytes.toString('latin1'), /BaseFont/)
  }
  const unused = withResources(bare, '0 0 9 9 re f')
  t.strictSame((await drawnPdf(unused)).messages, [])
})

t.test('render: layers and transfer functions make a PDF a picture', async (t) => {
  const layer = withResources(
    '/Properties << /L << /Type /OCG /Name (L) >> >>',
    '/OC /L BDC 0 0 9 9 re f EMC',
  )
  t.match((await drawnPdf(layer)).messages, [/as a picture, not as vectors: it has layers\./])
  const curve = withResources(
    '/ExtGState << /G << /TR << /FunctionType 2 /N 2 >> >> >>',
    '/G gs 0 0 9 9 re f',
  )
  t.match((await drawnPdf(curve)).messages, [/it has a transfer function\./])
})

t.test('render: white is printed below the vectors of a PDF', async (t) => {
  const { text, refusals } = await pressed(
    pdf(),
    {},
    { output: { width: 100, height: 100, whiteUnderprint: 'White' } },
  )
  t.strictSame(refusals, [])
  t.match(text, /\/Separation \/White/)
  t.match(text, /\/S \/Alpha/)
})
