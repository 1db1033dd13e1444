// Which PDF files only display pages, and which do more; the hostile corpus contains the long list.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { assertPassivePdf } from '../../../../src/files/pdf/check.ts'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { ensureCommands } from '../../../support/debian.ts'
import { isLinear } from '../../../support/fixtures/growth.ts'
import { packedObjects, pdf, pdfStream } from '../../../support/fixtures/make-pdf.ts'

const refused = (t: { throws: typeof import('tap').throws }, file: Buffer, message: RegExp) =>
  t.throws(() => assertPassivePdf(file), { code: 'svc_upload_rejected', message })

t.test('a plain document with links, bookmarks and an initial page is accepted', async (t) => {
  t.doesNotThrow(() => assertPassivePdf(pdf()))
  const links = '/Annots [<< /Subtype /Link /A << /S /URI /URI (https://example.org) >> >>]'
  t.doesNotThrow(() => assertPassivePdf(pdf({ page: links, catalog: '/OpenAction [3 0 R /Fit]' })))
})

t.test('assertPassivePdf: stray characters between values are skipped, and damage within them', async (t) => {
  for (const stray of [')', '}', '{']) {
    t.doesNotThrow(() => assertPassivePdf(pdf({ objects: [stray] })), stray)
    refused(t, pdf({ objects: [`<< /A ${stray} >>`] }), /damaged/)
  }
})

t.test('assertPassivePdf: a length in an object of its own may end without whitespace', async (t) => {
  const glued = (file: Buffer, ending: string) =>
    Buffer.from(file.toString('latin1').replace('58\nendobj', `58${ending}`), 'latin1')
  t.doesNotThrow(() => assertPassivePdf(glued(pdf({ objects: ['58'] }), 'endobj ')))
  for (const ending of ['endobjx ', 'x ', 'R '])
    refused(t, glued(pdf({ objects: ['58'] }), ending), /damaged/)
  refused(t, pdf({ objects: ['<< /Title 58endobj >>'] }), /damaged/)
})

t.test('assertPassivePdf: the message says what is wrong', async (t) => {
  refused(t, pdf({ catalog: '/OpenAction << /S /JavaScript /JS (1) >>' }), /scripts|opened/)
  refused(t, pdf({ objects: [pdfStream('/Type /EmbeddedFile', '')] }), /files or media/)
  refused(t, pdf({ trailer: '/Encrypt 5 0 R', objects: ['<< >>'] }), /encrypted/)
  refused(t, pdf().subarray(0, -10), /truncated/)
  refused(
    t,
    Buffer.from(pdf().toString('latin1').replace('/Pages 2 0 R', '/Pages 9 0 R'), 'latin1'),
    /damaged/,
  )
  refused(t, Buffer.concat([pdf(), Buffer.from('more')]), /after its end/)
})

t.test('an encrypted document is called encrypted, although its packed objects look damaged', async (t) => {
  const { qpdf } = await ensureCommands({ qpdf: 'qpdf' })
  const folder = t.testdir({ 'plain.pdf': pdf({ objects: [packedObjects({ 9: '<< /Title (x) >>' })] }) })
  const ways = ['40', '128', '128 --use-aes=y', '256', '256 --cleartext-metadata']
  for (const password of ['', 'secret']) {
    for (const way of ways) {
      for (const packed of ['generate', 'disable']) {
        const encrypt = ['--encrypt', password, 'owner', ...way.split(' '), '--']
        const options = [
          '--allow-weak-crypto',
          `--object-streams=${packed}`,
          ...encrypt,
          'plain.pdf',
          'encrypted.pdf',
        ]
        execFileSync(qpdf, options, { cwd: folder })
        refused(t, readFileSync(join(folder, 'encrypted.pdf')), /^The PDF is encrypted\.$/)
      }
    }
  }
})

t.test('an entry of the table that leads into the number of an object makes it another one', async (t) => {
  const link = '<< /S /URI /URI (https://example.org) >>'
  const sound = pdf({ catalog: '/OpenAction 5 0 R', objects: [link] }).toString('latin1')
  // Read from its start it is object 95, and nothing happens on opening.
  refused(t, Buffer.from(sound.replace('\n5 0 obj', '95 0 obj'), 'latin1'), /when it is opened/)
})

t.test('assertPassivePdf: an entry of the table that leads to no object is ignored', async (t) => {
  for (const words of ['7 0 xyz', '7 obj', '0 xyz']) {
    const sound = pdf({ objects: [`(${words} << /S /JavaScript /JS 1 >>)`] }).toString('latin1')
    const offset = String(sound.indexOf(words)).padStart(10, '0')
    const led = sound.replace(/\d{10}(?= 00000 n)/, offset)
    t.not(led, sound)
    t.doesNotThrow(() => assertPassivePdf(Buffer.from(led, 'latin1')), words)
  }
})

t.test('keywords of active content in strings, font names and destination names are harmless', async (t) => {
  const words = '(/S /JavaScript /JS \\(1\\) /Launch << /AA >>)'
  const file = pdf({
    page: '/Resources << /Font << /AA 6 0 R /JS 6 0 R >> >>',
    objects: [words, '<< /BaseFont /Launch >>'],
  })
  t.doesNotThrow(() => assertPassivePdf(file))
})

/** The rows of a picture of one color with 8 bits, each filtered as PNG §9.2 says. */
function filteredRows(pixels: Buffer, columns: number, filter: number): Buffer {
  const paeth = (left: number, up: number, corner: number) => {
    const guess = left + up - corner
    const nearness = (neighbor: number) => Math.abs(guess - neighbor)
    if (nearness(left) <= nearness(up) && nearness(left) <= nearness(corner)) return left
    return nearness(up) <= nearness(corner) ? up : corner
  }
  const rows = Array.from({ length: pixels.length / columns }, (_, row) => {
    const pixel = (row: number, column: number) =>
      row < 0 || column < 0 ? 0 : (pixels[row * columns + column] ?? 0)
    const filtered = Array.from({ length: columns }, (_, column) => {
      const [left, up] = [pixel(row, column - 1), pixel(row - 1, column)]
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, pixel(row - 1, column - 1))]
      return pixel(row, column) - (guesses[filter] ?? 0)
    })
    return Buffer.from([filter, ...filtered])
  })
  return Buffer.concat(rows)
}

t.test('assertPassivePdf: an object packed with a row filter is unpacked and checked', async (t) => {
  const packed = (value: string, filter: number) =>
    pdfStream(
      '/Type /ObjStm /N 1 /First 8 /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 8 >>',
      deflateSync(filteredRows(Buffer.from(`9 0     ${value}`), 8, filter)),
    )
  for (const filter of [0, 1, 2, 3, 4]) {
    refused(t, pdf({ objects: [packed('<< /S /JavaScript /JS (1) >>    ', filter)] }), /scripts/)
    t.doesNotThrow(() => assertPassivePdf(pdf({ objects: [packed('<< /Title (harmless) >> ', filter)] })))
  }
  refused(t, pdf({ objects: [packed('<< /Title (harmless) >> ', 5)] }), /unusual/)
  t.doesNotThrow(() => assertPassivePdf(pdf({ objects: [packedObjects({ 9: '<< /Title (x) >>' })] })))
})

t.test('what qpdf writes is accepted in all its forms, and what they contain is checked', async (t) => {
  const { qpdf } = await ensureCommands({ qpdf: 'qpdf' })
  const folder = t.testdir()
  const linked = (url: string) =>
    pdf({
      page: '/Annots [5 0 R]',
      objects: ['<< /Subtype /Link /A 6 0 R >>', `<< /S /URI /URI (${url}) >>`],
    })
  for (const options of ['--qdf', '--linearize', '--stream-data=uncompress', '--newline-before-endstream']) {
    for (const objects of ['generate', 'preserve', 'disable']) {
      const rewritten = (url: string) => {
        writeFileSync(join(folder, 'a.pdf'), linked(url))
        execFileSync(qpdf, ['--warning-exit-0', `--object-streams=${objects}`, options, 'a.pdf', 'b.pdf'], {
          cwd: folder,
          stdio: 'ignore',
        })
        return readFileSync(join(folder, 'b.pdf'))
      }
      t.doesNotThrow(() => assertPassivePdf(rewritten('https://example.org')), `${options} ${objects}`)
      refused(t, rewritten('javascript:1'), /links to scripts/)
    }
  }
  const inside = pdfStream('/Type /ObjStm /N 1 /First 18', '9 0 % 10 6\n10 0 % \n<< /Title (x) >>')
  refused(t, pdf({ objects: [inside] }), /unusual/)
})

t.test('assertPassivePdf: every revision and every definition of an object counts', async (t) => {
  const twice = pdf({ catalog: '/OpenAction 5 0 R', objects: ['<< /S /GoTo /D [3 0 R /Fit] >>'] }).toString(
    'latin1',
  )
  const second = twice.replace('xref\n', '5 0 obj << /S /URI /URI (x) >> endobj\nxref\n')
  t.doesNotThrow(() => assertPassivePdf(Buffer.from(twice, 'latin1')))
  refused(t, Buffer.from(second, 'latin1'), /when it is opened/)
})

t.test('a key that an object repeats a few times is accepted, and each of its values counts', async (t) => {
  t.doesNotThrow(() =>
    assertPassivePdf(pdf({ objects: ['<< /Title (a) /Type /X /Type /Y /Type /Z /Type /X >>'] })),
  )
  refused(t, pdf({ objects: ['<< /S /X /S /Y /S /JavaScript /S /Z >>'] }), /scripts/)
  refused(t, pdf({ objects: [`<< ${'/S /GoTo '.repeat(99)} >>`] }), /damaged/)
})

t.test('assertPassivePdf: an archive is detected whatever its directory says about disks', async (t) => {
  const end = Buffer.concat([Buffer.from('PK\x05\x06\x01\x00\x01\x00'), Buffer.alloc(14)])
  refused(t, pdf({ objects: [pdfStream('', end)] }), /archive/)
})

t.test('assertPassivePdf: passive links and file references are accepted', async (t) => {
  const link = (action: string) => pdf({ page: `/Annots [<< /Subtype /Link /A << ${action} >> >>]` })
  for (const address of [
    'https://example.org/a:b',
    'mailto:a@example.org',
    'chapter.html#javascript',
    '//example.org/x',
  ])
    t.doesNotThrow(() => assertPassivePdf(link(`/S /URI /URI (${address})`)), address)
  for (const name of ['other.pdf', '../b/other.pdf', 'C:\\\\b.pdf', '/C/b.pdf'])
    t.doesNotThrow(() => assertPassivePdf(link(`/S /GoToR /D [0 /Fit] /F (${name})`)), name)
})

t.test('links lead to pages, mails and calls, and to nothing that starts another program', async (t) => {
  const link = (url: string) => pdf({ page: `/Annots [<< /Subtype /Link /A << /S /URI /URI (${url}) >> >>]` })
  const schemes =
    'mhtml view-source feed jnlp ssh itms-services intent hcp vscode file javascript ms-word smb ftp news C x-a.b+c-1'
  for (const scheme of schemes.split(' '))
    refused(t, link(`${scheme}:https://example.org/x`), /other programs/)
  for (const url of [':x', '%6aavascript:1', 'java%0ascript:1', 'java\u00a0script:1', 'mailto\\072x:1'])
    refused(t, link(url), /other programs/)
  for (const url of [
    'HTTPS://example.org',
    'tel:+49-1',
    'MailTo:a@example.org?subject=a:b',
    '#a:b',
    'a/b:c',
    '?a:b',
    '',
  ])
    t.doesNotThrow(() => assertPassivePdf(link(url)), url)
  refused(t, pdf({ catalog: '/URI << /Base (vscode://x/) >>' }), /other programs/)
})

t.test('a name with a NUL character, at which some programs end it, is refused', async (t) => {
  for (const name of ['/JavaScript#00x', '/J#61vaScript#00', '/URI#00', '/X#00JavaScript'])
    refused(t, pdf({ page: `/Annots [<< /A << /S ${name} /JS (1) >> >>]` }), /NUL/)
  refused(t, pdf({ objects: ['<< /Type /EmbeddedFile#00 >>'] }), /NUL/)
  refused(t, pdf({ catalog: '/Names << /EmbeddedFiles#00y 5 0 R >>', objects: ['<< /Names [] >>'] }), /NUL/)
  refused(t, pdf({ objects: [packedObjects({ 9: '<< /S /JavaScript#00x >>' })] }), /NUL/)
})

t.test('assertPassivePdf: nothing in front of its scheme hides what a link does', async (t) => {
  const link = (text: string) => pdf({ page: `/Annots [<< /Subtype /Link /A << /S /URI /URI ${text} >> >>]` })
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`
  for (const [name, text] of Object.entries({
    spaces: `(${' '.repeat(9000)}javascript:1)`,
    'continued lines': `(${'\\\n'.repeat(9000)}file:///etc/passwd)`,
    'a mark of UTF-8': hex(Buffer.from('\ufeffjavascript:1')),
    'invisible characters': hex(Buffer.from('\ufeff\u200b\u00adjavascript:1')),
    'a wide colon': hex(Buffer.from('\ufeffjavascript\uff1a1', 'utf16le').swap16()),
    'a mark of UTF-16': hex(Buffer.from('\ufeff\u2028javascript:1', 'utf16le').swap16()),
  }))
    t.throws(() => assertPassivePdf(link(text)), { message: /links to scripts/ }, name)
})

t.test('assertPassivePdf: a check takes linear time, whatever is repeated', async (t) => {
  const parts: Record<string, (count: number) => Buffer> = {
    comments: (count) => pdf({ objects: ['%\n'.repeat(count), '%obj\n'.repeat(count)] }),
    'headers that are none': (count) => pdf({ objects: ['0 obj '.repeat(count), 'obj\n'.repeat(count)] }),
    'space before headers': (count) => pdf({ objects: [`(${' '.repeat(count)}obj)`.repeat(4)] }),
    digits: (count) =>
      pdf({ objects: [`[${'0'.repeat(count)}]`, `[${'-'.repeat(count)}1]`, `[${'1.'.repeat(count)}]`] }),
    'strings and names': (count) =>
      pdf({ objects: [`(${'\\('.repeat(count)})`, `/${'#41'.repeat(count)}`, `<${'41 '.repeat(count)}>`] }),
    tables: (count) =>
      pdf({ objects: ['xref 1 1 1 n trailer '.repeat(count / 10), 'startxref '.repeat(count / 10)] }),
    'padded links': (count) => pdf({ objects: [`<< /URI (${' '.repeat(count)}x) >>`] }),
    'repeated keys': (count) => pdf({ objects: ['<< /S /X /S /Y >>'.repeat(count / 10)] }),
    'packed strings': (count) =>
      pdf({ objects: [packedObjects({ 9: `(${'<< '.repeat(Math.min(count, 40_000))})` })] }),
  }
  for (const [name, make] of Object.entries(parts)) t.ok(await isLinear((count) => make(count), assess), name)
})

function assess(file: Buffer): void {
  try {
    assertPassivePdf(file)
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error
  }
}

t.test(
  'assertPassivePdf: structures that are made to be expensive are rejected, at a cost that grows with their length',
  async (t) => {
    const many = (part: string, count = 200_000) => pdf({ objects: [part.repeat(count)] })
    for (const part of [
      '1 0 obj<<>>stream\n',
      '1 0 obj %',
      '7 0 obj (',
      '7 0 obj <',
      '<< /A',
      'xref 0 1 ',
      'trailer<<',
    ]) {
      t.throws(() => assertPassivePdf(many(part)), { code: 'svc_upload_rejected' }, part)
      t.ok(await isLinear((count) => many(part, count), assess, 20_000), `${part}: linear`)
    }
  },
)

t.test('assertPassivePdf: circular references between objects terminate', async (t) => {
  const file = pdf({ catalog: '/AA 5 0 R /OpenAction 6 0 R', objects: ['6 0 R', '5 0 R'] })
  t.doesNotThrow(() => assertPassivePdf(file))
})

t.test(
  'assertPassivePdf: whatever is changed in a document, the file is accepted or rejected, and nothing crashes',
  async (t) => {
    const sound = pdf({
      objects: [packedObjects({ 8: '<< /A [1 2 (x)] >>' }), '[1 2 3 << /B /C >>]'],
    }).toString('latin1')
    const token = fc.constantFrom(
      '<<',
      '>>',
      '[',
      ']',
      '(',
      ')',
      '<',
      '/',
      '%',
      ' obj',
      'stream',
      'R',
      '0',
      '-',
      '\n',
      'xref',
      'trailer',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(sound.length), fc.nat(5), token), { maxLength: 6 }), (changes) => {
        let text = sound
        for (const [at, cut, inserted] of changes) text = text.slice(0, at) + inserted + text.slice(at + cut)
        try {
          assertPassivePdf(Buffer.from(text, 'latin1'))
        } catch (error) {
          if (!(error instanceof FileRejected)) throw error
        }
      }),
      { numRuns: process.env.SVC_SOAK ? 20_000 : 500 },
    )
    t.pass('no other error')
  },
)
