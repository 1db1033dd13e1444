// Measures the upload of a 2 MB photo of 12 megapixels against sharp alone in a loop, two at once as the API decodes; two more uploads are
// on their way, so that neither waits for the other's network and disk.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import sharp from 'sharp'
import { ensureToken, svcApi } from '../plugins/index.ts'

const count = Number(process.env.BENCH_UPLOADS ?? 12)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const decodes = 2
const uploads = 4

/** Per second, with so many at once. */
async function rate(atOnce: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let left = count
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (count * 1000) / (performance.now() - start)
}

async function photo(): Promise<Buffer> {
  const blurred = { width: 4000, height: 3000, channels: 3, background: '#678' } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const pixels = await sharp({ create: { ...blurred, noise } })
    .blur(1.2)
    .png()
    .toBuffer()
  return sharp(pixels).jpeg({ quality: 85 }).toBuffer()
}

const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
try {
  const database = `sqlite:${dir}/bench.sqlite`
  const app = Fastify()
  app.register(svcApi, {
    database,
    siteUrl: 'https://shop.example',
    migrate: true,
    uploads: { dir, url: 'https://shop.example/uploads' },
  })
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${await ensureToken({ database })}` }
  const file = await photo()
  const upload = async () => {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(file)]), 'photo.jpg')
    const answer = await fetch(`${base}/wp-json/svc/v1/assets`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
  const alone = () =>
    sharp(file)
      .autoOrient()
      .toColourspace('srgb')
      .jpeg({ quality: 92, chromaSubsampling: '4:2:0' })
      .toBuffer()
  await upload()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [ours, theirs] = [await rate(uploads, upload), await rate(decodes, alone)]
    ratios.push(ours / theirs)
    console.log(
      `${ours.toFixed(2)} uploads/s, sharp alone ${theirs.toFixed(2)}/s, ratio ${(ours / theirs).toFixed(2)}`,
    )
  }
  const median = ratios.sort((a, b) => a - b)[rounds >> 1] ?? 0
  console.log(
    `\n| Operation | Ratio to sharp alone |\n|---|---|\n| POST /assets, ${(file.length / 1e6).toFixed(1)} MB, 12 megapixels | ${median.toFixed(2)} |`,
  )
  await app.close()
} finally {
  await rm(dir, { recursive: true, force: true })
}
