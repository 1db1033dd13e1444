// Compares the upload of a 2 MB photo of 12 megapixels with sharp alone in a loop, two at once as the API decodes. Two more
// uploads are in flight, so that decoding never waits for network and disk.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { ensureToken, migrate } from '../plugins/index.ts'

const count = Number(process.env.BENCH_COUNT ?? 12)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const decodes = 2
const uploads = 4

/** Completions per second at this concurrency. */
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
const database = `sqlite:${dir}/bench.sqlite`
await migrate({ database })
const token = await ensureToken({ database })
const server = fork(new URL('ours.ts', import.meta.url), {
  env: { ...process.env, BENCH_DATABASE: database, BENCH_UPLOADS: dir },
})
try {
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  const file = await photo()
  const boundary = 'between-the-parts'
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="photo.jpg"\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  }
  const upload = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/wp-json/svc/v1/assets`, {
      method: 'POST',
      headers,
      body,
    })
    if (response.status !== 201) throw new Error(await response.text())
    await response.arrayBuffer()
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
} finally {
  server.kill()
  await rm(dir, { recursive: true, force: true })
}
