// The PHP program of the guide for clients that change over, run by PHP.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { build, token } from '../support/hosts/build.ts'
import { blocksIn } from '../support/hosts/documents.ts'

const { php } = await ensureCommands({ php: 'php-cli' })
const [sample] = blocksIn('php')
const program = join(t.testdir({ 'shop.php': sample?.code ?? '' }), 'shop.php')

/** Runs the program against an API. */
const run = (API: string, TOKEN: string) => promisify(execFile)(php, [program], { env: { API, TOKEN } })

t.test('POST, PATCH and GET /products: the PHP program creates, changes and lists a product', async (t) => {
  const { app } = await build(t)
  const API = `${await app.listen({ port: 0, host: '127.0.0.1' })}/wp-json/svc/v1`
  t.strictSame(await run(API, token), { stdout: '1 Large mug\n', stderr: '' })
  t.strictSame(
    (await run(API, token)).stdout,
    '1 Large mug\n',
    'a repeated Idempotency-Key creates no second product',
  )
  await t.rejects(run(API, 'wrong'), { message: /svc_forbidden: Invalid API token/ })
})
