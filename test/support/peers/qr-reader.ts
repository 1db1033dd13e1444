// Reads QR codes as a camera would: the drawing becomes pixels, which another library decodes.
import { createRequire } from 'node:module'
import sharp from 'sharp'

const jsQR: typeof import('jsqr').default = createRequire(import.meta.url)('jsqr')

/** @param svg of a page */
export async function decodedQr(svg: string): Promise<string | undefined> {
  const file = svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  const image = sharp(Buffer.from(file)).resize(400).ensureAlpha().raw()
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}
