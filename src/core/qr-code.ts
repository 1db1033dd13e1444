// QR codes (ISO/IEC 18004) as rows of dark modules, for pages and print files to draw.
import { encode } from 'uqr'

/** A QR code in units of modules, the small squares that it consists of. */
export interface QrCode {
  /** Length of a side, with the quiet zone. */
  size: number
  /** Adjacent dark modules of a row: the position of the first one, from the left and from the top, and their number. */
  runs: { x: number; y: number; length: number }[]
}

/** Characters above which a printed code is too fine for the camera of a phone. */
const maxText = 600

/** The code of a text; undefined if the text is longer than `maxText`. */
export function qrCode(text: string): QrCode | undefined {
  if (text.length > maxText) return undefined
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const runs: QrCode['runs'] = []
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      const start = x
      while (row[x]) x++
      if (x > start) runs.push({ x: start, y, length: x - start })
    }
  })
  return { size, runs }
}
