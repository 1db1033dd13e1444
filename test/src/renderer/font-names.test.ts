// Fonts whose PostScript name holds the syntax of PDF, as anybody can write it: the file that embeds them is sound, and without it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { font, u16 } from '../../support/fixtures/make-font.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-font-names-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const { qpdf, mutool } = await ensureCommands({ qpdf: 'qpdf', mutool: 'mupdf-tools' })

type Coding = { platform: number; encoding: number; language: number }
const windows = { platform: 3, encoding: 1, language: 0x409 }
const codings: Record<string, Coding> = {
  Windows: windows,
  'Windows, Shift JIS': { platform: 3, encoding: 2, language: 0x411 },
  'Windows, Big5': { platform: 3, encoding: 4, language: 0x404 },
  Macintosh: { platform: 1, encoding: 0, language: 0 },
  Unicode: { platform: 0, encoding: 3, language: 0x409 },
}

/** A font with this PostScript name alone. */
function fontNamed(name: string, { platform, encoding, language }: Coding): Buffer {
  const isWide = platform === 0 || (platform === 3 && encoding === 1)
  const text = isWide ? Buffer.from(name, 'utf16le').swap16() : Buffer.from(name, 'latin1')
  return font({
    tables: { name: Buffer.concat([u16(0, 1, 18, platform, encoding, language, 6, text.length, 0), text]) },
  })
}

const view = (...families: string[]) =>
  viewWith(...families.map((fontFamily) => textElement('AAA', { fontFamily })))

async function printed(fonts: { family: string; bytes: Buffer }[], views = [view('Odd')]) {
  const used = fonts.map((each) => ({ ...each, bold: false, italic: false }))
  const { outcome, bytes } = await renderHere(printTask, views, used, {})
  t.match(outcome, { kind: 'done' })
  return bytes
}

/** What qpdf and mupdf find wrong with the file. */
function problemsIn(bytes: Buffer): string[] {
  const file = join(folder, 'print.pdf')
  writeFileSync(file, bytes)
  const checked = spawnSync(qpdf, ['--check', file], { encoding: 'utf8' })
  const fonts = spawnSync(mutool, ['info', file], { encoding: 'utf8' })
  const complaints = fonts.stderr.split('\n').filter(Boolean)
  return [...(checked.status === 0 ? [] : [checked.stdout + checked.stderr]), ...complaints]
}

const fontNames = (bytes: Buffer) => {
  writeFileSync(join(folder, 'names.pdf'), bytes)
  const { stdout } = spawnSync(mutool, ['info', '-F', join(folder, 'names.pdf')], { encoding: 'utf8' })
  return [...stdout.matchAll(/'([^']*)'/g)].map(([, name]) => name)
}

for (const name of [
  'A(',
  'A/Evil(x)/B',
  'A>>endobj 9 0 obj<</Evil true>>',
  'A<',
  'A#28',
  'A\n%%EOF',
  'Ä',
  '',
]) {
  t.test(`a PDF with a font named ${JSON.stringify(name)} is sound and names the family`, async (t) => {
    for (const [coding, how] of Object.entries(codings)) {
      const bytes = await printed([{ family: 'Odd', bytes: fontNamed(name, how) }])
      t.same(problemsIn(bytes), [], coding)
      t.match(fontNames(bytes), [/^[A-Z]{6}\+Odd$/], coding)
      t.notOk(bytes.includes('Evil'), coding)
    }
  })
}

t.test('a PDF names a plain PostScript name as it is, and no font is taken for another by it', async (t) => {
  const wide = { ...windows }
  const fonts = [
    { family: 'Odd', bytes: fontNamed('F2', wide) },
    { family: 'Even', bytes: fontNamed('Plain-Name', wide) },
    { family: 'Third', bytes: fontNamed('constructor', wide) },
  ]
  const bytes = await printed(fonts, [view('Odd', 'Even', 'Third')])
  t.same(problemsIn(bytes), [])
  t.same(
    fontNames(bytes)
      .map((name = '') => name.slice(7))
      .sort(),
    ['F2', 'Plain-Name', 'constructor'],
  )
})
