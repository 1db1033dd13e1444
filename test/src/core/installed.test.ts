// Where this package finds its own files and its packages.

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import {
  assertInstalled,
  execArguments,
  installedUrl,
  optionalPackage,
  requireBeside,
  scriptBeside,
} from '../../../src/core/installed.ts'

const root = resolve(import.meta.dirname, '../../..')

t.test('installedUrl: code that a bundler moved finds the installed package of its version', (t) => {
  t.equal(
    installedUrl('src/files/check-worker.js'),
    pathToFileURL(`${root}/dist/src/files/check-worker.js`).href,
  )
  t.doesNotThrow(assertInstalled)
  t.end()
})

t.test('installedUrl: the script of a child process lies beside its module, in the same language', (t) => {
  t.equal(scriptBeside('file:///a/src/host.ts', 'child').href, 'file:///a/src/child.ts')
  t.equal(scriptBeside('file:///a/dist/host.js', 'child').href, 'file:///a/dist/child.js')
  t.strictSame(execArguments(), [])
  t.end()
})

t.test('installedUrl: packages are found beside this one; an optional one may be missing', async (t) => {
  t.equal(
    requireBeside(import.meta.url)
      .resolve('ajv')
      .startsWith(root),
    true,
  )
  t.hasOwnProp(await optionalPackage<object>('ajv'), 'Ajv')
  await t.rejects(optionalPackage('svc-api-has-no-such-package'), { code: 'ERR_MODULE_NOT_FOUND' })
})
