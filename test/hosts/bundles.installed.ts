// Hosts that a bundler has put into one file: the child processes of the package are found all the same.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import t from 'tap'
import { hostCode, hostStatuses, installedPackage, runPlainly } from '../support/hosts/installed-package.ts'

const folder = await installedPackage(t, /^(@aws-sdk\/|@modelcontextprotocol\/|swagger-ui-dist$)/)
await writeFile(join(folder, 'host.mjs'), hostCode)

const forms: Record<string, BuildOptions> = {
  'host.cjs': { format: 'cjs' },
  'bundle.mjs': {
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  },
}
const bundled = (outfile: string, options: BuildOptions = {}) =>
  build({
    absWorkingDir: folder,
    entryPoints: ['host.mjs'],
    outfile,
    bundle: true,
    platform: 'node',
    logLevel: 'silent',
    ...forms[outfile],
    ...options,
  })

for (const file of Object.keys(forms)) {
  t.test(`${file}: a bundled host stores, lists, checks and draws`, async (t) => {
    const { warnings } = await bundled(file)
    t.strictSame(warnings, [])
    await rm(join(folder, 'shop.sqlite'), { force: true })
    t.strictSame(JSON.parse(await runPlainly(folder, process.execPath, file)), hostStatuses)
  })

  t.test(`${file}: a bundle without the package beside it refuses to start, with a sentence`, async (t) => {
    await bundled(file)
    const alone = await mkdtemp(join(tmpdir(), 'svc-alone-'))
    t.teardown(() => rm(alone, { recursive: true }))
    await cp(join(folder, file), join(alone, file))
    t.match(
      JSON.parse(await runPlainly(alone, process.execPath, file)),
      /^svc-api \S+ is part of a bundle, .* install the same version where the bundle runs\. .* mark it as external\.$/,
    )
  })
}

t.test('a bundle that leaves the package out needs nothing else', async (t) => {
  await bundled('host.cjs', { external: ['svc-api'] })
  await rm(join(folder, 'shop.sqlite'), { force: true })
  t.strictSame(JSON.parse(await runPlainly(folder, process.execPath, 'host.cjs')), hostStatuses)
})
