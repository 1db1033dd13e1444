// PDF files with a script or other active content, each in a notation that programs may read differently. The oracles decide
// which of them work in a viewer; those must be rejected.
import { deflateSync } from 'node:zlib'
import { type Indexed, indexedPdf, pdf, pdfStream } from '../fixtures/make-pdf.ts'
import {
  filler,
  filterForms,
  headerForms,
  lineEnds,
  linkTargets,
  nameForms,
  oddly,
  packedForms,
  parameterForms,
  referenceForms,
  urls,
} from './pdf-spellings.ts'

interface PdfVariant {
  name: string
  bytes: Buffer
}

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

/** A catalog with object 9 as its open action. */
const file = (options: Partial<Indexed>) => indexedPdf({ catalog: '/OpenAction 9 0 R', ...options })

interface Packed {
  head?: string
  content?: string
  dict?: string
  data?: Buffer
  /** Between the keyword `stream` and its data. */
  lineEnd?: string
  /** A value that the dictionary refers to, as object 15. */
  value?: string
}

/** The action as object 9 in an object stream. */
function packed({
  head = '9 0 ',
  content = SCRIPT,
  dict,
  data,
  lineEnd = '\n',
  value = 'null',
}: Packed = {}): Buffer {
  const bytes = data ?? deflateSync(head + content)
  const entries =
    dict ?? `/Type /ObjStm /N 1 /First ${head.length} /Filter /FlateDecode /Length ${bytes.length}`
  const stream = Buffer.concat([
    Buffer.from(`<< ${entries} >>\nstream${lineEnd}`, 'latin1'),
    bytes,
    Buffer.from('\nendstream'),
  ])
  return file({ objects: { 14: stream, 15: value }, packed: { 9: [14, 0] } })
}

/** Rows of a PNG filter that changes nothing. */
function rows(text: string, columns: number, { cut = false } = {}): Buffer {
  const padded = cut ? text : text.padEnd(Math.ceil(text.length / columns) * columns)
  const parts: Buffer[] = []
  for (let at = 0; at < padded.length; at += columns)
    parts.push(Buffer.from([0]), Buffer.from(padded.slice(at, at + columns)))
  return deflateSync(Buffer.concat(parts))
}

function* references(): Generator<[string, Buffer]> {
  for (const reference of referenceForms) {
    yield [
      `opening action ${reference}`,
      file({ catalog: `/OpenAction ${reference}`, objects: { 9: SCRIPT } }),
    ]
    yield [
      `link ${reference}`,
      file({
        catalog: '',
        page: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A ${reference} >>]`,
        objects: { 9: SCRIPT },
      }),
    ]
    yield [
      `type ${reference}`,
      file({ catalog: `/OpenAction << /S ${reference} /JS (1) >>`, objects: { 9: '/JavaScript' } }),
    ]
    yield [
      `script ${reference}`,
      file({ catalog: `/OpenAction << /S /JavaScript /JS ${reference} >>`, objects: { 9: '(1)' } }),
    ]
    const header = reference.replace(/R/, 'obj').replace(/r$/, 'obj')
    yield [`header ${header}`, file({ headers: { 9: header }, objects: { 9: SCRIPT } })]
    yield [
      `header ${header} without index`,
      file({ headers: { 9: header }, objects: { 9: SCRIPT }, startxref: 0 }),
    ]
  }
}

function* dictionaries(): Generator<[string, Buffer]> {
  for (const name of nameForms) {
    yield [`name ${name}`, file({ objects: { 9: `<< /S ${name} /JS (1) >>` } })]
    yield [`packed name ${name}`, packed({ content: `<< /S ${name} /JS (1) >>` })]
  }
  for (const noise of filler) {
    const parts = ['<<', '/S', '/JavaScript', '/JS', '(1)', '>>']
    for (let at = 0; at <= parts.length; at++) {
      const content = [...parts.slice(0, at), noise, ...parts.slice(at)].join(' ')
      yield [`noise ${noise} at ${at}`, file({ objects: { 9: content } })]
      yield [`packed noise ${noise} at ${at}`, packed({ content })]
    }
    yield [`noise ${noise} shifts`, file({ objects: { 9: `<< /X ${noise} /Y /S /JavaScript /JS (1) >>` } })]
    yield [
      `noise ${noise} in front`,
      file({ objects: { 9: `<< /X << >> ${noise} >> << /S /JavaScript /JS (1) >>` } }),
    ]
  }
}

function* packings(): Generator<[string, Buffer]> {
  const plain = `9 0 ${SCRIPT}`
  const size = deflateSync(plain).length
  yield ['plain', packed()]
  for (const lineEnd of lineEnds) {
    yield [`line end ${lineEnd}`, packed({ lineEnd })]
    yield [
      `line end ${lineEnd}, not deflated`,
      packed({
        lineEnd,
        data: Buffer.from(plain),
        dict: `/Type /ObjStm /N 1 /First 4 /Length ${plain.length}`,
      }),
    ]
  }
  const sizes: Record<string, string> = { N: '1', First: '4', Length: String(size) }
  for (const [key, right] of Object.entries(sizes)) {
    for (const value of oddly(right)) {
      const entries = Object.entries({ ...sizes, [key]: value })
        .map(([name, each]) => `/${name} ${each}`)
        .join(' ')
      yield [
        `${key} ${value}`,
        packed({ dict: `/Type /ObjStm /Filter /FlateDecode ${entries}`, value: right }),
      ]
      yield [
        `${key} twice ${value}`,
        packed({ dict: `/Type /ObjStm /Filter /FlateDecode /${key} ${right} ${entries}`, value: right }),
      ]
      yield [
        `${key} twice ${value} behind`,
        packed({ dict: `/Type /ObjStm /Filter /FlateDecode ${entries} /${key} ${right}`, value: right }),
      ]
    }
  }
  for (const filter of filterForms)
    yield [
      `filter ${filter}`,
      packed({
        dict: `/Type /ObjStm /N 1 /First 4 /Length ${size} /Filter ${filter}`,
        value: '/FlateDecode',
      }),
    ]
  for (const dict of packedForms)
    yield [
      `dictionary ${dict}`,
      packed({ dict: `${dict} /Filter /FlateDecode /Length ${size}`, value: '/ObjStm' }),
    ]
  for (const head of headerForms) yield [`head ${head}`, packed({ head })]
  const hidden = `(x${SCRIPT.replace(/[()]/g, '')}x)`
  yield [
    'within a string',
    packed({
      head: '8 0 9 2 ',
      content: hidden,
      dict: `/Type /ObjStm /N 2 /First 8 /Filter /FlateDecode /Length ${deflateSync(`8 0 9 2 ${hidden}`).length}`,
    }),
  ]
  yield ['between objects', packed({ head: '9 30', content: `${' '.repeat(30)}1 ${SCRIPT}` })]
  for (const kind of ['gap', 'cut']) {
    const text = kind === 'gap' ? `9 2 1 ${SCRIPT}` : plain.slice(0, -4)
    yield [
      `content ${kind}`,
      packed({
        data: deflateSync(text),
        dict: `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${deflateSync(text).length}`,
      }),
    ]
  }
}

function* predictors(): Generator<[string, Buffer]> {
  const text = `9 0 ${SCRIPT}`
  const tries = [8, 16].flatMap((columns) =>
    parameterForms.map((pattern): [form: string, columns: number, value: string] => {
      const form = pattern.replaceAll('COLUMNS', String(columns)).replaceAll('DOUBLE', String(columns * 2))
      const whole = `<< /Predictor 12 /Columns ${columns} >>`
      return [
        form,
        columns,
        /Predictor 15/.test(form) ? '12' : /Columns 15/.test(form) ? String(columns) : whole,
      ]
    }),
  )
  for (const [form, columns, value] of tries) {
    for (const cut of [false, true]) {
      const data = rows(text, columns, { cut })
      const dict = `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${data.length}`
      for (const key of ['DecodeParms', 'DP', 'FDecodeParms', 'DecodeParms null /DecodeParms'])
        yield [
          `${key} ${form}${cut ? ', last row cut' : ''}`,
          packed({ data, dict: `${dict} /${key} ${form}`, value }),
        ]
    }
  }
}

function* indexes(): Generator<[string, Buffer]> {
  const widths = [
    '[1 4 2]',
    '[+1 4 2]',
    '[1.0 4 2]',
    '[1 4 2 0]',
    '15 0 R',
    '[1 15 0 R 2]',
    '[1 4 2] /W [1 1 1]',
    '[1 1 1] /W [1 4 2]',
    '[1 4 2.0]',
    '[1 4 -2]',
    '[1 4 2-0]',
  ]
  for (const W of widths) yield [`widths ${W}`, file({ objects: { 9: SCRIPT, 15: '[1 4 2]' }, W })]
  for (const index of [
    '[0 16]',
    '[+0 16]',
    '15 0 R',
    '[0 16] /Index [0 1]',
    '[0 1] /Index [0 16]',
    '[0 16.0]',
    '[0 8 8 8]',
    '[-0 16]',
  ])
    yield [`index ${index}`, file({ objects: { 9: SCRIPT, 15: '[0 16]' }, index })]
  // The cross-reference leads into the number of another object.
  for (const number of ['19', '0009', '1.9', '+9', '1E9', '%9', '(9', 'x9'])
    yield [
      `alias ${number}`,
      file({ objects: { 9: SCRIPT }, headers: { 9: `${number} 0 obj` }, aliases: { 9: number.length - 1 } }),
    ]
  const body = `9 0 obj ${SCRIPT} endobj`
  for (const wrap of ['%%', `(%)`, '<%>', `%\n%`, '[%]']) {
    const hidden = pdfStream(
      '/Subtype /Image',
      wrap.replace('%', () => body),
    )
    yield [`in an image, ${wrap}`, file({ objects: { 14: hidden }, inside: { 9: [14, body] } })]
  }
  yield ['in a table', pdf({ catalog: '/OpenAction 5 0 R', objects: [SCRIPT] })]
}

function* others(): Generator<[string, Buffer]> {
  const link = (action: string) =>
    pdf({ page: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A << ${action} >> >>]` })
  for (const uri of urls) yield [`address ${uri}`, link(`/S /URI /URI ${uri}`)]
  for (const target of linkTargets) yield [`file ${target}`, link(`/S /GoToR /D [0 /Fit] /F ${target}`)]
  yield [
    'base',
    pdf({
      catalog: '/URI << /Base (javascript:1//) >>',
      page: '/Annots [<< /Subtype /Link /A << /S /URI /URI (x) >> >>]',
    }),
  ]
}

/** Every single notation, by name. */
export function pdfVariants(): PdfVariant[] {
  const all = [references(), dictionaries(), packings(), predictors(), indexes(), others()]
  return all.flatMap((kind) => [...kind].map(([name, bytes]) => ({ name: JSON.stringify(name), bytes })))
}

/** The plain forms, with nothing active in them. */
export function plainForms(): PdfVariant[] {
  const content = '<< /S /GoTo /D [3 0 R /Fit] >>'
  const [text, data] = [`9 0 ${content}`, deflateSync(`9 0 ${content}`)]
  const sizes = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'
  const row = (parameters: string, { columns = 8 } = {}) => {
    const packedRows = rows(text, columns)
    return packed({
      data: packedRows,
      dict: `${sizes} /Length ${packedRows.length} /DecodeParms ${parameters}`,
    })
  }
  const forms: Record<string, Buffer> = {
    'an object of its own': file({ objects: { 9: content } }),
    packed: packed({ content }),
    'packed, not deflated': packed({
      data: Buffer.from(text),
      dict: `/Type /ObjStm /N 1 /First 4 /Length ${text.length}`,
    }),
    'packed, with another line end': packed({ content, lineEnd: '\r\n' }),
    'packed, its length elsewhere': packed({
      content,
      dict: `${sizes} /Length 15 0 R`,
      value: String(data.length),
    }),
    'packed, its filter in a list': packed({
      content,
      dict: `/N 1 /First 4 /Filter [/FlateDecode] /DecodeParms [null] /Length ${data.length}`,
    }),
    'packed in rows': row('<< /Predictor 12 /Columns 8 >>'),
    'packed in rows, with all parameters': row(
      '[<< /Predictor 15 /Columns 16 /Colors 1 /BitsPerComponent 8 >>]',
      { columns: 16 },
    ),
  }
  return Object.entries(forms).map(([name, bytes]) => ({ name, bytes }))
}

/** What the random combinations start with. */
export const seeds: readonly Buffer[] = [
  packed(),
  packed({
    data: Buffer.from(`9 0 ${SCRIPT}`),
    dict: `/Type /ObjStm /N 1 /First 4 /Length ${`9 0 ${SCRIPT}`.length}`,
  }),
  file({ objects: { 9: SCRIPT } }),
  file({
    catalog: '',
    page: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A 9 0 R >>]',
    objects: { 9: SCRIPT },
  }),
  file({ catalog: '/OpenAction << /S 9 0 R /JS (1) >>', objects: { 9: '/JavaScript' } }),
]
