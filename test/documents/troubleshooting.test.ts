// The texts that the page of symptoms quotes are those of the program.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { documentText } from '../support/hosts/documents.ts'

const root = resolve(import.meta.dirname, '../..')
const sources = globSync('{src,plugins,examples/host}/**/*.ts', { cwd: root }).map((file) =>
  readFileSync(resolve(root, file), 'utf8').replaceAll("\\'", "'"),
)
/** First column of each row that begins with a quoted text. */
const symptoms = [
  ...documentText('docs/guide/troubleshooting.md').matchAll(/^\| `([^`]+)` \|.*\|.*\|$/gm),
].map(([, text = '']) => text)

t.test('troubleshooting: at least 30 symptoms', async (t) => {
  t.ok(symptoms.length >= 30, `${symptoms.length}`)
  t.equal(new Set(symptoms).size, symptoms.length)
})

t.test('troubleshooting: each quoted text is in one file of the source', async (t) => {
  for (const symptom of symptoms) {
    const parts = symptom.split('…').filter((part) => part.trim() !== '')
    t.ok(parts.join('').length >= 15, `${symptom} is long enough to be recognised`)
    const isThere = sources.some((source) => parts.every((part) => source.includes(part)))
    t.ok(isThere, symptom)
  }
})
