// Fonts and pictures for the renderer's tests: fonts under open licences, pictures made here.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import type { FontFamily } from '../../../src/files/font/families.ts'
import { neededPictures } from '../../../src/renderer/design-pages.ts'
import { emojiFolder, fallbackFiles, fontChooser } from '../../../src/renderer/font-choice.ts'
import { fallbackFonts, presetFont, presetPath } from '../../../src/renderer/preset-fonts.ts'
import { render } from '../../../src/renderer/render.ts'
import type {
  LoadedFile,
  LoadedFonts,
  Needs,
  Outcome,
  PreviewTask,
  PrintTask,
} from '../../../src/renderer/task.ts'
import { installPackages } from '../debian.ts'
import type { ReferenceFont } from './fabric.ts'

const liberation = resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts')
/** Families of which only one file is used, from Debian's packages. */
const single = [
  ['DejaVu Sans', 'fonts-dejavu-core', 'dejavu/DejaVuSans.ttf'],
  ['DejaVu Serif', 'fonts-dejavu-core', 'dejavu/DejaVuSerif.ttf'],
  ['DejaVu Sans Mono', 'fonts-dejavu-core', 'dejavu/DejaVuSansMono.ttf'],
  ['Open Sans', 'fonts-open-sans', 'open-sans/OpenSans-Regular.ttf'],
] as const

const styles = [
  ['Regular', false, false],
  ['Bold', true, false],
  ['Italic', false, true],
  ['BoldItalic', true, true],
] as const

/** Liberation Sans in four styles, and families of one style. */
export async function testFonts(): Promise<ReferenceFont[]> {
  const read = async (name: string, file: string) => {
    const path = join('/usr/share/fonts/truetype', file)
    if (!existsSync(path)) await installPackages(name)
    return readFileSync(path)
  }
  const others = []
  for (const [family, name, file] of single) {
    others.push({ family, bold: false, italic: false, bytes: await read(name, file) })
  }
  return [
    ...styles.map(([style, bold, italic]) => ({
      family: 'Liberation Sans',
      bold,
      italic,
      bytes: readFileSync(join(liberation, `LiberationSans-${style}.ttf`)),
    })),
    ...others,
    ...foreign.flatMap((family) => {
      const { font } = fallbackFonts.find((each) => each.font.family === family) ?? {}
      const path = font && presetPath(font, { bold: false, italic: false })
      if (path === undefined) throw new Error(`There is no file of ${family}.`)
      return { family, bold: false, italic: false, bytes: readFileSync(path) }
    }),
  ]
}

/** Inter with its axes of weight and slant, from Debian's package. */
export async function variableFont(): Promise<Buffer> {
  const path = '/usr/share/fonts/truetype/inter-vf/Inter.var.ttf'
  if (!existsSync(path)) await installPackages('fonts-inter-variable')
  return readFileSync(path)
}

const foreign = ['Noto Sans Thai', 'Noto Sans Devanagari', 'Noto Sans JP']

const svg = (size: string, inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${inner}</svg>`)

const star = '<path d="M50 5 61 38 95 38 68 59 79 92 50 72 21 92 32 59 5 38 39 38Z" fill="#d22"/>'

export const drawings: Record<string, Buffer> = {
  'badge.svg': svg(
    'width="120" height="100" viewBox="0 0 120 100"',
    `<rect x="2" y="2" width="116" height="96" rx="14" fill="#246" stroke="#fa0" stroke-width="4"/>
     <g transform="translate(10 0)">${star}</g><circle cx="104" cy="16" r="9" fill="gold"/>`,
  ),
  'windows.svg': svg(
    'width="120" height="100"',
    '<rect x="2" y="2" width="50" height="96" rx="14"/><circle cx="88" cy="50" r="30" fill="#a00"/>',
  ),
  'star.svg': svg('width="100" height="100" viewBox="0 0 100 100"', star),
  'curves.svg': svg(
    'width="200" height="100" viewBox="0 0 200 100"',
    `<path d="M10 50 C 40 0 60 0 90 50 S 140 100 190 50" fill="none" stroke="#083" stroke-width="8" stroke-linecap="round"/>
     <path d="M20 90 Q 60 20 100 90 T 180 90 L180 96 H20 Z" fill="#08f" fill-opacity=".6"/>
     <path d="M30 20a18 12 20 1 1 30 10z" fill="purple"/>
     <polyline points="120,10 140,40 160,10 180,40" fill="none" stroke="black" stroke-width="3" stroke-linejoin="bevel" stroke-dasharray="9 4"/>`,
  ),
  'gradient.svg': svg(
    'width="160" height="90"',
    `<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
     <radialGradient id="b" cx=".5" cy=".5" r=".5"><stop offset="0" stop-color="white"/><stop offset="1" stop-color="#072"/></radialGradient></defs>
     <rect x="5" y="5" width="70" height="80" fill="url(#a)"/><circle cx="120" cy="45" r="35" fill="url(#b)"/>`,
  ),
  'offset.svg': svg(
    'width="120" height="90" viewBox="10 5 80 90"',
    `<rect x="12" y="8" width="70" height="70" fill="#357"/>${star}`,
  ),
  'references.svg': svg(
    'width="120" height="100" xmlns:xlink="http://www.w3.org/1999/xlink"',
    `<defs><path id="s" d="M10 10h40l-10 30z" fill="#c33" stroke="#222" stroke-width="4" opacity=".5"/></defs>
     <use xlink:href="#s"/><use xlink:href="#s" x="55" y="5" stroke="#29b" fill="gold" opacity=".9"/>
     <g fill="#0a0"><use xlink:href="#s" transform="rotate(20)" x="30" y="40"/></g>`,
  ),
  'cut.svg': svg(
    'width="120" height="100"',
    `<defs><clipPath id="c"><circle cx="60" cy="50" r="38"/></clipPath></defs>
     <rect x="10" y="10" width="90" height="80" fill="#c33" clip-path="url(#c)" transform="rotate(20)"/>
     <rect x="30" y="20" width="60" height="60" fill="#2a6" stroke="#000" stroke-width="12" opacity=".5" clip-path="url(#c)"/>`,
  ),
  'hidden.svg': svg(
    'width="120" height="100"',
    `<g display="none"><circle cx="60" cy="50" r="45" fill="red"/></g><rect x="10" y="20" width="60" height="50" fill="currentColor" color="#0a7"/>
     <rect x="50" y="40" width="0" height="30"/><circle cx="90" cy="60" r="20" fill="#29b"/>`,
  ),
  'text.svg': svg(
    'width="200" height="140" viewBox="0 0 200 140"',
    `<rect width="200" height="140" fill="#eef"/>
     <g font-family="Liberation Sans" font-size="22" fill="#246"><text x="10" y="30" font-weight="bold">Bold AVATAR</text>
     <text x="190" y="60" text-anchor="end" font-style="italic" fill="#c33" text-decoration="underline">to the end</text></g>
     <text x="100" y="90" text-anchor="middle" font-family="Arial, sans-serif" style="font-size:18px;letter-spacing:2px">wide <tspan fill="red">words</tspan></text>
     <text transform="translate(20 125) rotate(-8) scale(1.2)" stroke="#0a0" stroke-width="1.5" font-size="24">Standard 12</text>`,
  ),
  'word.svg': svg(
    'width="200" height="60"',
    '<text x="20" y="40" font-family="Liberation Sans" font-size="36" fill="#824">Alone</text>',
  ),
  'sizes.svg': svg(
    'width="200" height="100"',
    `<g style="font-size:medium" font-family="Liberation Sans"><text x="10" y="20">medium</text><text x="10" y="45" style="font-size:x-large">named</text></g>
     <g font-size="30"><text x="10" y="75" font-size="80%" font-family="Liberation Sans">of a hundred</text></g>`,
  ),
  'faint.svg': svg(
    'width="120" height="100"',
    '<path d="M10 10h80l-20 70z" fill="#c33" stroke="#222" stroke-width="8" opacity=".3"/>',
  ),
  'turned.svg': svg(
    'width="200" height="200"',
    '<path d="M50 60h100l30 40-30 60H50l20-50z" fill="#246" stroke="#000" transform="matrix(0 -1 1.5 0 -20 200)"/>',
  ),
  'clipped.svg': svg(
    'width="100" height="100" viewBox="0 0 100 100"',
    `<defs><clipPath id="c"><rect x="0" y="10" width="80" height="70"/></clipPath></defs>
     <g clip-path="url(#c)"><path d="M50 5 61 38 95 38 68 59 79 92 50 72 21 92 32 59 5 38 39 38Z" fill="#d22" transform="rotate(10 50 50)"/></g>`,
  ),
  'sizeless.svg': svg(
    '',
    `<defs><clipPath id="c"><circle cx="60" cy="50" r="38"/></clipPath></defs>
     <rect x="20" y="20" width="80" height="60" fill="#2a6" clip-path="url(#c)"/><circle cx="110" cy="40" r="20" fill="#c33"/>`,
  ),
  'classes.svg': svg(
    'width="100" height="80" viewBox="0 0 50 40"',
    `<style>.a{fill:#c0392b}.b{fill:#2980b9;stroke:#111;stroke-width:2px}</style>
     <rect class="a" x="2" y="2" width="20" height="36"/><ellipse class="b" cx="36" cy="20" rx="11" ry="16"/>
     <path fill-rule="evenodd" fill="#222" d="M8 8h8v24h-8z M10 12h4v14h-4z"/>`,
  ),
}

async function photo(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x)
      pixels[i] = Math.round((255 * x) / width)
      pixels[i + 1] = Math.round((255 * y) / height)
      pixels[i + 2] = Math.round(127 + 120 * Math.sin(x / 23) * Math.cos(y / 17))
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** Sources by the names that designs give them. */
export async function testSources(): Promise<Record<string, Buffer>> {
  const logo = svg(
    'width="240" height="160"',
    '<circle cx="80" cy="80" r="70" fill="#e67e22" fill-opacity=".8"/><rect x="110" y="40" width="120" height="90" fill="#16a085"/><circle cx="170" cy="85" r="25" fill="#fff"/>',
  )
  return {
    'photo.jpg': await (await photo(300, 200)).jpeg({ quality: 92 }).toBuffer(),
    'turned.jpg': await (await photo(200, 300))
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 92 })
      .toBuffer(),
    'gray.jpg': await (await photo(180, 180)).grayscale().jpeg({ quality: 92 }).toBuffer(),
    'logo.png': await sharp(logo).png().toBuffer(),
    ...drawings,
  }
}

export const printTask: Omit<PrintTask, 'design'> = {
  kind: 'print',
  format: 'svg-pdf',
  dpi: 150,
  cropMarks: false,
  includeFonts: false,
  includePictures: false,
  summary: false,
  minDpi: undefined,
  maxPixels: 64_000_000,
  maxPages: 100,
}

/** As if they were uploaded, each under its index. */
function familiesOf(fonts: ReferenceFont[]): FontFamily[] {
  const fileOf = (name: string, bold: boolean, italic: boolean) => {
    const isIt = (each: ReferenceFont) => each.family === name && each.bold === bold && each.italic === italic
    const index = fonts.findIndex(isIt)
    return index < 0 ? undefined : String(index)
  }
  return [...new Set(fonts.map(({ family }) => family))].map((name) => {
    const styles = {
      bold: fileOf(name, true, false),
      italic: fileOf(name, false, true),
      bolditalic: fileOf(name, true, true),
    }
    const variants = Object.fromEntries(Object.entries(styles).filter(([, file]) => file !== undefined))
    return { name, file: fileOf(name, false, false) ?? '', variants }
  })
}

/** What the browser shows for names of fonts that every computer has: the same files as the renderer takes. */
export function presetReferences(): ReferenceFont[] {
  const families = ['Arial', 'Times New Roman', 'Courier New', 'Georgia', 'Verdana', 'Calibri', 'Cambria']
  return [...families, 'Comic Sans MS', 'Impact'].flatMap((family) => {
    const preset = presetFont(family)
    const own = styles.filter(
      ([, bold, italic]) => (!bold || preset?.font.styles.bold) && (!italic || preset?.font.styles.italic),
    )
    return own.map(([, bold, italic]) => {
      const path = preset && presetPath(preset.font, { bold, italic })
      if (path === undefined) throw new Error(`There is no font for ${family}.`)
      return { family, bold, italic, bytes: readFileSync(path) }
    })
  })
}

/** Renders in this process; fonts and pictures come from the tests' own. */
export async function renderHere(
  task: Omit<PrintTask, 'design'> | Omit<PreviewTask, 'design'>,
  views: unknown,
  fonts: ReferenceFont[],
  sources: Record<string, Buffer>,
  strict = false,
  emoji?: string,
): Promise<{ outcome: Outcome; bytes: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tests-render-'))
  let saved = 0
  const save = async (name: string, bytes: Uint8Array): Promise<LoadedFile> => {
    await writeFile(join(folder, name), bytes)
    return { path: join(folder, name) }
  }
  const fetch = async (needs: Needs) => ({
    fonts: await Promise.all(
      needs.fonts.map(async (need, index): Promise<LoadedFonts['fonts'][number]> => {
        const chosen = fontChooser(familiesOf(fonts), { substitutes: {}, strict })(need)
        if ('cause' in chosen) return chosen
        const { source, ...use } = chosen
        if ('path' in source) return { ...source, ...use }
        return {
          ...(await save(`font-${++saved}-${index}`, fonts[Number(source.file)]?.bytes ?? Buffer.alloc(0))),
          ...use,
        }
      }),
    ),
    fallbacks: fallbackFiles({ strict }),
    emoji: emojiFolder({ strict, emoji }),
  })
  try {
    const design = typeof views === 'string' ? views : JSON.stringify(views)
    const names = neededPictures({ ...task, design })
    const files = names.map(async (name, index): Promise<[string, LoadedFile]> => {
      const bytes = sources[name]
      return [name, bytes ? await save(`picture-${index}`, bytes) : { cause: 'The picture is not there.' }]
    })
    const pictures = new Map(await Promise.all(files))
    const outcome = await render({ ...task, design, folder, pictures }, fetch)
    return { outcome, bytes: outcome.kind === 'done' ? readFileSync(outcome.path) : Buffer.alloc(0) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
