/**
 * How much the tests notice: puts one small bug at a time into a copy of the repository and runs the tests nearest to it.
 * `npm run test:mutants -- [FOLDER…] [--mutants=N] [--seed=N] [--seconds=N] [--jobs=N]`. OpenAPI document and snapshots do not
 * count: they are recorded anew without a thought.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Node, parse } from 'acorn'
import { startMariadb } from '../test/support/mariadb.ts'
import { startMysql } from '../test/support/mysql.ts'

type Tree = Node & Record<string, unknown>
interface Mutant {
  file: string
  line: number
  /** The file with the bug in it. */
  text: string
  change: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // For each folder; by default 30, and 60 for the rooms where most can go wrong.
    mutants: { type: 'string' },
    seed: { type: 'string', default: '1' },
    // How long the tests of one mutant take together while nothing is wrong.
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
  },
})
const large = ['src/renderer', 'src/files', 'src/db']
const enough = 0.85

const swapped = '< <= > >= === !== + - * / && ||'.split(' ')
const operators: Record<string, string> = { '??': '&&', '%': '*', '>': '>=', '>=': '>' }
for (const [i, operator] of swapped.entries()) operators[operator] ??= swapped[i ^ 1] ?? ''

/** Ranges of a node with what replaces them. */
function* bugs(
  node: Tree,
  parent: Tree,
  text: string,
): Generator<[start: number, end: number, code: string]> {
  const { type, start, end, operator, value } = node
  const code = (child: unknown) => text.slice((child as Node).start, (child as Node).end)
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const joins = operator === '+' && /^['"`]|['"`]$/.test(code(node))
    const from = text.indexOf(String(operator), (node.left as Node).end)
    const other = operators[String(operator)]
    if (other && !joins) yield [from, from + String(operator).length, other]
  }
  if (type === 'UnaryExpression' && operator === '!') yield [start, end, code(node.argument)]
  if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const test = node.test as Node
    yield [test.start, test.end, `!(${code(test)})`]
  }
  if (type === 'Literal' && (parent.key !== node || parent.value === node) && !/port/.test(parent.type)) {
    if (typeof value === 'boolean') yield [start, end, String(!value)]
    if (typeof value === 'number') yield [start, end, String(value + 1)]
    // Sentences are for people.
    if (typeof value === 'string' && /^\S+$/.test(value)) yield [start, end, "''"]
  }
  if (type === 'ExpressionStatement') yield [start, end, 'void 0']
  if (type === 'ReturnStatement' && node.argument) yield [start, end, 'return undefined']
  const body = node.body as Tree
  if (type === 'ArrowFunctionExpression' && node.expression && body.type !== 'ObjectExpression')
    yield [body.start, body.end, 'undefined']
  if (type === 'ArrayExpression' && end - start > 2) yield [start, end, '[]']
}

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const walk = (node: Tree, parent: Tree): Mutant[] => [
    ...[...bugs(node, parent, text)].map(([start, end, code]) => {
      const line = text.slice(0, start).split('\n').length
      const mutated = text.slice(0, start) + code + text.slice(end)
      const lines = [text, mutated].map((version) => version.split('\n')[line - 1]?.trim())
      return { file, line, text: mutated, change: lines.join('  →  ') }
    }),
    ...Object.values(node).flatMap((child) =>
      [child]
        .flat()
        .flatMap((one) => (typeof (one as Tree)?.type === 'string' ? walk(one as Tree, node) : [])),
    ),
  ]
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' })
  return walk(tree as unknown as Tree, tree as unknown as Tree)
}

/** Mutants in as many lines. The same line has the same rank in every run with one seed. */
function drawn(pattern: string): Mutant[] {
  const count = Number(values.mutants ?? (large.some((name) => pattern.startsWith(name)) ? 60 : 30))
  const rank = ({ file, change }: Mutant) =>
    createHash('md5')
      .update(values.seed + file + change)
      .digest('hex')
  const ranked = globSync(pattern)
    .flatMap(mutantsOf)
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
  const byLine = new Map(ranked.map(({ mutant }) => [`${mutant.file}:${mutant.line}`, mutant]))
  return [...byLine.values()].slice(0, count)
}

const importers = new Map<string, string[]>()
for (const file of globSync('{src,plugins,test,tools}/**/*.ts'))
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/'(\.[^'\s]*\.ts)'/g)) {
    const imported = normalize(join(file, '..', name))
    importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
const wordsOf = (file: string) =>
  file.split(/[/.-]/).filter((word) => !/^(src|test|ts|index|plugins|faults)$/.test(word))
const noticed = new Map<string, number>()

/** Test files by how near they are: few imports between, in the folder of the same name, with words of its path, useful before. */
function testsOf(file: string): string[] {
  const distances = new Map([[file, 0]])
  for (const [at, distance] of distances)
    for (const other of importers.get(at) ?? []) if (!distances.has(other)) distances.set(other, distance + 1)
  const rank = (test: string) => {
    const words = wordsOf(test)
    const shared = wordsOf(file).filter((word) =>
      words.some((other) => word.startsWith(other) || other.startsWith(word)),
    )
    return (distances.get(test) ?? 0) - 2 * shared.length - Math.min(3, noticed.get(test) ?? 0)
  }
  const tests = [...distances.keys()].filter(
    (name) => name.endsWith('.test.ts') && name !== 'test/openapi.test.ts',
  )
  return tests.sort((one, other) => rank(one) - rank(other))
}

/** Runs one test file, which must succeed within some seconds. */
async function succeeds(copy: string, test: string, seconds: number): Promise<boolean> {
  const child = spawn(process.execPath, [test], { cwd: copy, env, stdio: 'ignore', detached: true })
  const ended = once(child, 'close').then(([code]) => code === 0)
  const verdict = await Promise.race([ended, wait(seconds * 1000, false, { ref: false })])
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    // It has left nothing behind.
  }
  await ended
  return verdict
}

const usual = new Map<string, Promise<number>>()
/** Seconds that a test takes without a mutant; infinite if it fails. */
function secondsOf(test: string): Promise<number> {
  const begin = performance.now()
  const measured =
    usual.get(test) ??
    succeeds(sound, test, 300).then((ok) =>
      ok ? (performance.now() - begin) / 1000 : Number.POSITIVE_INFINITY,
    )
  usual.set(test, measured)
  return measured
}

/** The test that notices a mutant, if any does. */
async function noticing(copy: string, { file, text }: Mutant): Promise<string | undefined> {
  const original = readFileSync(join(copy, file))
  writeFileSync(join(copy, file), text)
  try {
    let left = Number(values.seconds)
    for (const test of testsOf(file)) {
      const seconds = await secondsOf(test)
      if (seconds > left) continue
      left -= seconds
      if (!(await succeeds(copy, test, Math.max(20, 4 * seconds)))) return test
    }
    return undefined
  } finally {
    writeFileSync(join(copy, file), original)
  }
}

const work = mkdtempSync(join(tmpdir(), 'svc-mutants-'))
function copyOfRepository(name: string): string {
  const copy = join(work, name)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const file of files) cpSync(file, join(copy, file))
  for (const folder of ['node_modules', 'dist']) symlinkSync(join(process.cwd(), folder), join(copy, folder))
  return copy
}

const { SVC_TEST_MARIADB, SVC_TEST_MYSQL } = process.env
const mariadb = SVC_TEST_MARIADB ? undefined : await startMariadb()
const mysql = SVC_TEST_MYSQL ? undefined : await startMysql()
const env = {
  ...process.env,
  SVC_TEST_MARIADB: SVC_TEST_MARIADB ?? mariadb?.url(),
  SVC_TEST_MYSQL: SVC_TEST_MYSQL ?? mysql?.url(),
  NODE_COMPILE_CACHE: join(work, 'compiled'),
  TAP_BAIL: '1',
  TAP_TIMEOUT: '300',
  TAP_SNAPSHOT: '1',
}
const sound = copyOfRepository('sound')
const copies = Array.from({ length: Number(values.jobs) }, (_, i) => copyOfRepository(`mutated-${i}`))
const rooms = positionals.length > 0 ? positionals : [...globSync('src/*/'), 'plugins']
for (const room of rooms) {
  const mutants = drawn(room.endsWith('.ts') ? room : `${room}/**/*.ts`)
  const queue = [...mutants]
  let found = 0
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const test = await noticing(copy, mutant)
        if (test) found++
        if (test) noticed.set(test, (noticed.get(test) ?? 0) + 1)
        console.log(
          `${test ? 'noticed ' : 'SURVIVED'} ${mutant.file}:${mutant.line}  ${mutant.change}${test ? `  (${test})` : ''}`,
        )
      }
    }),
  )
  console.log(`# ${room}: ${found} of ${mutants.length} noticed`)
  if (found < enough * mutants.length) process.exitCode = 1
}
await Promise.all([mariadb?.stop(), mysql?.stop()])
rmSync(work, { recursive: true })
