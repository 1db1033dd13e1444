// The documentation site that `npm run docs` builds: its links, its Markdown, its search.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'
import { buildSite } from '../../tools/docs/index.ts'
import { type SearchEntry, search } from '../../tools/docs/search.ts'
import { documentText, guides, linksOf } from '../support/hosts/documents.ts'

const out = t.testdir({ '0.9.0': {} })
const site = await buildSite({ out, version: '1.2.3' })
const read = (path: string) => readFileSync(join(site, path), 'utf8')
const files = (pattern: string) => globSync(pattern, { cwd: site }).sort()
const index: SearchEntry[] = JSON.parse(read('search-index.js').replace('globalThis.docsIndex = ', ''))

const isOutside = (target: string) => /^(https?:|mailto:)/.test(target)
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

/** Those of `targets`, as links of a file of the site, that lead nowhere. */
function broken(file: string, targets: string[]): string[] {
  return targets.filter((target) => {
    if (isOutside(target)) return false
    const [path = '', anchor] = target.split('#')
    const destination = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(site, destination))) return true
    return anchor !== undefined && destination.endsWith('.html') && !idsOf(read(destination)).has(anchor)
  })
}

t.test('buildSite: every link, picture and anchor of every page leads somewhere', async (t) => {
  const pages = files('**/*.html')
  t.ok(pages.length > 60)
  for (const page of pages) {
    const targets = [...read(page).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)
    t.ok(targets.length > 30, page)
    t.strictSame(broken(page, targets), [], page)
  }
  t.strictSame(broken('index.html', ['nowhere.html', '#nowhere']), ['nowhere.html', '#nowhere'])
})

t.test('buildSite: every page lies beside its Markdown, whose links lead somewhere', async (t) => {
  for (const guide of guides) t.ok(existsSync(join(site, guide)), guide)
  for (const file of files('**/*.md')) {
    const page = file.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
    t.match(read(page), `${file}">This page as Markdown</a>`, page)
    t.strictSame(broken(file, linksOf(read(file))), [], file)
  }
  t.strictSame(broken('llms.txt', linksOf(read('llms.txt'))), [])
})

t.test(
  'buildSite: files outside of the site become links to the repository at the tag of the package',
  async (t) => {
    const { version } = JSON.parse(documentText('package.json'))
    t.match(read('index.html'), `href="https://github.com/svc-api/svc-api/blob/v${version}/LICENSE"`)
  },
)

t.test('buildSite: keeps other versions and lists them', async (t) => {
  t.ok(existsSync(join(out, '0.9.0')))
  t.match(readFileSync(join(out, 'versions.js'), 'utf8'), '["0.9.0","1.2.3"]')
  t.match(readFileSync(join(out, 'index.html'), 'utf8'), 'url=1.2.3/index.html')
  await t.rejects(buildSite({ out, version: '../1' }), /--version must consist of/)
})

t.test('buildSite: one heading of the first level, and no Markdown left in the text', async (t) => {
  for (const page of files('docs/guide/*.html')) {
    const html = read(page)
    t.equal(html.split('<h1').length, 2, page)
    const main = html.slice(html.indexOf('<main'))
    t.notMatch(main.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, ''), /\*\*|\]\(|^\| /m, page)
  }
})

t.test('buildSite: pages load nothing from outside of the site', async (t) => {
  for (const page of files('**/*.html')) {
    const html = read(page)
    t.match(
      html,
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self';`,
      page,
    )
    const loaded = [...html.matchAll(/<(?:script|img|link)\b[^>]* (?:src|href)="([^"]*)"/g)]
    t.strictSame(
      loaded.filter(([, target = '']) => isOutside(target)),
      [],
      page,
    )
    t.notMatch(html, / style="|<style|<script>/, 'the policy refuses styles and scripts in the page')
  }
})

t.test('buildSite: code is colored, in every language that the documents use', async (t) => {
  t.match(read('docs/guide/embedding.html'), '<span class="hljs-keyword">import</span>')
  const [used, colored] = [new Set<string>(), new Set<string>()]
  for (const page of files('**/*.html')) {
    const blocks = read(page).matchAll(/ data-language="([^"]*)"><code>([\s\S]*?)<\/code>/g)
    for (const [, language = '', code = ''] of blocks) {
      used.add(language)
      if (code.includes('<span class="hljs-')) colored.add(language)
    }
  }
  t.strictSame(
    [...used].filter((language) => !colored.has(language)),
    ['text'],
  )
})

t.test('search: finds the section of a term', async (t) => {
  const expected: [string, string][] = [
    ['bleed', 'docs/guide/concepts.html#glossary'],
    ['idempotency', 'docs/guide/requests.html'],
    ['crop marks', 'docs/guide/'],
    ['printableStatuses', 'docs/reference/options.html'],
    ['svc_insufficient_scope', 'docs/reference/errors.html#svc_insufficient_scope'],
    ['graceful', 'docs/guide/recipes.html'],
  ]
  for (const [query, url] of expected) {
    const urls = search(index, query).map((result) => result.url)
    t.ok(
      urls.slice(0, 8).some((found) => found.startsWith(url)),
      `${query}: ${urls.join(' ')}`,
    )
  }
})

t.test('search: requires every word, ignores case, and bounds its results', async (t) => {
  t.strictSame(search(index, 'bleed xyzzy'), [])
  t.strictSame(search(index, '  '), [])
  t.strictSame(search(index, 'FONTS'), search(index, 'fonts'))
  t.equal(search(index, 'a', 3).length, 3)
  t.match(search(index, 'printing box')[0]?.excerpt, /printing/i)
})

t.test('`npm run docs` writes to a folder that git ignores and npm does not publish', async (t) => {
  const { files, scripts } = JSON.parse(documentText('package.json'))
  t.equal(scripts.docs, 'node tools/docs/index.ts')
  t.ok(documentText('.gitignore').split('\n').includes('site/'))
  t.notOk(files.some((name: string) => resolve('/', name).startsWith('/site')))
})
