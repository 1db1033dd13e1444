// Letters with combining marks as browsers shape them: as single characters where the font has them, and vowels of two parts in
// the order of their marks.

/**
 * Decomposes each cluster of a letter with marks, and joins what the font has a glyph for. A single character that the font
 * lacks is taken apart if the font has the parts.
 */
export function composed(text: string, has: (character: string) => boolean): string {
  if (!/[\u0300-\u{10ffff}]/u.test(text)) return text
  return withRings(text, has).replaceAll(/\P{M}\p{M}*/gu, (cluster) => {
    if (cluster.length === 1 && has(cluster)) return cluster
    const joined = rejoined(cluster, has)
    // What is lacking is the character that was written, and not a part of it.
    return [...cluster].length === 1 && ![...joined].every(has) ? cluster : joined
  })
}

/** Marks above a consonant of Thai or Lao, and the vowel am behind it. */
const above =
  /[\u0e31\u0e34-\u0e37\u0e3b\u0e47-\u0e4e]+\u0e33?|[\u0eb1\u0eb4-\u0eb7\u0ebb\u0ec7-\u0ece]+\u0eb3?|[\u0e33\u0eb3]/g

/** Takes am apart: its ring belongs under the tone marks of the consonant. */
function withRings(text: string, has: (character: string) => boolean): string {
  return text.replaceAll(above, (found) => {
    const am = found.at(-1)
    const [ring, vowel] = am === '\u0e33' ? ['\u0e4d', '\u0e32'] : ['\u0ecd', '\u0eb2']
    const isApart = (am === '\u0e33' || am === '\u0eb3') && has(ring) && has(vowel)
    return isApart ? `${ring}${found.slice(0, -1)}${vowel}` : found
  })
}

function rejoined(cluster: string, has: (character: string) => boolean): string {
  const [first = '', ...marks] = cluster.normalize('NFD')
  let base = first
  const rest: string[] = []
  for (const mark of marks) {
    const joined = (base + mark).normalize('NFC')
    // A mark behind another one that stayed is not next to the letter any more.
    const isOne =
      [...joined].length === 1 && has(joined) && rest.every((each) => isBelow(each) !== isBelow(mark))
    if (isOne) base = joined
    else rest.push(mark)
  }
  const result = base + rest.join('')
  return [...result].every(has) || ![...cluster].every(has) ? result : cluster
}

/** Marks below a letter do not stand between it and those above. */
const isBelow = (mark: string) =>
  /[\u0316-\u0319\u031c-\u0320\u0323-\u0333\u0339-\u033c\u0345\u0347-\u0349]/u.test(mark)
