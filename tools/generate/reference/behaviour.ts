// behaviour.md: the rules, as the titles of the tests say them, by resource.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchor, code, pageHead, prose } from './markdown.ts'

/** Headings in the order of the page, each with the tests that belong there. The first that matches counts. */
const chapters: readonly (readonly [heading: string, files: RegExp])[] = [
  ['Products and views', /plugins\/(products|product-|views|single-update|search-)/],
  ['Categories', /plugins\/categor/],
  ['Assets', /plugins\/assets/],
  ['Fonts', /plugins\/fonts/],
  ['Design library', /plugins\/(design-categories|designs)/],
  ['Color library', /plugins\/color-|src\/library\//],
  ['Text templates', /plugins\/text-templates/],
  ['Pricing rules', /(plugins|profiles)\/pricing-/],
  ['Print profiles and layouts', /plugins\/(print-profiles|user-interfaces)/],
  ['Settings', /plugins\/settings-(host|meaning|tags|wordpress|write)|plugins\/settings\.|src\/settings\//],
  ['Settings screen and desk', /plugins\/(settings-screen|desk)|src\/pages\/|browser\//],
  ['Orders', /plugins\/(orders|shortcode-)|src\/orders\//],
  ['Print jobs and print files', /plugins\/(print-jobs|print-ready)|src\/print\/(?!providers)/],
  ['Print providers', /plugins\/printful|src\/print\/providers/],
  ['Previews, preflights and drawing', /plugins\/(preflights|previews)|src\/renderer\/|test\/render\//],
  ['Uploads and their checks', /src\/(files|workers)\//],
  ['File storage', /plugins\/remote-storage|src\/storage\/|test\/s3\//],
  ['Changes: events, audit trail, webhooks', /plugins\/(changes|webhooks)|src\/(changes|outbound)\//],
  ['Rights: tokens, scopes, logins of the host', /test\/rights/],
  [
    'Requests and responses',
    /src\/http\/|plugins\/(minimal|unknown-ids|idempotency)|round-trips|fuzz|large-bodies/,
  ],
  ['JSON', /src\/json\/|poisoned-names|stored-depths|regular-expressions/],
  [
    'Database, transactions, availability',
    /src\/db\/|statements|database|connections|commit|concurrency|unknown-outcomes|late-writes/,
  ],
  ['Beside the CMS and in legacy installations', /legacy|wordpress|woocommerce/],
  ['Erasing a customer, other upkeep', /src\/upkeep\//],
  ['OpenAPI document and client', /openapi\.test|src\/client\/|released\//],
  ['Tools for agents', /mcp/],
  ['Commands', /src\/cli\//],
  ['System', /plugins\/system/],
  ['In a host', /hostile-host\/|hosts\/|test\/(server|stop|close|logs|rest)\b/],
  ['The examples', /test\/examples\//],
  [
    'The source itself',
    /src\/core\/|test\/[\w-]+\.(?:test|installed|faults)\.ts$|documents\/|support-tests\//,
  ],
]

/** What begins a test at the outermost level, or within a loop there. */
const calls = 't\\.test|rule|ruleOnce|onServers|onEach|test'
const titled = new RegExp(`^ {0,2}(?:${calls})\\(\\s*(['"\`])((?:\\\\.|(?!\\1).)+)\\1,`, 'gm')

interface TestFile {
  file: string
  /** What the first line of the file says. */
  about: string
  titles: string[]
}

const plainTitle = (title: string) =>
  title.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…').replace(/\\(['"`\\])/g, '$1')

/** Files whose name has one of the kinds that the suites run. */
export function testFiles(root: string): TestFile[] {
  const pattern = 'test/**/*.{test,installed,faults,s3,render,browser,mcp}.ts'
  return globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const about =
        /^(?:\/\/ .*\n)+/
          .exec(text)?.[0]
          .replace(/^\/\/ /gm, '')
          .replaceAll('\n', ' ')
          .trim() ?? ''
      return { file, about, titles: [...text.matchAll(titled)].map(([, , title = '']) => plainTitle(title)) }
    })
}

export const chapterOf = (file: string) => chapters.find(([, files]) => files.test(file))?.[0]

const section = ({ file, about, titles }: TestFile) =>
  `### ${code(file.replace('test/', ''))}\n\n${prose(about)}\n\n${titles.map((title) => `- ${prose(title)}\n`).join('')}`

export function behaviourPage(root: string): string {
  const files = testFiles(root).filter(({ titles }) => titles.length > 0)
  const byChapter = Map.groupBy(files, ({ file }) => chapterOf(file))
  const headings = chapters.map(([heading]) => heading).filter((heading) => byChapter.has(heading))
  const count = files.reduce((sum, { titles }) => sum + titles.length, 0)
  const text = `What the API does, said by the titles of the ${count} tests that hold it. Each file of tests is one section; a “…” stands for
each of several values. Why it does so is told by the [decisions](../decisions/README.md) where that may be questioned.`
  const contents = headings.map((heading) => `- [${heading}](#${anchor(heading)})\n`).join('')
  const parts = headings.map(
    (heading) => `## ${heading}\n\n${(byChapter.get(heading) ?? []).map(section).join('\n')}`,
  )
  return `${pageHead('Behaviour', 'the titles of the tests', text)}\n${contents}\n${parts.join('\n')}`
}
