// Icons of a Debian package: sanitizing changes no pixel, and a second pass changes no byte.
import { lstatSync, readFileSync } from 'node:fs'
import t from 'tap'
import { FileRejected } from '../../src/files/rejected.ts'
import { sanitizeSvg } from '../../src/files/svg/sanitize.ts'
import { debianFiles } from '../support/debian.ts'
import { difference } from '../support/fixtures/pixels.ts'

const ICONS = 1000

t.setTimeout(900_000)

t.test('a thousand icons look the same to the pixel, and a second pass changes no byte', async (t) => {
  const files = debianFiles(
    t.testdir(),
    ['gnome-icon-theme-gartoon', 'oxygen-icon-theme', 'elementary-xfce-icon-theme'],
    '*.svg',
  )
  const icons = files.filter((file) => lstatSync(file).isFile())
  const step = Math.max(1, Math.floor(icons.length / ICONS))
  const counts = { icons: 0, refused: 0, different: 0, changed: 0, warned: 0 }
  for (const [index, file] of icons.entries()) {
    if (index % step) continue
    const before = readFileSync(file)
    try {
      const { svg, removed } = await sanitizeSvg(before)
      counts.icons++
      if (removed.length > 0) {
        counts.warned++
        t.comment(`${file}: ${removed.join(', ')}`)
      }
      const pixels = await difference(before, Buffer.from(svg))
      if (pixels !== 0) {
        counts.different++
        t.comment(`${file}: ${pixels} differ`)
      }
      if ((await sanitizeSvg(Buffer.from(svg))).svg !== svg) counts.changed++
    } catch (error) {
      if (!(error instanceof FileRejected)) throw error
      counts.refused++
      t.comment(`${file}: ${error.message}`)
    }
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.icons >= 200)
  t.match(counts, { different: 0, changed: 0 })
  t.ok(counts.refused <= counts.icons / 100)
})
