// Builds PDF files from numbered objects, with a correct cross-reference table.
import { deflateSync } from 'node:zlib'

/** A stream object's body. */
export function pdfStream(dict: string, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data as string)
  return Buffer.concat([
    Buffer.from(`<< ${dict} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** An object stream that packs the objects given by number. */
export function packedObjects(objects: Record<number, string>): Buffer {
  let index = ''
  let content = ''
  for (const [number, body] of Object.entries(objects)) {
    index += `${number} ${content.length} `
    content += `${body} `
  }
  const count = Object.keys(objects).length
  return pdfStream(
    `/Type /ObjStm /N ${count} /First ${index.length} /Filter /FlateDecode`,
    deflateSync(index + content),
  )
}

interface PdfOptions {
  /** Added to the catalog. */
  catalog?: string
  /** Added to the page. */
  page?: string
  /** Added to the trailer. */
  trailer?: string
  /** Objects 5, 6, … */
  objects?: (string | Buffer)[]
}

export function pdf({ catalog = '', page = '', trailer = '', objects = [] }: PdfOptions = {}): Buffer {
  const bodies: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${page} >>`,
    pdfStream('', '0 0 100 100 re f'),
    ...objects,
  ]
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const size = () => parts.reduce((sum, part) => sum + part.length, 0)
  let index = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n`
  for (const [number, body] of bodies.entries()) {
    index += `${String(size()).padStart(10, '0')} 00000 n \n`
    parts.push(
      Buffer.concat([
        Buffer.from(`${number + 1} 0 obj\n`),
        Buffer.from(body as string),
        Buffer.from('\nendobj\n'),
      ]),
    )
  }
  const start = size()
  parts.push(
    Buffer.from(
      `${index}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export interface Indexed {
  /** Added to the catalog and to the page. */
  catalog: string
  page: string
  /** Further objects by number; those below 5 are taken. */
  objects: Record<number, string | Buffer>
  /** Unusual object headers, instead of `9 0 obj`. */
  headers: Record<number, string>
  /** By object, how far after the start of its header the cross-reference points. */
  aliases: Record<number, number>
  /** By object, the object and the string in it that the cross-reference points to. */
  inside: Record<number, [object: number, text: string]>
  /** By object, the object stream that contains it and its index there. */
  packed: Record<number, [stream: number, place: number]>
  /** `W` and `Index` of the cross-reference stream, as in its dictionary. */
  W: string
  index: string
  /** The offset after `startxref`; by default the right one. */
  startxref: number
}

/** A PDF file with a cross-reference stream, for objects up to number 15. */
export function indexedPdf(options: Partial<Indexed> = {}): Buffer {
  const {
    catalog = '',
    page = '',
    objects = {},
    headers = {},
    aliases = {},
    inside = {},
    packed = {},
  } = options
  const bodies: Record<number, string | Buffer> = {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${page} >>`,
    4: pdfStream('', '0 0 100 100 re f'),
    ...objects,
  }
  let file = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')
  const rows = Buffer.alloc(16 * 7)
  const enter = (number: number, kind: number, place: number, extra = 0) => {
    rows.writeUInt8(kind, number * 7)
    rows.writeUInt32BE(place, number * 7 + 1)
    rows.writeUInt16BE(extra, number * 7 + 5)
  }
  for (const [key, body] of Object.entries(bodies)) {
    const number = Number(key)
    enter(number, 1, file.length + (aliases[number] ?? 0))
    const head = Buffer.from(`${headers[number] ?? `${number} 0 obj`}\n`, 'latin1')
    const content = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
    for (const [other, [holder, text]] of Object.entries(inside)) {
      if (holder === number) enter(Number(other), 1, file.length + head.length + content.indexOf(text))
    }
    file = Buffer.concat([file, head, content, Buffer.from('\nendobj\n')])
  }
  for (const [number, [stream, place]] of Object.entries(packed)) enter(Number(number), 2, stream, place)
  const start = file.length
  enter(13, 1, start)
  const dict = `/Type /XRef /Size 16 /Root 1 0 R /W ${options.W ?? '[1 4 2]'} /Index ${options.index ?? '[0 16]'}`
  const end = `\nendobj\nstartxref\n${options.startxref ?? start}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from('13 0 obj\n'), pdfStream(dict, rows), Buffer.from(end)])
}
