// Bundles the compiled package for its users, because Node takes half a millisecond for each module it loads. Our own code, and
// of TypeBox's 200 modules what we use; other dependencies stay what the host installs. All entries share one file, so that
// each class exists once.
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const target = join(dist, 'bundle')

// What a source left that is gone since would be bundled, too.
for (const path of globSync(['.tsbuildinfo', '{plugins,src}/**/*.{js,d.ts}'], { cwd: dist }))
  if (!existsSync(join(root, path.replace(/(\.d)?\.[jt]s$/, '.ts')))) rmSync(join(dist, path))

/** The file of all entries; imports that are made later are files beside it. */
const shared = 'api.js'
/** What every entry imports before it. */
const first = 'refuse-node.js'

/** Compiled entries by the name of their file in the bundle, as `exports` in package.json lists them. */
const entries = new Map([
  ['index', 'plugins/index.js'],
  ['testing', 'plugins/testing.js'],
  ...globSync('plugins/*/index.js', { cwd: dist })
    .sort()
    .map((path) => [`plugins/${basename(dirname(path))}`, path] as const),
])

const installed = join(dist, 'src/core/installed.js')

/** Modules that name themselves, for a thread or as the place they resolve from, name their compiled file. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const own = `installedUrl(${JSON.stringify(relative(dist, path))})`
      const contents = code.replaceAll('import.meta.url', own)
      const isComplete = path === installed || contents === code
      return {
        contents: isComplete
          ? contents
          : `import { installedUrl } from ${JSON.stringify(installed)}\n${contents}`,
      }
    })
  },
}

const typebox = join(root, 'node_modules/@sinclair/typebox')

const withTypebox: Plugin = {
  name: 'with-typebox',
  setup({ onResolve }) {
    onResolve({ filter: /^@sinclair\/typebox$/ }, () => ({
      path: join(typebox, 'build/esm/index.mjs'),
      sideEffects: false,
    }))
  },
}

const options: BuildOptions = {
  absWorkingDir: dist,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node22',
  format: 'esm',
  logLevel: 'warning',
  write: false,
}

/** The names that an entry exports. */
async function exportsOf(path: string): Promise<string[]> {
  const { metafile } = await build({ ...options, entryPoints: [path], outdir: target, metafile: true })
  return Object.values(metafile?.outputs ?? {}).flatMap(({ exports, entryPoint }) =>
    entryPoint === path ? exports : [],
  )
}

/** The name of an entry's export among those of all entries. */
const sharedName = (entry: string, name: string) => `${entry.replaceAll(/\W/g, '_')}__${name}`

const lists: string[] = []
const files = new Map<string, string | Uint8Array>()
for (const [entry, path] of entries) {
  const names = await exportsOf(path)
  const list = (naming: (name: string) => string) => names.map(naming).join(', ')
  lists.push(`export { ${list((name) => `${name} as ${sharedName(entry, name)}`)} } from './${path}'`)
  const place = (file: string) => relative(dirname(`${entry}.js`), file).replace(/^(?!\.)/, './')
  files.set(
    `${entry}.js`,
    `import '${place(first)}'\nexport { ${list((name) => `${sharedName(entry, name)} as ${name}`)} } from '${place(shared)}'\n`,
  )
}
const { outputFiles = [] } = await build({
  ...options,
  stdin: { contents: lists.join('\n'), resolveDir: dist, sourcefile: 'api.js' },
  outdir: target,
  entryNames: basename(shared, '.js'),
  chunkNames: '[name]-[hash]',
  splitting: true,
  plugins: [ownUrls, withTypebox],
  banner: { js: `/*! With parts of TypeBox.\n\n${readFileSync(join(typebox, 'license'), 'utf8')}*/` },
})
const { outputFiles: before = [] } = await build({
  ...options,
  entryPoints: ['src/cli/refuse-node.js'],
  outdir: target,
})
for (const { path, contents } of [...outputFiles, ...before]) files.set(relative(target, path), contents)

// The example host for `svc-api serve`, because Node strips no types below node_modules. Its files stay where they are.
await build({
  ...options,
  absWorkingDir: root,
  entryPoints: ['examples/host/index.ts'],
  outfile: 'dist/host/index.js',
  banner: { js: "const sourceUrl = new URL('../../examples/host/index.ts', import.meta.url).href" },
  define: { 'import.meta.url': 'sourceUrl' },
  write: true,
})

// A process that starts meanwhile finds a whole bundle: the old one or the new one.
mkdirSync(join(target, 'plugins'), { recursive: true })
for (const [name, contents] of files) writeFileSync(join(target, name), contents)
for (const file of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const path = join(file.parentPath, file.name)
  if (file.isFile() && !files.has(relative(target, path))) rmSync(path)
}

// The examples are packages of their own: they find this one where their users have it.
const own = join(root, 'node_modules/svc-api')
if (!existsSync(own)) symlinkSync('..', own, 'junction')
