// Finds files of this package for child processes, and packages that are installed beside it. In a host that bundles its code this is
// not simple: `import.meta.url` is then the bundle, not a file of this package.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from './version.ts'

/** `createRequire`, but not imported: webpack would evaluate it at build time, and bundles often declare this name themselves. */
const requireFrom = (path: string) => process.getBuiltinModule('node:module').createRequire(path)

/** URL of the folder `dist`, once it was found. */
let distUrl: URL | undefined

/**
 * URL of a compiled file of this package. The published code has it where the source has `import.meta.url`.
 * @public The bundle calls it.
 * @param path below `dist`
 * @throws Error with a sentence if this package is bundled but not installed
 */
export function installedUrl(path: string): string {
  distUrl ??= pathToFileURL(join(installedFolder(), '/'))
  return new URL(path, distUrl).href
}

/** @throws Error with a sentence if child processes could not start, because this package is bundled but not installed */
export function assertInstalled(): void {
  // The build replaces `import.meta.url` by a call of `installedUrl`, which throws.
  new URL(import.meta.url)
}

/**
 * `require` for the packages that this one depends on.
 * @param module `import.meta.url` of the caller. Call this function when it is needed, not while the module is imported
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

/** Arguments of Node.js for a child process: only the loader of Yarn Plug'n'Play, if the host uses that; no others, no inspectors. */
export function execArguments(): string[] {
  if (process.versions.pnp === undefined) return []
  const script = requireBeside(import.meta.url).resolve('pnpapi')
  const loader = join(dirname(script), '.pnp.loader.mjs')
  const forModules = existsSync(loader) ? ['--experimental-loader', pathToFileURL(loader).href] : []
  return ['--require', script, ...forModules]
}

/** A file by which the folder `dist` is recognized. */
const landmark = 'src/files/check-worker.js'

/** The folder `dist`. */
function installedFolder(): string {
  // Both are undefined in a bundle of CommonJS.
  const { dirname: moduleFolder, filename } = import.meta
  // Seen from a bundle in `dist/bundle`, and from the compiled file of this module.
  const candidates = moduleFolder === undefined ? [] : [join(moduleFolder, '..'), join(moduleFolder, '../..')]
  const dist = candidates.find((folder) => existsSync(join(folder, landmark)))
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

/** The folder of this package, as a module at this path would find it; undefined if it has another version. */
function packageFrom(path: string): string | undefined {
  try {
    const require = requireFrom(path)
    const file = 'svc-api/package.json'
    return require(file).version === version ? dirname(require.resolve(file)) : undefined
  } catch {
    return undefined
  }
}
