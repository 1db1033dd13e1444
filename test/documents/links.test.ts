// Links of the documents lead to files and headings that exist, and documents stay short enough to be read.
import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import t from 'tap'
import { anchorsOf, blocksIn, documentText, guides, linksOf, placeOf } from '../support/hosts/documents.ts'

const root = resolve(import.meta.dirname, '../..')
const folders = '{.,docs,docs/*,src,plugins,examples,bench,test}'
const documents = ['llms.txt', ...globSync(`${folders}/*.md`, { cwd: root }).sort()]

for (const document of documents) {
  t.test(`every link of ${document} leads somewhere`, async (t) => {
    const text = documentText(document)
    for (const target of linksOf(text)) {
      if (/^(https?:|mailto:)/.test(target)) continue
      const [path = '', fragment] = target.split('#')
      const file = path === '' ? document : normalize(join(dirname(document), path))
      if (!t.ok(existsSync(resolve(root, file)), `${target} is there`) || fragment === undefined) continue
      const isFolder = statSync(resolve(root, file)).isDirectory()
      t.ok(!isFolder && anchorsOf(documentText(file)).has(fragment), `${target} is a heading`)
    }
  })
}

t.test('links of the documents in the package lead to files of the package', async (t) => {
  const { files } = JSON.parse(documentText('package.json')) as { files: string[] }
  // npm adds these.
  const patterns = [...files, 'README.md', 'LICENSE', 'package.json'].filter(
    (pattern) => !pattern.startsWith('!'),
  )
  const packed = new Set(
    globSync(
      patterns.flatMap((pattern) => [pattern, `${pattern}/**`]),
      { cwd: root },
    ),
  )
  for (const document of documents.filter((name) => packed.has(normalize(name)))) {
    for (const target of linksOf(documentText(document))) {
      const [path = ''] = target.split('#')
      if (path === '' || /^(https?:|mailto:)/.test(target)) continue
      const file = normalize(join(dirname(document), path)).replace(/\/$/, '')
      t.ok(packed.has(file), `${document}: ${target}`)
    }
  }
})

t.test('README, guides and the page for contributors keep to their length', async (t) => {
  const lines = (name: string) => documentText(name).trimEnd().split('\n').length
  t.ok(lines('README.md') <= 250)
  t.ok(lines('CONTRIBUTING.md') <= 120)
  for (const name of guides.filter((name) => !name.endsWith('README.md'))) {
    t.ok(lines(name) >= 60 && lines(name) <= 180, `${name} has ${lines(name)} lines`)
    t.match(documentText(name), /^# .*\n\n(This guide|This page) /, `${name} begins with what it is for`)
  }
})

t.test('the README and the list of guides name every guide', async (t) => {
  const names = guides.filter((name) => !name.endsWith('README.md'))
  const listed = linksOf(documentText('docs/guide/README.md')).map((target) => join('docs/guide', target))
  t.strictSame(
    names.filter((name) => !listed.includes(name)),
    [],
  )
  const linked = linksOf(documentText('README.md'))
  t.strictSame(
    names.filter((name) => !linked.includes(name)),
    [],
  )
})

t.test('blocks of JSON are JSON', async (t) => {
  const blocks = blocksIn('json')
  t.ok(blocks.length > 0)
  for (const block of blocks) t.doesNotThrow(() => JSON.parse(block.code), placeOf(block))
})
