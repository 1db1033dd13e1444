/**
 * The clauses of ISO 15930-7 (PDF/X-4) that apply to our files, checked on what qpdf says of their objects: 6.2.2 embedded
 * fonts, 6.2.3 color spaces and no uncalibrated RGB, 6.2.4 output intent, 6.2.5 blending space, 6.4 boxes, 6.6 metadata,
 * 6.7 Trapped and dates, 6.8 no encryption, 6.9 no transfer functions, halftones, PostScript, actions or scripts.
 */
type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

interface QpdfJson {
  qpdf: [{ pdfversion: string }, Record<string, { value?: Value; stream?: { dict: Value; data: string } }>]
}

const bag = (value: Value | undefined): Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

export function pdfXFaults({ qpdf: [, objects] }: QpdfJson): string[] {
  const faults: string[] = []
  const expect = (isSo: boolean, fault: string) => {
    if (!isSo) faults.push(fault)
  }
  const resolved = (value: Value | undefined): Record<string, Value> => {
    const found = typeof value === 'string' ? objects[`obj:${value}`] : undefined
    return found ? bag(found.value ?? found.stream?.dict) : bag(value)
  }
  const trailer = bag(objects.trailer?.value)
  const root = resolved(trailer['/Root'])
  const info = resolved(trailer['/Info'])
  expect(trailer['/Encrypt'] === undefined, 'encrypted')
  expect(Array.isArray(trailer['/ID']), 'no file identifier')
  for (const key of ['/Title', '/CreationDate', '/ModDate'])
    expect(typeof info[key] === 'string', `Info has no ${key}`)
  const trapped = objects[`obj:${info['/Trapped']}`]?.value ?? info['/Trapped']
  expect(trapped === '/False' || trapped === '/True', `Trapped is ${trapped}`)
  const intents = Array.isArray(root['/OutputIntents']) ? root['/OutputIntents'].map(resolved) : []
  const intent = intents.find((each) => each['/S'] === '/GTS_PDFX')
  expect(typeof intent?.['/OutputConditionIdentifier'] === 'string', 'no output intent for PDF/X')
  expect(resolved(intent?.['/DestOutputProfile'])['/N'] === 4, 'no output profile of four inks')
  const packet = objects[`obj:${root['/Metadata']}`]?.stream?.data ?? ''
  const metadata = Buffer.from(packet, 'base64').toString()
  for (const part of [
    '<pdfxid:GTS_PDFXVersion>PDF/X-4<',
    '<pdf:Trapped>False<',
    '<xmp:CreateDate>',
    '<xmpMM:DocumentID>',
    '<dc:title>',
  ])
    expect(metadata.includes(part), `the metadata lack ${part}`)
  for (const [name, { value, stream }] of Object.entries(objects)) {
    const dict = bag(value ?? stream?.dict)
    for (const key of ['/JS', '/AA', '/TR', '/HTP', '/OPI', '/Alternates'])
      expect(dict[key] === undefined, `${name} has ${key}`)
    if (dict['/Type'] === '/Page') pageFaults(name, dict, expect)
    if (dict['/Type'] === '/FontDescriptor')
      expect(
        ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => dict[key] !== undefined),
        `${name}: a font is not embedded`,
      )
    if (dict['/Subtype'] === '/Image')
      expect(dict['/ColorSpace'] !== '/DeviceRGB', `${name}: a picture in RGB`)
    expect(dict['/CS'] !== '/DeviceRGB' && dict['/ColorSpace'] !== '/DeviceRGB', `${name}: RGB`)
    const content =
      stream &&
      dict['/Subtype'] !== '/Image' &&
      dict['/Type'] !== '/Metadata' &&
      dict['/Length1'] === undefined
    const isText = content && dict['/N'] === undefined
    const text = isText ? Buffer.from(stream.data, 'base64').toString('latin1') : ''
    expect(!/(?:^|\s)(?:rg|RG)(?:\s|$)|\/DeviceRGB (?:cs|CS)/.test(text), `${name}: RGB in the content`)
  }
  return faults
}

function pageFaults(
  name: string,
  dict: Record<string, Value>,
  expect: (isSo: boolean, fault: string) => void,
): void {
  const box = (key: string) => (Array.isArray(dict[key]) ? dict[key].map(Number) : [])
  const [trim, media] = [box('/TrimBox'), box('/MediaBox')]
  // Sheets have none: ISO 32000 takes the media box then.
  const bleed = dict['/BleedBox'] === undefined ? media : box('/BleedBox')
  expect(trim.length === 4 && media.length === 4, `${name}: no TrimBox`)
  const within = (inner: number[], outer: number[]) =>
    inner.every((value, index) =>
      index < 2 ? value >= (outer[index] ?? 0) - 0.01 : value <= (outer[index] ?? 0) + 0.01,
    )
  expect(within(trim, bleed) && within(bleed, media), `${name}: boxes that do not contain one another`)
  expect(dict['/ArtBox'] === undefined, `${name}: both ArtBox and TrimBox`)
  expect(bag(dict['/Group'])['/CS'] === '/DeviceCMYK', `${name}: no blending space`)
}
