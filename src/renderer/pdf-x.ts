// What makes a PDF a PDF/X-4 (ISO 15930-7): output intent, metadata, the key Trapped, and a group of inks on each page.
import { deflateSync } from 'node:zlib'
import { added, type Document } from './pdf-document.ts'

export interface OutputIntent {
  /** Bytes of the output profile. */
  profile: Uint8Array
  /** Name of the printing condition. */
  condition: string
}

/** Printing conditions of the registry of the ICC, under the names that shops use. */
const registered = new Map([
  ['FOGRA39', 'FOGRA39'],
  ['FOGRA51', 'FOGRA51'],
  ['FOGRA52', 'FOGRA52'],
  ['GRACOL2006', 'CGATS TR 006'],
  ['SWOP', 'CGATS TR 001'],
])

/** Before the document is ended. */
export function declarePdfX(
  doc: Document,
  { profile, condition }: OutputIntent,
  { id, title, now }: { id: Buffer; title: string; now: Date },
): void {
  const embedded = added(doc, { N: 4, Filter: 'FlateDecode' }, deflateSync(profile))
  const known = registered.get(condition.toUpperCase())
  const intent = added(doc, {
    Type: 'OutputIntent',
    S: 'GTS_PDFX',
    OutputConditionIdentifier: new String(known ?? condition),
    ...(known && { RegistryName: new String('http://www.color.org') }),
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
  // Readers that do not know PDF look for the packet as it is.
  metadata.compress = false
  metadata.end(
    Buffer.from(packet({ id: id.toString('hex'), title, time: now.toISOString().replace(/\.\d+/, '') })),
  )
  Object.assign(doc._root.data, { OutputIntents: [intent], Metadata: metadata })
}

/** PDFKit writes strings of the document's information as strings, but this one is a name. */
const plainName = (name: string) => ({ [Symbol.toStringTag]: 'Name', toString: () => `/${name}` })

/** XML 1.0 §2.2 has neither control characters nor U+FFFE, U+FFFF and lone surrogates. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ')

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
