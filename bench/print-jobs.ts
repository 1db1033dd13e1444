// The prints that are compared: a card, A4 and A2, with a photo, a logo, a drawing and five texts each.
import sharp from 'sharp'
import { testFonts, testSources } from '../test/support/render/materials.ts'

export const jobs = {
  card: { width: 85, height: 55, dpi: 300, photo: [1000, 700] },
  A4: { width: 210, height: 297, dpi: 280, photo: [2400, 1800] },
  A2: { width: 420, height: 594, dpi: 240, photo: [4000, 3000] },
} as const
export type JobName = keyof typeof jobs
export const formats = ['svg-pdf', 'png', 'jpeg'] as const
export type PrintFormat = (typeof formats)[number]

const bleed = 3
const stage = 600

const text = (words: string, parameters: object) => ({
  title: words,
  source: words,
  type: 'text',
  parameters: { text: words, fontFamily: 'Liberation Sans', left: stage / 2, fill: '#ffffff', ...parameters },
})
const picture = (source: string, parameters: object) => ({
  title: source,
  source,
  type: 'image',
  parameters: { left: stage / 2, ...parameters },
})

export interface PrintJob {
  elements: { type: string; source: string; parameters: Record<string, unknown> }[]
  printingBox: { left: number; top: number; width: number; height: number }
  output: { width: number; height: number; bleed: number }
  /** The part of the stage that is printed, with its bleed, and its pixels. */
  area: { x: number; y: number; width: number; height: number }
  width: number
  height: number
  dpi: number
}

export function printJob(name: JobName): PrintJob {
  const { width, height, dpi, photo } = jobs[name]
  const high = (stage * height) / width
  const output = { width, height, bleed }
  const edge = (bleed * stage) / width
  const scale = 1.1 * Math.max(stage / photo[0], high / photo[1])
  const elements = [
    picture(`${name}.jpg`, { top: high / 2, scaleX: scale, scaleY: scale }),
    picture('logo.png', { left: 120, top: high * 0.15, scaleX: 0.7, scaleY: 0.7 }),
    picture('badge.svg', { left: 480, top: high * 0.15 }),
    text('Ada Lovelace', {
      fontWeight: 'bold',
      fontSize: 56,
      top: high * 0.4,
      shadowColor: 'rgba(0,0,0,0.6)',
      shadowBlur: 8,
      shadowOffsetX: 4,
      shadowOffsetY: 4,
    }),
    text('Analytical engines, repaired and explained', { fontSize: 24, top: high * 0.55 }),
    text('AROUND THE CIRCLE', {
      curved: true,
      curveRadius: 90,
      textAlign: 'center',
      fontSize: 22,
      top: high * 0.75,
    }),
    text('+49 221 123 456', { fontSize: 18, top: high * 0.85 }),
    text('info@shop.example', { fontSize: 18, top: high * 0.92 }),
  ]
  const pixels = (length: number) => Math.round(((length + 2 * bleed) / 25.4) * dpi)
  return {
    elements,
    printingBox: { left: 0, top: 0, width: stage, height: high },
    output,
    area: { x: -edge, y: -edge, width: stage + 2 * edge, height: high + 2 * edge },
    width: pixels(width),
    height: pixels(height),
    dpi,
  }
}

/** Every pixel differs a little from its neighbours, as in a photo. */
async function photoOf([width, height]: readonly [number, number]): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const grain = (x * 31 + y * 17) % 8
    pixels[3 * i] = 127 + 100 * Math.sin(x / 37 + y / 91) + grain
    pixels[3 * i + 1] = 127 + 100 * Math.cos(x / 53) + grain
    pixels[3 * i + 2] = (240 * y) / height + grain
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

export async function printSources(name: JobName): Promise<Record<string, Buffer>> {
  return { ...(await testSources()), [`${name}.jpg`]: await photoOf(jobs[name].photo) }
}

export const printFonts = async () => (await testFonts()).filter(({ family }) => family === 'Liberation Sans')
