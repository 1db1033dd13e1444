// What the reader of JSON costs beside JSON.parse.
import { fromJson } from '../src/json/parse.ts'
import { designElements } from './catalog.ts'

/** As json_encode of PHP escapes it. */
const asPhp = (text: string) =>
  text
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')

const size = 10_000
const list = (item: string) => `[${Array.from({ length: size / item.length }, () => item)}]`
const named = { size: 'Größe', price: 5, source: 'https://shop.example/uploads/f.png', left: 1, top: 20 }
const drawing = { title: 'Path', source: '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z" fill="#fff"/></svg>' }

const texts: Record<string, string> = {
  'a design': designElements(size),
  'a design, 8 MiB': designElements(8 * 2 ** 20),
  'escaped values, as PHP writes them': list(asPhp(JSON.stringify(named))),
  'drawings, with escaped quotes': list(JSON.stringify(drawing)),
  'JSON in a string': JSON.stringify({ views: designElements(size) }),
  'a list of JSON texts': list(JSON.stringify(JSON.stringify(named))),
  'escaped names, as PHP writes them': list(asPhp(JSON.stringify({ Größe: 'M', Höhe: 5, Farbe: 'grün' }))),
}

/** The shortest of many runs in turns counts, which others on the machine disturb least. */
export function jsonRows(): string[] {
  const rows = Object.entries(texts).map(([name, text]) => {
    const times = [JSON.parse, fromJson].map((read) => ({ read, best: Number.POSITIVE_INFINITY }))
    const repeats = Math.ceil(300_000 / text.length)
    for (let round = 0; round < 60; round++)
      for (const time of times) {
        const start = performance.now()
        for (let left = repeats; left > 0; left--) time.read(text)
        time.best = Math.min(time.best, performance.now() - start)
      }
    const [theirs = 0, ours = 0] = times.map(({ best }) => best / repeats)
    return `| ${name} | ${(theirs * 1000).toFixed(0)} | ${(ours * 1000).toFixed(0)} | ${(ours / theirs).toFixed(2)} |`
  })
  return ['| JSON, 10 KB, µs | JSON.parse | ours | ratio |', '|---|--:|--:|--:|', ...rows]
}
