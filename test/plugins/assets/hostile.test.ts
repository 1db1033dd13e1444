// The hostile corpus as a client sends it and a visitor gets it: over a real socket, stored, and served by the example.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { uploads as serveUploads } from '../../../examples/host/uploads.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { canary, type HostileFile, hostileFiles } from '../../support/hostile/hostile-files.ts'
import { findings } from '../../support/hostile/svg-findings.ts'
import { build } from '../../support/hosts/build.ts'
import { filePart, form, wire } from '../../support/hosts/form.ts'

const atOnce = 8
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

t.test(
  'every file of the hostile corpus is refused, or served clean and unable to act as a page',
  async (t) => {
    const dir = t.testdir({ uploads: {} })
    const logged: string[] = []
    const logger = { level: 'error', stream: { write: (line: string) => void logged.push(line) } }
    const host = await build(t, {
      uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
      server: { logger },
      before: (app) => void app.register(serveUploads, { prefix: '/uploads/', dir: `${dir}/uploads` }),
    })
    const { post, port } = await wire(host)

    async function served(url: string): Promise<{ bytes: Buffer; faults: string[] }> {
      const answer = await fetch(url.replace('https://shop.example', `http://127.0.0.1:${port}`))
      const { headers } = answer
      const type = headers.get('content-type') ?? ''
      const faults = [
        answer.status !== 200 && `is served with ${answer.status}`,
        headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
        !/^(image\/(png|jpeg|svg\+xml)|application\/pdf|font\/ttf)$/.test(type) && `is served as ${type}`,
        /svg|pdf/.test(type) && headers.get('content-security-policy') !== sandbox && 'is not sandboxed',
      ].filter((fault) => fault !== false)
      return { bytes: Buffer.from(await answer.arrayBuffer()), faults }
    }

    async function judge({ name, upload, bytes, expected }: HostileFile): Promise<string[]> {
      const path = name.startsWith('ttf-') ? '/fonts' : '/assets'
      const { status, body } = await post(path, form([filePart(upload, bytes)]))
      if (status === 422 || status === 413)
        return expected === 'refused' ? [] : [`${name} was refused: ${body.message}`]
      if (status !== 201) return [`${name} was answered with ${status}: ${body.code}`]
      if (expected === 'refused') return [`${name} was accepted`]
      const stored = await served(body.data.url)
      const found = upload.endsWith('.svg') ? findings(stored.bytes.toString()) : []
      const payload = stored.bytes.includes(canary) ? ['still carries its payload'] : []
      return [...stored.faults, ...found, ...payload].map((fault) => `${name} ${fault}`)
    }

    // The corpus has a variant of this family.
    await post('/fonts', form([filePart('Foo.ttf', font())]))
    const misses: string[] = []
    const left = (await hostileFiles()).values()
    const worker = async () => {
      for (const file of left) misses.push(...(await judge(file)))
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    t.strictSame(misses, [])
    t.equal((await post('/assets', form([filePart('a.png', png())]))).status, 201)
    const files = readdirSync(`${dir}/uploads`, { recursive: true, withFileTypes: true })
    t.same(
      files.filter(
        (entry) =>
          entry.name.startsWith('.') ||
          (!entry.isDirectory() && !/\.(png|jpg|svg|pdf|ttf)$/.test(entry.name)),
      ),
      [],
    )
    t.same(logged, [], 'nothing is an error of ours')
  },
)
