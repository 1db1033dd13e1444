// Hostile PDF files: hidden active content, embedded files, and structures that are expensive to parse.
import { deflateSync } from 'node:zlib'
import { packedObjects, pdf, pdfStream } from '../fixtures/make-pdf.ts'
import type { HostileFile } from './hostile-files.ts'

const JAVASCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

/** A revision appended at the end, which replaces the catalog. */
function increment(file: Buffer, catalog: string): Buffer {
  const start = file.length
  const index = `xref\n1 1\n${String(start).padStart(10, '0')} 00000 n \n`
  const body = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`
  const trailer = `trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${start + body.length}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(body + index + trailer)])
}

/** An object inside an image's data, which only the cross-reference table leads to. */
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

/** The file with a string replaced. Its cross-reference table may then be wrong, as in many files. */
function changed(file: Buffer, ...changes: [from: string | RegExp, to: string][]): Buffer {
  const text = changes.reduce((all, [from, to]) => all.replace(from, () => to), file.toString('latin1'))
  return Buffer.from(text, 'latin1')
}

const withAction = (action: string, ...objects: string[]) =>
  pdf({ page: `/Annots [<< /A ${action} >>]`, objects })

/** An action in a separate object, with an unusual object header and no cross-reference table. */
const numbered = (number: string, action = JAVASCRIPT) =>
  changed(withAction('5 0 R', action), ['5 0 obj', number], [/xref\n0[\s\S]*?trailer/, 'trailer'])

/** An action packed in an object stream with an unusual dictionary or data. */
function packedOddly(
  changes: [from: string, to: string][],
  content = `9 0 ${JAVASCRIPT}`,
  level = 9,
): Buffer {
  const first = content.search(/[<(]/)
  const packed = pdfStream(
    `/Type /ObjStm /N 1 /First ${first} /Filter /FlateDecode`,
    deflateSync(content, { level }),
  )
  return pdf({ catalog: '/OpenAction 9 0 R', objects: [changed(packed, ...changes), '1'] })
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
  'js-foreign-blank': changed(withAction('<< /A ! /S /JavaScript /JS (1) >>'), ['!', '\xa0']),
  'js-vertical-tab': withAction('<< /A \x0b /S /JavaScript /JS (1) >>'),
  'js-reference-comment': withAction('<< /S 5 %\n0 R /JS 6 0%\rR >>', '/JavaScript', '(1)'),
  'js-reference-far': withAction(`<< /S 5${' '.repeat(99)}0 R >>`, '/JavaScript'),
  'js-reference-zeros': withAction(`<< /S ${'0'.repeat(99)}5 000000 R >>`, '/JavaScript'),
  'js-number-comment': numbered('5 %7\n0 obj'),
  'js-number-comment-behind': numbered('5 0 %\nobj'),
  'js-number-in-comment': changed(withAction('<< /S 5 0 R >>', '/JavaScript'), ['5 0 obj', '5 %7\n0 obj']),
  'js-number-far': numbered(`5${'\n'.repeat(99)}0 obj`),
  'js-number-zeros': numbered(`${'0'.repeat(99)}5 0 obj`),
  'js-number-glued': numbered('5 0obj'),
  'js-index-comment': changed(
    withAction('<< /S 5 0 R >>', '/JavaScript'),
    ['5 0 obj', '5. 0 obj'],
    [/ 00000 n/g, ' %\n00000 n'],
  ),
  'js-stray-array-end': withAction('<< /A 1 ] /S /JavaScript /JS (1) >>'),
  'js-stray-angle': withAction('<< /A 1 > /S /JavaScript /JS (1) >>'),
  'js-stray-parenthesis': withAction('<< /S ) /JavaScript >>'),
  'js-stray-brace': withAction('<< /S { /JavaScript >>'),
  'js-stray-dict-end': pdf({ page: `/Annots [ >> << /A ${JAVASCRIPT} >> ]` }),
  'js-packed-count-elsewhere': packedOddly([['/N 1', '/N 6 0 R']]),
  'js-packed-count-twice': packedOddly([['/N 1', '/N 0 /N 1']]),
  'js-packed-count-small': packedOddly([], `8 0 9 5 (x)  ${JAVASCRIPT}`),
  'js-packed-start-elsewhere': packedOddly([['/First 4', '/First 6 0 R']]),
  'js-packed-name-escaped': packedOddly([['/N 1', '/#4e 1']]),
  'js-packed-behind-end-mark': packedOddly([['/N 1', '/N 2']], `8 0 9 11 (endstream)${JAVASCRIPT}`, 0),
  'js-in-form-field': pdf({ catalog: `/AcroForm << /Fields [<< /T (a) /AA << /K ${JAVASCRIPT} >> >>] >>` }),
  'js-in-bookmark': pdf({ catalog: '/Outlines 5 0 R', objects: [`<< /First << /A ${JAVASCRIPT} >> >>`] }),
  'js-rendition': pdf({ page: '/Annots [<< /A << /S /Rendition /JS (1) >> >>]' }),
  launch: pdf({ page: '/Annots [<< /A << /S /Launch /F (cmd.exe) >> >>]' }),
  'launch-windows': pdf({ catalog: '/OpenAction << /S /Launch /Win << /F (cmd.exe) >> >>' }),
  submit: pdf({ page: '/Annots [<< /A << /S /SubmitForm /F (http://evil.example) >> >>]' }),
  'import-data': pdf({ page: '/Annots [<< /A << /S /ImportData /F (x) >> >>]' }),
  'go-to-embedded': pdf({ page: '/Annots [<< /A << /S /GoToE >> >>]' }),
  'open-uri': pdf({ catalog: '/OpenAction << /S /URI /URI (http://evil.example) >>' }),
  'open-uri-next': pdf({
    catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next << /S /URI /URI (x) >> >>',
  }),
  'open-type-twice': pdf({ catalog: '/OpenAction << /S /GoTo /S /URI /URI (x) >>' }),
  'open-type-defined-twice': pdf({
    catalog: '/OpenAction << /S 5 0 R /URI (x) >>',
    objects: ['/GoTo', 'null endobj 5 0 obj /URI'],
  }),
  'open-go-to-other-file': pdf({ catalog: '/OpenAction << /S /GoToR /F (\\\\\\\\evil.example\\\\x) >>' }),
  'aa-among-others': pdf({ page: '/AA << /O << /S /URI /URI (x) >> /Other 1 >>' }),
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
  'embedded-bare': pdf({ objects: ['<< /EF << /UF 6 0 R >> >>', pdfStream('', 'MZ')] }),
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
  'encrypted-index-stream': pdf({ objects: [pdfStream('/Type /XRef /W [1 2 1] /Encrypt 6 0 R', '')] }),
  'html-first': Buffer.concat([Buffer.from('<html><script>alert(1)</script></html>\n'), pdf()]),
  'junk-first': Buffer.concat([Buffer.from('\n\n'), pdf()]),
  'zip-tail': Buffer.concat([pdf(), Buffer.from('PK\x03\x04PK\x05\x06')]),
  'zip-hidden-before-end': pdf({
    objects: [
      pdfStream('', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(16), Buffer.from([0xff, 0xff])])),
    ],
  }),
  'zip-in-stream': pdf({ objects: [pdfStream('', Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`))] }),
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
  'reference-bomb': pdf({
    objects: [
      ...Array.from({ length: 15 }, (_, index) =>
        `${20 + index} 0 obj ${21 + index} 0 R endobj\n`.repeat(199),
      ),
      `[${'<< /S 20 0 R /JS 20 0 R /AA 20 0 R >>'.repeat(50_000)}]`,
    ],
  }),
  'overlapping-objects': pdf({ objects: ['1 0 obj ['.repeat(200_000)] }),
}

const ACCEPTED: Record<string, Buffer> = {
  plain: pdf(),
  increment: increment(pdf(), '/PageMode /UseNone'),
  'xref-loop': Buffer.from(pdf().toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Prev 15'), 'latin1'),
  'fonts-with-odd-names': pdf({
    page: '/Resources << /Font << /EF 5 0 R /F 5 0 R /AA 5 0 R /JavaScript 5 0 R /OpenAction 5 0 R >> >>',
    objects: ['<< /Type /Font /Subtype /Type1 /BaseFont /Launch >>'],
  }),
  'words-in-comments': changed(pdf(), ['endobj', 'endobj % /S /JavaScript /JS (x) /Launch /Encrypt >> ]']),
  'numbers-of-all-kinds': pdf({ objects: ['[-.5 +3 4. .002 -0 1 0 1 --3 5 0 R 0-35 1.2.3 7 0]'] }),
  'layers-and-print-colors': pdf({
    catalog:
      '/OutputIntents [<< /S /GTS_PDFX >>] /OCProperties << /D << /AS [<< /Event /View >>] >> >> /PageLabels << /Nums [0 << /S /r >>] >>',
    page: '/Group << /S /Transparency >> /Trans << /S /Dissolve >> /AA << >>',
    objects: ['[/Separation /PANTONE#20185#20C /DeviceCMYK << /FunctionType 2 /C1 [0 .9 .7 0] >>]'],
  }),
  'packed-length-elsewhere': changed(pdf({ objects: [packedObjects({ 8: '[1]' }), '16'] }), [
    /\/Length 16/,
    '/Length 6 0 R',
  ]),
  'index-stream': pdf({
    objects: [pdfStream('/Type /XRef /W [1 2 1] /Size 3 /Root 1 0 R', Buffer.alloc(12))],
  }),
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
