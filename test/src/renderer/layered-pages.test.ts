// Pages that show large pictures are painted in layers; they look like pages that the SVG library draws as a whole.
import { mkdirSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { compare } from '../../support/render/compare.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const photo = await detailedPhoto(900, 600)
const sources: Record<string, Buffer> = {
  ...(await testSources()),
  'detail.jpg': await photo.clone().jpeg({ quality: 95 }).toBuffer(),
  'turned-detail.jpg': await photo.clone().withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
  'gray.jpg': await photo.clone().grayscale().jpeg({ quality: 95 }).toBuffer(),
  'cut-out.png': await photo.clone().ensureAlpha(0.6).png().toBuffer(),
  'deep.png': await photo.clone().toColourspace('rgb16').png().toBuffer(),
}

/** Edges of many directions and some grain, in a frame that shows how the picture lies. */
async function detailedPhoto(width: number, height: number) {
  const rings = Array.from({ length: 12 }, (_, i) => `<circle cx="300" cy="300" r="${20 + 22 * i}"/>`).join(
    '',
  )
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#9ab"/>
    <g fill="none" stroke="#c21" stroke-width="7">${rings}</g><path d="M600 80 860 300 600 520Z" fill="#273"/>
    <rect x="4" y="4" width="${width - 8}" height="${height - 8}" fill="none" stroke="#124" stroke-width="8"/></svg>`
  return sharp(await sharp(Buffer.from(drawing)).removeAlpha().png().toBuffer())
}

const drawn = async (elements: object[], task: object) => {
  const run = { ...printTask, format: 'png', ...task } as typeof printTask
  const { outcome, bytes } = await renderHere(run, [viewWith(...elements)], fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return bytes
}

/** What is blended, even beyond the page, makes the SVG library draw the page as a whole. */
const blended = text('.', { left: -500, top: -500, globalCompositeOperation: 'multiply' })

const shown = { scaleX: 0.3, scaleY: 0.3 }
const shadow = { shadowColor: 'rgba(0,0,0,.7)', shadowBlur: 12, shadowOffsetX: 9, shadowOffsetY: 7 }
const over = text('Above', { fontSize: 40, fill: '#ffffff' })
const cases: Record<string, object[]> = {
  'a picture smaller than the page': [picture('detail.jpg', shown), over],
  'over the whole page, reduced': [picture('detail.jpg', { scaleX: 0.7, scaleY: 0.7 }), over],
  enlarged: [picture('detail.jpg', { scaleX: 2.3, scaleY: 2.3, left: 130 }), over],
  'stretched, and partly beyond the page': [
    picture('detail.jpg', { scaleX: 0.6, scaleY: 0.2, left: 30, top: 40 }),
  ],
  flipped: [picture('detail.jpg', { ...shown, flipX: true }), over],
  turned: [picture('detail.jpg', { ...shown, angle: 17 }), over],
  'turned by a quarter, and skewed': [picture('detail.jpg', { ...shown, angle: 90, skewX: 12 })],
  faded: [text('Below', { fontSize: 90 }), picture('detail.jpg', { ...shown, opacity: 0.4 }), over],
  clipped: [
    picture('detail.jpg', {
      ...shown,
      boundingBox: { x: 100, y: 90, width: 150, height: 110, borderRadius: 30 },
    }),
  ],
  'with a shadow': [picture('detail.jpg', { ...shown, ...shadow })],
  'with a sharp shadow': [picture('detail.jpg', { ...shown, ...shadow, shadowBlur: 0, angle: -30 })],
  'a text with a wide shadow': [text('Soft', { fontSize: 120, ...shadow, shadowBlur: 60 }), over],
  'turned by its camera': [picture('turned-detail.jpg', shown), over],
  gray: [picture('gray.jpg', shown)],
  'with transparent pixels': [text('Below', { fontSize: 90 }), picture('cut-out.png', shown)],
  'of 16 bits': [picture('deep.png', shown)],
  filtered: [picture('detail.jpg', { ...shown, filter: 'sepia' })],
  'two, one above the other': [
    picture('detail.jpg', { scaleX: 0.5, scaleY: 0.5 }),
    picture('cut-out.png', { ...shown, angle: -30 }),
    over,
  ],
}

for (const [name, elements] of Object.entries(cases)) {
  for (const task of [
    { format: 'png', dpi: 300 },
    { format: 'jpeg', dpi: 200, mirror: true },
  ]) {
    t.test(`export: a ${task.format} of a page in layers: ${name}`, async (t) => {
      const [layered, whole] = [await drawn(elements, task), await drawn([...elements, blended], task)]
      keep(`${name}-${task.format}`, layered, whole)
      const { share, square } = await compare(layered, whole)
      t.ok(share < 0.002 && square <= 2, `${(100 * share).toFixed(3)} % differ, squares of ${square}`)
    })
  }
}

t.test('export: a page without transparent pixels is a PNG without an alpha channel', async (t) => {
  const whole = await drawn([picture('detail.jpg', { scaleX: 0.7, scaleY: 0.7 }), over], { dpi: 200 })
  t.equal((await sharp(whole).metadata()).channels, 3)
  const part = await drawn([picture('detail.jpg', shown), over], { dpi: 200 })
  t.equal((await sharp(part).metadata()).channels, 4)
  const corner = sharp(part).extract({ left: 2, top: 2, width: 3, height: 3 })
  t.ok((await corner.raw().toBuffer()).every((byte) => byte === 0))
})

/** For a look at the pages. */
function keep(name: string, layered: Buffer, whole: Buffer): void {
  const folder = process.env.SVC_TEST_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name.replaceAll(/\W+/g, '-')}.layers`, layered)
  writeFileSync(`${folder}/${name.replaceAll(/\W+/g, '-')}.whole`, whole)
}
