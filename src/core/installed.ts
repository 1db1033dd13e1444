// Finds this package's files for child processes, and the packages installed beside it. A bundler puts this
// code into a file of the host, so that `import.meta.url` no longer leads there.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from './version.ts'

/** Not imported: webpack would work it out at build time, and bundles often declare this name for themselves. */
const requireFrom = (path: string) => process.getBuiltinModule('node:module').createRequire(path)

let found: URL | undefined

/**
 * URL of a compiled file of this package. The published code has it where the source has `import.meta.url`.
 * @public The bundle calls it.
 * @param path below `dist`
 * @throws Error with a sentence if this package is bundled but not installed
 */
export function installedUrl(path: string): string {
  found ??= pathToFileURL(join(installedFolder(), '/'))
  return new URL(path, found).href
}

/** @throws Error with a sentence if child processes could not start, because this package is bundled but not installed */
export function assertInstalled(): void {
  // In the published code it is a call of `installedUrl`.
  new URL(import.meta.url)
}

/**
 * `require` for the packages that this one depends on.
 * @param module the caller's `import.meta.url`, which must not be read at import time
 */
export const requireBeside = (module: string): NodeJS.Require => requireFrom(module)

/** The script of a child process: a .js file in the published package, a .ts file in development, as the module itself. */
export const scriptBeside = (module: string, name: string): URL =>
  new URL(name + (module.endsWith('.ts') ? '.ts' : '.js'), module)

/**
 * Imports a package that hosts may not have. Bundlers do not look for it, because its name is not written beside `import`.
 * @throws Error with the code ERR_MODULE_NOT_FOUND
 */
export const optionalPackage = <Module>(name: string): Promise<Module> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ name)

/** Node's arguments for a child process: of the host's loaders and inspectors only the one that finds packages. */
export function execArguments(): string[] {
  if (process.versions.pnp === undefined) return []
  const script = requireBeside(import.meta.url).resolve('pnpapi')
  const loader = join(dirname(script), '.pnp.loader.mjs')
  const forModules = existsSync(loader) ? ['--experimental-loader', pathToFileURL(loader).href] : []
  return ['--require', script, ...forModules]
}

/** A file that only the folder `dist` has. */
const landmark = 'src/files/check-worker.js'

/** The folder `dist`. */
function installedFolder(): string {
  // Undefined in a bundle of CommonJS.
  const { dirname: here, filename } = import.meta
  // From our bundle, and from the compiled file itself.
  const above = here === undefined ? [] : [join(here, '..'), join(here, '../..')]
  const dist = above.find((folder) => existsSync(join(folder, landmark)))
  if (dist !== undefined) return dist
  const bundle = typeof __filename === 'string' ? __filename : filename
  for (const place of [bundle, process.argv[1], join(process.cwd(), '/')]) {
    const folder = place === undefined ? undefined : packageFrom(place)
    if (folder !== undefined) return join(folder, 'dist')
  }
  throw new Error(
    `svc-api ${version} is part of a bundle, but it runs files of its own in child processes: install the same version where the bundle runs. Then it need not be bundled: mark it as external.`,
  )
}

/** The package in this version, as a module at this path finds it. */
function packageFrom(path: string): string | undefined {
  try {
    const require = requireFrom(path)
    const file = 'svc-api/package.json'
    return require(file).version === version ? dirname(require.resolve(file)) : undefined
  } catch {
    return undefined
  }
}
