// The search of the documentation site. Runs in the browser and in tests.

export interface SearchEntry {
  /** Relative to the folder of the version. */
  url: string
  /** Title of the page. */
  page: string
  heading: string
  text: string
}

export interface SearchResult extends SearchEntry {
  /** Text around the first match. */
  excerpt: string
}

/** 0 if the word does not begin anywhere in the entry. */
function score(entry: SearchEntry, word: string): number {
  const heading = ` ${entry.heading.toLowerCase()}`
  const page = ` ${entry.page.toLowerCase()}`
  const text = ` ${entry.text.toLowerCase()}`
  const begins = (where: string) =>
    where.split(/[^\p{L}\p{N}]+/u).filter((part) => part.startsWith(word)).length
  // A name such as `print_ready` or `renderer.jobs` is one word to its reader.
  const contains = (where: string) => (where.includes(word) ? 1 : 0)
  return (
    10 * (begins(heading) || contains(heading)) +
    4 * (begins(page) || contains(page)) +
    Math.min(begins(text) || contains(text), 5)
  )
}

/** For words that stand together as in the query. */
function phraseScore({ heading, text }: SearchEntry, phrase: string): number {
  if (!phrase.includes(' ')) return 0
  if (heading.toLowerCase().includes(phrase)) return 15
  return text.toLowerCase().includes(phrase) ? 8 : 0
}

function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase()
  const phraseAt = lower.indexOf(words.join(' '))
  const at = Math.max(0, phraseAt >= 0 ? phraseAt : lower.indexOf(words[0] ?? ''))
  const start = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 160)}${text.length > start + 160 ? ' …' : ''}`
}

/** The sections that contain all words of the query, the best first. Guides precede other pages that fit about as well. */
export function search(entries: SearchEntry[], query: string, limit = 12): SearchResult[] {
  const words = query.toLowerCase().slice(0, 100).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found: { entry: SearchEntry; total: number }[] = []
  for (const entry of entries) {
    const scores = words.map((word) => score(entry, word))
    if (scores.includes(0)) continue
    const total = scores.reduce((sum, value) => sum + value, phraseScore(entry, words.join(' ')))
    found.push({ entry, total: total + (entry.url.startsWith('docs/guide/') ? 8 : 0) })
  }
  found.sort((one, other) => other.total - one.total)
  return found.slice(0, limit).map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }))
}
