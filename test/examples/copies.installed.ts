// The examples as their users run them: copied to a folder of their own, with the packages that they name.
import { globSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { migrate } from '../../plugins/index.ts'
import { freshAddress } from '../support/hosts/build.ts'
import { startExample } from '../support/hosts/example.ts'
import { installedPackage } from '../support/hosts/installed-package.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { startRedis } from '../support/peers/redis.ts'

// Packing and copying takes as long as the machine does.
t.setTimeout(300_000)
const source = resolve(import.meta.dirname, '../../examples')
const names = globSync('*/index.ts', { cwd: source }).map((path) => path.split('/')[0] ?? '')
const root = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'))
const folder = await installedPackage(t)
await cp(source, join(folder, 'copies'), { recursive: true })

for (const name of names) {
  t.test(`${name} names its packages, and starts where it was copied to`, async (t) => {
    const { dependencies, engines } = JSON.parse(readFileSync(join(source, name, 'package.json'), 'utf8'))
    t.strictSame(engines, root.engines)
    const code = globSync('*.ts', { cwd: join(source, name) }).map((file) =>
      readFileSync(join(source, name, file), 'utf8'),
    )
    const imported = code.flatMap((text) =>
      [...text.matchAll(/\bfrom '((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, found = '']) => found),
    )
    for (const found of imported.filter((each) => !/^(\.|node$)/.test(each))) t.ok(dependencies[found], found)
    const isServer = /'mysql:/.test(code.join())
    const DATABASE_URL = isServer ? await freshDatabase(t) : await freshAddress(t, 'SQLite')
    const REDIS_URL = dependencies.redis ? `redis://127.0.0.1:${await startRedis(t)}` : ''
    const variables = { DATABASE_URL, REDIS_URL, WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`, SVC_DEMO: '0' }
    await migrate({ database: DATABASE_URL })
    const { url } = await startExample(t, name, variables, join(folder, 'copies'))
    t.match(url, /^http:/)
  })
}
