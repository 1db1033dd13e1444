// PDF files of Debian packages: those that only show pages are accepted.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { assertPassivePdf } from '../../src/files/pdf/check.ts'
import { debianFiles, debianTool } from '../support/debian.ts'

const PACKAGES = [
  'texlive-latex-base-doc',
  'fp-docs-3.2.2',
  'gnuplot-doc',
  'r-doc-pdf',
  'live-manual-pdf',
  'python-reportlab-doc',
  'siscone-doc-pdf',
  'docbook-xsl-doc-pdf',
]

/** Whether another program also finds actions or files in the document: then the rejection is right. */
function isActive(bytes: Buffer, scratch: string): boolean {
  writeFileSync(scratch, bytes)
  const options = ['--warning-exit-0', '--qdf', '--object-streams=disable', scratch, '-']
  const readable = execFileSync(debianTool('qpdf', 'qpdf'), options, { maxBuffer: 1 << 30 })
  const active = /\/S\s*\/(?:JavaScript|Launch|SubmitForm)|\/EmbeddedFile\b|\/EF\b|\/URI\s*\(file:/
  return active.test(readable.toString('latin1'))
}

/** Milliseconds of CPU time after which the check of an upload is ended. */
const cpuTime = 3000

function rejection(bytes: Buffer): unknown {
  try {
    assertPassivePdf(bytes)
  } catch (error) {
    return error
  }
}

t.setTimeout(900_000)

t.test('fewer than one in a hundred documents without active content is rejected', async (t) => {
  const folder = t.testdir()
  const files = debianFiles(folder, PACKAGES, '*.{pdf,pdf.gz}')
  const counts = { accepted: 0, active: 0, falseAlarms: 0, slowest: 0 }
  for (const file of files) {
    const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)
    const start = process.threadCpuUsage()
    const error = rejection(bytes)
    const { user, system } = process.threadCpuUsage(start)
    counts.slowest = Math.max(counts.slowest, Math.round((user + system) / 1000))
    if (!error) counts.accepted++
    else if (isActive(bytes, join(folder, 'readable.pdf'))) counts.active++
    else {
      counts.falseAlarms++
      t.comment(`${file}: ${error}`)
    }
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.accepted >= 200)
  t.ok(counts.falseAlarms < counts.accepted / 100)
  t.ok(counts.slowest < cpuTime, 'no document takes longer than its check may')
})
