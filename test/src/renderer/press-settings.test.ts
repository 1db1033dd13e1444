// The profile of a press is checked when the server starts, not when the first order is printed.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { pressColors } from '../../../src/renderer/press-colors.ts'
import { pressFor, pressSettings } from '../../../src/renderer/press-settings.ts'
import { createRenderer } from '../../../src/renderer/renderer.ts'
import type { RendererOptions } from '../../../src/renderer/renderer-options.ts'
import { ensureCommands } from '../../support/debian.ts'

await ensureCommands({ gs: 'ghostscript' })
const folder = '/usr/share/color/icc/ghostscript'
const profile = `${folder}/default_cmyk.icc`

/** The profile with a change to the entry of a tag, or to its table. */
async function changed(change: (bytes: Buffer, entry: number, table: number) => void, tag: string) {
  const bytes = await readFile(profile)
  const entry = bytes.indexOf(tag, 132, 'latin1')
  change(bytes, entry, bytes.readUInt32BE(entry + 4))
  return bytes
}

t.test('without a color, or with rgb, files are in RGB', async (t) => {
  t.equal(pressSettings({}), undefined)
  t.equal(pressSettings({ color: 'rgb', profile }), undefined)
})

t.test('a press takes the name of its profile, and 300 % ink', async (t) => {
  t.same(pressSettings({ color: 'pdfx4', profile }), {
    profile,
    condition: 'default_cmyk',
    overprintBlack: false,
    blackInk: 'text',
    maxInk: 300,
  })
  const own = { condition: 'FOGRA51', overprintBlack: true, blackInk: 'all' as const, maxInk: 280 }
  t.match(pressSettings({ color: 'pdfx4', profile, ...own }), own)
})

t.test(
  'a profile that is missing, none, or not one of a press stops the start with one sentence',
  async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-press-'))
    t.teardown(() => rm(dir, { recursive: true, force: true }))
    const text = join(dir, 'text.icc')
    await writeFile(text, 'no profile')
    const monitor = join(dir, 'monitor.icc')
    const bytes = await readFile(profile)
    bytes.write('mntr', 12, 'latin1')
    await writeFile(monitor, bytes)
    const cut = join(dir, 'cut.icc')
    await writeFile(cut, (await readFile(profile)).subarray(0, 4096))
    const short = join(dir, 'short.icc')
    await writeFile(short, Buffer.concat([Buffer.alloc(4), (await readFile(profile)).subarray(4, 128)]))
    for (const tag of ['A2B0', 'B2A0']) {
      await writeFile(
        join(dir, `${tag}-lost.icc`),
        await changed((bytes, entry) => bytes.write('xxxx', entry), tag),
      )
      await writeFile(
        join(dir, `${tag}-damaged.icc`),
        await changed((bytes, _, table) => bytes.fill(85, table), tag),
      )
    }
    const pipe = join(dir, 'pipe.icc')
    execFileSync('mkfifo', [pipe])
    const cases: [RendererOptions, RegExp][] = [
      [{ profile: cut }, /^renderer\.profile: the file is not a whole ICC profile\.$/],
      [{ profile: dir }, /must be the path of an ICC profile/],
      [{ profile: pipe }, /must be the path of an ICC profile/],
      [{ color: 'pdfx4' }, /^renderer\.profile: must be the path of an ICC profile for the color pdfx4\.$/],
      [{ color: 'pdfx4', profile: join(dir, 'gone.icc') }, /must be the path/],
      [{ profile: join(dir, 'gone.icc') }, /^renderer\.profile: must be the path of an ICC profile\.$/],
      [{ color: 'pdfx4', profile: text }, /not an ICC profile/],
      [{ color: 'rgb', profile: text }, /not an ICC profile/],
      [{ profiles: { FOGRA39: text } }, /^renderer\.profiles\.FOGRA39: the file is not an ICC profile\.$/],
      [{ color: 'pdfx4', profile: monitor }, /not one of a press/],
      [{ profile: short }, /^renderer\.profile: the file is not a whole ICC profile\.$/],
      ...['A2B0', 'B2A0'].flatMap((tag): [RendererOptions, RegExp][] => {
        const [lost, damaged] = [join(dir, `${tag}-lost.icc`), join(dir, `${tag}-damaged.icc`)]
        return [
          [{ profile: lost }, /^renderer\.profile: the tables of the profile are missing or damaged\.$/],
          [{ profiles: { FOGRA39: damaged } }, /^renderer\.profiles\.FOGRA39: the tables of the profile are/],
        ]
      }),
      [{ color: 'pdfx4', profile: `${folder}/default_rgb.icc` }, /not one of a press/],
    ]
    const files = {
      storage: undefined,
      uploadsUrl: undefined,
      siteUrl: 'https://shop.example',
      tempDir: dir,
      openStored: async () => undefined,
      download: async () => ({ path: '', discard: async () => {} }),
      warn: () => {},
    }
    for (const [options, message] of cases) {
      t.throws(() => pressSettings(options), { message })
      t.throws(() => createRenderer({ options, ...files }), { message })
    }
  },
)

t.test('a print profile chooses among the output profiles of the host, by name', async (t) => {
  const options = { profiles: { FOGRA39: profile } }
  const chosen = pressFor({ profile: 'FOGRA39', maxInk: 260 }, options)
  t.same(chosen, { profile, condition: 'FOGRA39', overprintBlack: false, blackInk: 'text', maxInk: 260 })
  t.equal(pressFor({}, options), undefined)
  t.match(pressFor({}, { ...options, color: 'pdfx4', profile }), { condition: 'default_cmyk' })
  t.equal(pressFor({ color: 'rgb' }, { color: 'pdfx4', profile }), undefined)
})

t.test('a name that the host does not have, and none at all, are refused', async (t) => {
  for (const name of ['Gone', '/etc/passwd', 'constructor'])
    t.throws(() => pressFor({ profile: name }, { profiles: {} }), {
      message: /renderer\.profiles does not hold/,
    })
  t.throws(() => pressFor({ color: 'pdfx4' }, {}), { message: /names no output profile/ })
})

t.test(
  'a profile whose table turns out to be damaged refuses the design, even one without colors',
  async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-press-'))
    t.teardown(() => rm(dir, { recursive: true, force: true }))
    const damaged = join(dir, 'damaged.icc')
    // The number of its points.
    await writeFile(damaged, await changed((bytes, _, table) => bytes.writeUInt8(0, table + 10), 'B2A0'))
    t.doesNotThrow(() => pressSettings({ color: 'pdfx4', profile: damaged }))
    await t.rejects(pressColors([], { profile: damaged, spots: [] }), {
      name: 'Undrawable',
      message: 'The output profile is damaged.',
    })
    t.same((await pressColors([], { profile, spots: [] })).inks({ r: 0, g: 0, b: 0, a: 1 }), [0, 0, 0, 100])
  },
)
