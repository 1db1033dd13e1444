/**
 * How much the checks notice: puts one small bug at a time into a copy of the repository, checks its types and runs the tests
 * nearest to it: by imports and words, or those that run the changed place, where `SVC_TEST_COVERAGE=coverage/tests npm test`
 * has recorded what each test runs.
 * `npm run test:mutants -- [FOLDER or FILE…] [--mutants=N] [--seed=N] [--seconds=N] [--jobs=N]`, mutants for each folder, and
 * seconds after which no further test of one begins. OpenAPI document and snapshots do not count: anybody records them anew.
 */
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Node, parse } from 'acorn'
import { startMariadb } from '../test/support/peers/mariadb.ts'
import { startMysql } from '../test/support/peers/mysql.ts'

type Tree = Node & Record<string, unknown>
type Mutant = Record<'file' | 'text' | 'original' | 'place' | 'change' | 'rank', string> & {
  at: number
  line: number
  tests: Map<string, number>
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '45' },
    jobs: { type: 'string', default: '2' },
  },
})
/** Seconds after which a test hangs, if it succeeds in half of them without the bug. */
const patience = 120
const swaps = '< <=, <= <, > >=, >= >, === !==, !== ===, + -, - +, * /, / *, % *, && ||, || &&, ?? &&'
const swapped = Object.fromEntries(swaps.split(', ').map((pair) => pair.split(' ')))

/** What may stand in the place of a node. */
function bugsIn(node: Tree, parent: Tree, codeOf: (node: unknown) => string): string[] {
  const { type, value } = node
  const [own, operator] = [codeOf(node), String(node.operator)]
  if (/^(Binary|Logical)Expression$/.test(type) && swapped[operator]) {
    const isText = operator === '+' && /^['"`]|['"`]$/.test(own)
    return isText ? [] : [`((${codeOf(node.left)}) ${swapped[operator]} (${codeOf(node.right)}))`]
  }
  if (type === 'UnaryExpression' && operator === '!') return [codeOf(node.argument)]
  if (parent.test === node && /^(If|Conditional)/.test(parent.type)) return [`!(${own})`]
  if (type === 'ExpressionStatement') return ['void 0']
  if (type === 'ReturnStatement' && own !== 'return undefined' && node.argument) return ['return undefined']
  if (type === 'ArrayExpression' && own !== '[]') return ['[]']
  const isName = (parent.key === node && parent.value !== node) || /port/.test(parent.type)
  if (type !== 'Literal' || isName) return []
  if (typeof value === 'boolean') return [String(!value)]
  // Limits such as 20_000 are no less right with one more.
  const isRoundLimit = Number(value) >= 1000 && Number(value) % 1000 === 0
  if (typeof value === 'number') return isRoundLimit ? [] : [String(value + 1)]
  // Sentences are for people.
  return typeof value === 'string' && /^\S+$/.test(value) ? ["''"] : []
}

function* nodesOf(parent: Tree): Generator<readonly [node: Tree, parent: Tree]> {
  for (const node of Object.values(parent).flat() as Tree[])
    if (typeof node?.type === 'string') yield* [[node, parent] as const, ...nodesOf(node)]
}

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const codeOf = (node: unknown) => text.slice((node as Node).start, (node as Node).end)
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' }) as Node
  return [...nodesOf(tree as Tree)].flatMap(([node, parent]) =>
    bugsIn(node, parent, codeOf).map((bug) => {
      const line = text.slice(0, node.start).split('\n').length
      const place = `${file}:${line}`
      const change = `${codeOf(node)}  →  ${bug}`.replaceAll(/\s*\n\s*/g, ' ')
      const rank = hash('md5', values.seed + file + change)
      const mutated = text.slice(0, node.start) + bug + text.slice(node.end)
      return {
        file,
        line,
        place,
        change,
        rank,
        at: node.start,
        tests: new Map(),
        original: text,
        text: mutated,
      }
    }),
  )
}

/** Without what is generated. */
const filesIn = (room: string): string[] =>
  execFileSync('git', ['ls-files', room], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts'))

/** At most one mutant for each line, drawn by the seed. */
function drawn(room: string): Mutant[] {
  const count = Number(values.mutants ?? (/\b(renderer|files|db)\b/.test(room) ? 60 : 30))
  const mutants = filesIn(room).flatMap(mutantsOf)
  mutants.sort((one, other) => one.rank.localeCompare(other.rank))
  return [...new Map(mutants.map((mutant) => [mutant.place, mutant])).values()].slice(0, count)
}

type Coverage = { result: { url: string; functions: { ranges: Range[] }[] }[] }
type Range = Record<'startOffset' | 'endOffset' | 'count', number>
const record = 'coverage/tests/'
const isTest = (file: string) => /(?<!openapi)\.(test|faults|render)\.ts$/.test(file)

/** Notes the tests that run the place of each mutant, with how many functions they run: those with few say most. */
function noteTests(mutants: Mutant[]): void {
  for (const path of globSync(`${record}**/*.json`)) {
    const test = dirname(path.slice(record.length))
    const { result } = JSON.parse(readFileSync(path, 'utf8')) as Coverage
    const scripts = result.map(
      ({ url, functions }) => [url.replace(/^.*?\/(?=(src|plugins)\/)/, ''), functions] as const,
    )
    const known = new Map(scripts)
    const breadth = scripts.flatMap(([file, functions]) => (/^(src|plugins)/.test(file) ? functions : []))
    const size = breadth.filter(({ ranges }) => ranges[0]?.count).length
    for (const { file, at, tests } of isTest(test) ? mutants : []) {
      const ranges = known.get(file)?.flatMap((each) => each.ranges) ?? []
      const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)
      around.sort((one, other) => one.endOffset - one.startOffset - (other.endOffset - other.startOffset))
      if (around[0]?.count) tests.set(test, Math.max(size, tests.get(test) ?? 0))
    }
  }
}

const [merits, sound] = [new Map<string, number>(), new Map<string, Promise<boolean>>()]

/** How much a word says about the texts that contain it: those that few contain say most (inverse document frequency). */
function weigher(texts: ReadonlySet<string>[]) {
  const frequencies = new Map<string, number>()
  for (const word of texts.flatMap((text) => [...text]))
    frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  return (word: string) => Math.log(texts.length / (frequencies.get(word) ?? texts.length))
}
const testFiles = globSync('test/**/*.ts').filter(isTest)
const wordsOf = (text: string) => new Set(text.match(/[\w-]{3,}/g))
const partsOf = (path: string) =>
  new Set(path.split(/\W/).filter((part) => !/^(src|test|ts|index)$/.test(part)))
const testTexts = new Map(testFiles.map((test) => [test, readFileSync(test, 'utf8')]))
const testWords = new Map([...testTexts].map(([test, text]) => [test, wordsOf(text)]))
const testParts = new Map(testFiles.map((test) => [test, partsOf(test)]))
const [wordWeight, partWeight] = [weigher([...testWords.values()]), weigher([...testParts.values()])]

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>, weight: (word: string) => number) =>
  [...a].reduce((sum, word) => sum + (b.has(word) ? weight(word) : 0), 0)

/** How much a test has in common with a mutant: imports, words of the path, of the lines around the mutant and of its file. */
function likeness(test: string, { file, line, original }: Mutant): number {
  const words = testWords.get(test) ?? new Set()
  const around = original.split('\n').slice(Math.max(0, line - 15), line + 15)
  const nearWords = common(wordsOf(around.join('\n')), words, wordWeight)
  const wordsOfFile = common(wordsOf(original), words, wordWeight)
  const path = common(partsOf(file), testParts.get(test) ?? new Set(), partWeight)
  const isImported = testTexts.get(test)?.includes(`${file}'`)
  // Long tests contain more words of everything, and take longer.
  return (isImported ? 8 : 0) + 2 * path + (2 * nearWords + wordsOfFile) / Math.sqrt(words.size)
}

/** The tests that run the place, else all. Those come first that have most in common with it and noticed most bugs. */
function testsFor(mutant: Mutant): string[] {
  const rank = (test: string) => {
    const breadth = (mutant.tests.get(test) ?? 0) / 200
    return breadth - likeness(test, mutant) - Math.min(3, merits.get(test) ?? 0)
  }
  const found = mutant.tests.size > 0 ? [...mutant.tests.keys()] : [...testFiles]
  const ranks = new Map(found.map((test) => [test, rank(test)]))
  return found.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
}

/** Whether the types of a copy's `src` and `plugins` are consistent. */
async function typeChecks(copy: string): Promise<boolean> {
  const tsc = join(copy, 'node_modules/.bin/tsc')
  const cache = ['--incremental', '--tsBuildInfoFile', 'mutants.tsbuildinfo']
  const args = ['-p', 'tsconfig.build.json', '--noEmit', '--singleThreaded', ...cache]
  const [code] = await once(spawn(tsc, args, { cwd: copy, stdio: 'ignore' }), 'close')
  return code === 0
}

async function succeeds(copy: string, test: string, seconds: number): Promise<boolean> {
  const how = { cwd: copy, env, stdio: 'ignore', timeout: seconds * 1000, killSignal: 'SIGKILL' } as const
  const [code] = await once(spawn(process.execPath, [test], how), 'close')
  return code === 0
}

/** The test that notices a mutant, or `tsc`; undefined if none does. */
async function noticing(copy: string, mutant: Mutant): Promise<string | undefined> {
  const path = join(copy, mutant.file)
  const original = readFileSync(path)
  writeFileSync(path, mutant.text)
  const isTyped = await typeChecks(copy)
  writeFileSync(path, original)
  if (!isTyped) return 'tsc'
  const begin = performance.now()
  for (const test of testsFor(mutant)) {
    if (performance.now() - begin > Number(values.seconds) * 1000) break
    writeFileSync(path, mutant.text)
    const isBlind = await succeeds(copy, test, patience)
    writeFileSync(path, original)
    if (isBlind) continue
    if (!sound.has(test)) sound.set(test, succeeds(copy, test, patience / 2))
    if (await sound.get(test)) return merits.set(test, (merits.get(test) ?? 0) + 1) && test
  }
  return undefined
}
const servers = process.env.SVC_TEST_MYSQL ? [] : await Promise.all([startMariadb(), startMysql()])
const urls = { SVC_TEST_MARIADB: servers[0]?.url(), SVC_TEST_MYSQL: servers[1]?.url() }
const env = { ...urls, ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: String(patience), TAP_SNAPSHOT: '1' }
const folder = mkdtempSync(join(tmpdir(), 'svc-mutants-'))
const linked = ['node_modules', 'dist']
const copies = Array.from({ length: Number(values.jobs) }, (_, i) => join(folder, String(i)))
for (const copy of copies) {
  for (const name of globSync('*', { exclude: [...linked, 'coverage'] }))
    cpSync(name, join(copy, name), { recursive: true })
  for (const name of linked) symlinkSync(join(process.cwd(), name), join(copy, name))
}
const rooms = positionals.length > 0 ? positionals : [...globSync('src/*/'), 'plugins']
const all = rooms.map((room) => [room, drawn(room)] as const)
noteTests(all.flatMap(([, mutants]) => mutants))
for (const [room, mutants] of all) {
  const [queue, found] = [mutants.values(), [] as Mutant[]]
  const work = async (copy: string) => {
    for (const mutant of queue) {
      const test = await noticing(copy, mutant)
      if (test) found.push(mutant)
      console.log(test ? `noticed by ${test}` : 'SURVIVED', mutant.place, mutant.change)
    }
  }
  await Promise.all(copies.map(work))
  console.log(`# ${room}: ${found.length} of ${mutants.length} noticed`)
  if (found.length < 0.85 * mutants.length) process.exitCode = 1
}
await Promise.all(servers.map((server) => server.stop()))
rmSync(folder, { recursive: true })
