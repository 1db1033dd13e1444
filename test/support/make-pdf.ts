// Builds PDF files from numbered objects, with a correct index.
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

export interface PdfOptions {
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
