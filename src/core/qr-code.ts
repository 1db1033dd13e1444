// QR codes (ISO/IEC 18004) as runs of dark modules, which pages and print files draw.
import { encode } from 'uqr'

export interface QrCode {
  /** Modules of one side, with the quiet zone. */
  size: number
  /** Dark modules beside each other, in modules from the left and from the top. */
  runs: { x: number; y: number; length: number }[]
}

/** Characters above which a printed code is too fine for the camera of a phone. */
const maxText = 600

/** @returns undefined for a text that is too long */
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
