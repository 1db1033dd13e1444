// Normalizes letters with combining marks as browsers do before they shape them (HarfBuzz, "Normalization").

/**
 * The text with each letter and its marks as the fewest characters that the font has glyphs for. A single character that the font
 * lacks is taken apart if the font has the parts.
 * @param has whether the font has a glyph for a character
 */
export function composed(text: string, has: (character: string) => boolean): string {
  if (!/[\u0300-\u{10ffff}]/u.test(text)) return text
  return withRings(text, has).replaceAll(/\P{M}\p{M}*/gu, (cluster) => {
    if (cluster.length === 1 && has(cluster)) return cluster
    const joined = rejoined(cluster, has)
    // If parts are missing, too, messages name the character that was written.
    return [...cluster].length === 1 && ![...joined].every(has) ? cluster : joined
  })
}

/** Marks above a consonant of Thai or Lao, and the vowel am that may follow them. */
const thaiMarks =
  /[\u0e31\u0e34-\u0e37\u0e3b\u0e47-\u0e4e]+\u0e33?|[\u0eb1\u0eb4-\u0eb7\u0ebb\u0ec7-\u0ece]+\u0eb3?|[\u0e33\u0eb3]/g

/** The text with each Thai or Lao am as ring and vowel; the ring comes before the tone marks of the consonant, which stand above it. */
function withRings(text: string, has: (character: string) => boolean): string {
  return text.replaceAll(thaiMarks, (marks) => {
    const am = marks.at(-1)
    const [ring, vowel] = am === '\u0e33' ? ['\u0e4d', '\u0e32'] : ['\u0ecd', '\u0eb2']
    const isDivisible = (am === '\u0e33' || am === '\u0eb3') && has(ring) && has(vowel)
    return isDivisible ? `${ring}${marks.slice(0, -1)}${vowel}` : marks
  })
}

/**
 * A letter with its marks decomposed (NFD), then joined with each mark in turn if the font has the joined character. The cluster
 * itself if the font has all its characters but not all of the result.
 */
function rejoined(cluster: string, has: (character: string) => boolean): string {
  const [first = '', ...marks] = cluster.normalize('NFD')
  let base = first
  const separateMarks: string[] = []
  for (const mark of marks) {
    const joined = (base + mark).normalize('NFC')
    // A separate mark on the same side stands between the letter and this one.
    const isNextToBase = separateMarks.every((separate) => isBelow(separate) !== isBelow(mark))
    if ([...joined].length === 1 && has(joined) && isNextToBase) base = joined
    else separateMarks.push(mark)
  }
  const result = base + separateMarks.join('')
  return [...result].every(has) || ![...cluster].every(has) ? result : cluster
}

/** Whether a mark stands below its letter, where it does not separate the letter from marks above. */
const isBelow = (mark: string) =>
  /[\u0316-\u0319\u031c-\u0320\u0323-\u0333\u0339-\u033c\u0345\u0347-\u0349]/u.test(mark)
