// Holds the arrows between the rooms: who may import whom, and which packages live where. `import type` counts.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize, resolve } from 'node:path'
import t from 'tap'
import { arrows, contents, homes } from '../tools/rooms.ts'

const root = resolve(import.meta.dirname, '..')
function roomOf(file: string): string {
  const [top = '', second = '', third] = file.split('/')
  if (top === 'src') return `src/${second}`
  return third === undefined ? 'plugins' : 'plugins/*'
}

const files = globSync('{src,plugins}/**/*.ts', { cwd: root })
const imports = new Map(
  files.map((file) => {
    // Files that are written for others stand in templates.
    const text = readFileSync(join(root, file), 'utf8').replace(/`(?:[^`\\]|\\[\s\S])*`/g, '``')
    const names = [...text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^']+)'/gm)].map(
      ([, name = '']) => name,
    )
    return [file, names.map((name) => (name.startsWith('.') ? normalize(join(file, '..', name)) : name))]
  }),
)

t.test('every room of the table exists', async (t) => {
  for (const room of Object.keys(arrows).filter((name) => !name.includes('*')))
    t.ok(existsSync(join(root, room)), room)
  t.strictSame(Object.keys(contents).sort(), Object.keys(arrows).sort(), 'the documents name each')
})

t.test('every import goes downwards', async (t) => {
  for (const [file, names] of imports) {
    const room = roomOf(file)
    for (const name of names.filter((other) => imports.has(other))) {
      const own = room === 'plugins/*' ? name.startsWith(join(file, '../')) : roomOf(name) === room
      t.ok(own || arrows[room]?.includes(roomOf(name)), `${file} may import ${name}`)
    }
  }
})

t.test('every package is imported only where it lives', async (t) => {
  for (const [file, names] of imports) {
    for (const name of names.filter((other) => !imports.has(other))) {
      const [scope = '', rest = ''] = name.split('/')
      const home = homes[scope.startsWith('@') ? `${scope}/${rest}` : scope]
      if (name.startsWith('node:') && !name.startsWith('node:fs')) continue
      t.ok(home?.test(file), `${file} may import ${name}`)
    }
  }
})

t.test('no import closes a circle', async (t) => {
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) t.fail([...path, file].join(' > '))
    else if (!done.has(file)) {
      for (const name of imports.get(file) ?? []) walk(name, [...path, file])
      done.add(file)
    }
  }
  for (const file of files) walk(file, [])
  t.ok(done.size > files.length / 2)
})

/** Text without comments and without strings. Templates stay. */
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g, "''")

t.test('no object is written into another by a spread', async (t) => {
  for (const file of globSync('{src,plugins,examples}/**/*.ts', { cwd: root }))
    if (!file.includes('node_modules'))
      t.notOk(code(readFileSync(join(root, file), 'utf8')).includes('...{'), file)
})

t.test('JSON is parsed in one place', async (t) => {
  const parsing =
    /\bJSON\s*(?:\?\.|\.)\s*(?!stringify\b)\w|\bJSON\s*(?:\?\.)?\[|[=(,:[]\s*(?:globalThis\.)?JSON\b(?!\s*[.\w])|(?<!encoder)\.\s*json\s*\(/
  for (const [line, isFound] of [
    ['JSON.parse(text)', true],
    ['const { parse } = JSON', true],
    ['const read = JSON["parse"]', true],
    ['JSON?.parse(text)', true],
    ['Reflect.get(JSON, name)', true],
    ['await response.json()', true],
    ['Response.json(value)', true],
    ['request\n  .json()', true],
    ['JSON.stringify(value)', false],
    ['const name = `JSON of it`', false],
  ] as const)
    t.equal(parsing.test(code(line)), isFound, line)
  const room = /^src\/json\//
  const others = new Set([
    // A script for browsers.
    'plugins/reference/page.ts',
    // A client of the API, as hosts write it; of its own requests' responses it reads names without escapes.
    'examples/host/demo.ts',
    // A test of a new host, as hosts write it.
    'examples/new-host/test/app.test.ts',
  ])
  for (const file of globSync('{src,plugins,examples}/**/*.{ts,js,mjs}', { cwd: root })) {
    if (room.test(file) || others.has(file) || file.includes('node_modules')) continue
    t.notMatch(code(readFileSync(join(root, file), 'utf8')), parsing, file)
  }
})

t.test('no file under src only passes on what others export', async (t) => {
  for (const file of files.filter((name) => name.startsWith('src/'))) {
    t.notMatch(readFileSync(join(root, file), 'utf8'), /^export (\*|(type )?\{[^}]*\}) from/m, file)
  }
})
