// Declares a PDF as PDF/X-4 (ISO 15930-7): output intent, metadata and the key Trapped. write-pdf.ts adds the group of inks on each
// page.
import { deflateSync } from 'node:zlib'
import { added, type Document } from './pdf-document.ts'

/** The press for which the file is made. */
export interface OutputIntent {
  /** The bytes of the output profile. */
  profile: Uint8Array
  /** The name of the printing condition, such as FOGRA39. */
  condition: string
}

/** The names in the registry of the ICC by the names of printing conditions that shops use. */
const registeredNames = new Map([
  ['FOGRA39', 'FOGRA39'],
  ['FOGRA51', 'FOGRA51'],
  ['FOGRA52', 'FOGRA52'],
  ['GRACOL2006', 'CGATS TR 006'],
  ['SWOP', 'CGATS TR 001'],
])

/** Adds the declarations to the document; called before it ends. @param now the time of its creation, which PDF/X-4 requires */
export function declarePdfX(
  doc: Document,
  { profile, condition }: OutputIntent,
  { id, title, now }: { id: Buffer; title: string; now: Date },
): void {
  const embedded = added(doc, { N: 4, Filter: 'FlateDecode' }, deflateSync(profile))
  const registeredName = registeredNames.get(condition.toUpperCase())
  const intent = added(doc, {
    Type: 'OutputIntent',
    S: 'GTS_PDFX',
    // PDFKit writes String objects as strings, and plain ones as names.
    OutputConditionIdentifier: new String(registeredName ?? condition),
    ...(registeredName && { RegistryName: new String('http://www.color.org') }),
    Info: new String(condition),
    DestOutputProfile: embedded,
  })
  Object.assign(doc.info, {
    Title: new String(title),
    CreationDate: now,
    ModDate: now,
    Trapped: plainName('False'),
  })
  const metadata = doc.ref({ Type: 'Metadata', Subtype: 'XML' })
  // Not compressed: programs that cannot read PDF search the file for the XMP packet.
  metadata.compress = false
  metadata.end(
    Buffer.from(packet({ id: id.toString('hex'), title, time: now.toISOString().replace(/\.\d+/, '') })),
  )
  Object.assign(doc._root.data, { OutputIntents: [intent], Metadata: metadata })
}

/** A value that PDFKit writes as a name in the document information, where it writes strings as strings. See `verbatim` in pdf-form.ts. */
const plainName = (name: string) => ({ [Symbol.toStringTag]: 'Name', toString: () => `/${name}` })

/** Text for XML, without the characters that XML 1.0 §2.2 does not allow: control characters, U+FFFE, U+FFFF, lone surrogates. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ')

/** The XMP packet of the document (ISO 16684-1). @param id hexadecimal @param time ISO 8601 without fractions */
function packet({ id, title, time }: { id: string; title: string; time: string }): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<xmp:CreatorTool>svc-api</xmp:CreatorTool>
<xmp:CreateDate>${time}</xmp:CreateDate>
<xmp:ModifyDate>${time}</xmp:ModifyDate>
<xmp:MetadataDate>${time}</xmp:MetadataDate>
<pdf:Producer>svc-api</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
<xmpMM:DocumentID>uuid:${id}</xmpMM:DocumentID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<xmpMM:VersionID>1</xmpMM:VersionID>
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`
}
