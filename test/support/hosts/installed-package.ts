/** This package as a host has it: packed, and unpacked beside the packages of this repository. */
import { execFile } from 'node:child_process'
import { globSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Runs a program without the loaders that tap hands down to every child process.
 * @returns what it prints @throws Error with all that it printed
 */
export async function runPlainly(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    // tap puts its loaders into the environment of every child, whatever environment it is given.
    const program = ['-u', 'NODE_OPTIONS', command, ...args]
    return (await promisify(execFile)('env', program, { cwd, maxBuffer: 2 ** 25 })).stdout
  } catch (error) {
    throw new Error(`${command}: ${Reflect.get(Object(error), 'stdout')}${error}`)
  }
}

/** Arguments of the TypeScript compiler for the code of a strict user. */
export const strictly = '--noEmit --strict --target es2023 --lib es2024 --module nodenext --types node'.split(
  ' ',
)

/** Packs this package into the folder; the path of the tarball. */
export async function packed(folder: string): Promise<string> {
  await runPlainly(root, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder)
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  return join(folder, name ?? '')
}

/**
 * A folder of a host, which is removed after the test.
 * @param absent packages that the host has not installed
 */
export async function installedPackage(t: Test, absent = /^$/): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-host-'))
  // Processes that have just ended may still have files of their compile cache to write.
  t.teardown(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'svc-api'), { recursive: true })
  const tarball = await packed(folder)
  await runPlainly(folder, 'tar', 'xzf', tarball, '-C', 'node_modules/svc-api', '--strip-components=1')
  await rm(tarball)
  for (const name of globSync(['[^.@]*', '@*/*'], { cwd: join(root, 'node_modules') })) {
    if (name === 'svc-api' || absent.test(name)) continue
    await mkdir(join(modules, dirname(name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, dirname(name), basename(name)))
  }
  return folder
}

/** A host that stores a product, a large view and a picture, lists and draws them, and prints the status codes. */
export const hostCode = `
import Fastify from 'fastify'
import { ensureToken, svcApi } from 'svc-api'

const database = 'sqlite:shop.sqlite'
async function serve() {
  const app = Fastify()
  const uploads = { dir: '.', url: 'https://shop.example/uploads' }
  app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true, renderer: true, uploads })
  await app.ready()
  const authorization = 'Bearer ' + (await ensureToken({ database }))
  const call = async (method, path, payload, type = 'application/json') => {
    const headers = { authorization, ...(payload && { 'content-type': type }) }
    return (await app.inject({ method, url: '/wp-json/svc/v1' + path, headers, payload })).statusCode
  }
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const head = '--x\\r\\nContent-Disposition: form-data; name="file"; filename="a.png"\\r\\n\\r\\n'
  const form = Buffer.concat([Buffer.from(head), Buffer.from(png, 'base64'), Buffer.from('\\r\\n--x--\\r\\n')])
  const options = { stageWidth: 40, stageHeight: 40 }
  const statuses = [
    await call('POST', '/products', { title: 'Mug' }),
    await call('POST', '/products/1/views', { title: 'Front', elements: [], options }),
    await call('POST', '/products/1/views', { title: 'Back', elements: [{ text: 'a'.repeat(1024 * 1024) }] }),
    await call('GET', '/products?limit=5'),
    await call('POST', '/assets', form, 'multipart/form-data; boundary=x'),
    await call('GET', '/views/1/preview'),
  ]
  await app.close()
  return statuses
}
serve().then(
  (statuses) => console.log(JSON.stringify(statuses)),
  (error) => console.log(JSON.stringify(error.message)),
)
`
/** What it prints where everything works. */
export const hostStatuses = [201, 201, 201, 200, 201, 200]
