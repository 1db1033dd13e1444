// What other programs see in a PDF: qpdf, mupdf (whose output qpdf reads) and pdf.js. An accepted file must contain nothing
// that is active to one of them.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCommands } from '../debian.ts'

export type Oracle = (bytes: Buffer) => Promise<string[]>

const ACTIONS = /^\/(JavaScript|Launch|SubmitForm|ImportData|GoToE|Rendition|RichMediaExecute|Sound|Movie)$/
const CONTENTS = /^\/(EmbeddedFile|FileAttachment|RichMedia|Movie|Sound|Screen|3D)$/
const EVENTS = /^\/(E|X|D|U|Fo|Bl|PO|PC|PV|PI|O|C|K|F|V|WC|WS|DS|WP|DP)$/
const UNSAFE = /^[\s\0]*(javascript|file|data|vbscript):/i
const SHOWN = /^(https?|ftp|mailto|tel):/i
const NETWORK = /^(\\\\|\/\/|[a-z][\w+.-]+:)/i

/** The oracles by name; each lists the active content it finds. `folder` is for their temporary files. */
export async function pdfOracles(folder: string): Promise<Record<string, Oracle>> {
  const { qpdf, mutool } = await ensureCommands({ qpdf: 'qpdf', mutool: 'mupdf-tools' })
  const [scratch, cleaned] = [join(folder, 'oracle.pdf'), join(folder, 'oracle-cleaned.pdf')]
  const seenByQpdf = (file: string) => {
    const { stdout } = run(qpdf, ['--json=2', '--json-key=qpdf', file])
    // qpdf copies numbers from the file, which may be invalid JSON.
    const json = stdout.replace(/^(\s*(?:"[^"]*": )?)[+\-.\d]+(,?)$/gm, '$10$2')
    return json ? activeIn(JSON.parse(json).qpdf[1]) : []
  }
  return {
    qpdf: async (bytes) => {
      writeFileSync(scratch, bytes)
      return seenByQpdf(scratch)
    },
    mupdf: async (bytes) => {
      writeFileSync(scratch, bytes)
      rmSync(cleaned, { force: true })
      const { status } = run(mutool, ['clean', scratch, cleaned])
      return status === 0 && readFileSync(cleaned).length > 0 ? seenByQpdf(cleaned) : []
    },
    pdfjs: seenByPdfjs,
  }
}

function run(command: string, parameters: string[]) {
  const result = spawnSync(command, parameters, { maxBuffer: 1 << 28, timeout: 60_000, encoding: 'utf8' })
  if (result.error) throw result.error
  return result
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Objects = Record<string, { value?: Json; stream?: { dict: Json } }>

/** All active content in the objects of a file, from qpdf's JSON. */
function activeIn(objects: Objects): string[] {
  const found: string[] = []
  const resolve = (value: Json | undefined, depth = 0): Json | undefined => {
    if (typeof value !== 'string' || !/^\d+ \d+ R$/.test(value) || depth > 9) return value
    const object = objects[`obj:${value}`]
    return resolve(object?.value ?? object?.stream?.dict, depth + 1)
  }
  const text = (value: Json | undefined) => {
    const resolved = resolve(value)
    if (typeof resolved !== 'string') return ''
    return resolved.startsWith('b:')
      ? Buffer.from(resolved.slice(2), 'hex').toString()
      : resolved.replace(/^u:/, '')
  }
  const visit = (value: Json | undefined, name: string) => {
    if (Array.isArray(value)) for (const each of value) visit(each, name)
    else if (value && typeof value === 'object') {
      const reason = activity(value, resolve, text)
      if (reason) found.push(`${name}: ${reason}`)
      for (const each of Object.values(value)) visit(each, name)
    }
  }
  for (const [name, object] of Object.entries(objects)) visit(object.value ?? object.stream?.dict, name)
  return found
}

function activity(
  dict: { [key: string]: Json },
  resolve: (value: Json | undefined) => Json | undefined,
  text: (value: Json | undefined) => string,
): string | undefined {
  const dictAt = (key: string) => {
    const value = resolve(dict[key])
    return value && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  }
  const type = text(dict['/S'])
  if (ACTIONS.test(type)) return `action ${type}`
  for (const key of ['/Type', '/Subtype'])
    if (CONTENTS.test(text(dict[key]))) return `content ${text(dict[key])}`
  if (UNSAFE.test(text(dict['/URI']))) return 'link'
  if (type === '/GoToR' && NETWORK.test(text(dict['/F']) || text(dictAt('/F')?.['/F']))) return 'network path'
  if (Object.keys(dictAt('/EF') ?? {}).some((key) => /^\/(F|UF|DOS|Mac|Unix)$/.test(key)))
    return 'attached file'
  if (resolve(dict['/XFA'])) return 'dynamic form'
  const open = dictAt('/OpenAction')
  if (open && dict['/Pages'] && ((open['/S'] && text(open['/S']) !== '/GoTo') || open['/Next']))
    return 'opening action'
  const events = Object.entries(dictAt('/AA') ?? {}).flatMap(([key, value]) =>
    EVENTS.test(key) ? [Object(resolve(value))] : [],
  )
  return events.some((event) => text(event['/S'])) ? 'actions by itself' : undefined
}

async function seenByPdfjs(bytes: Buffer): Promise<string[]> {
  // pdf.js defines globals when it is loaded.
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: true,
    stopAtErrors: false,
  })
  const found: string[] = []
  try {
    const document = await task.promise
    const [actions, attachments, open, fields] = await Promise.all([
      document.getJSActions(),
      document.getAttachments(),
      document.getOpenAction(),
      document.getFieldObjects(),
    ])
    if (actions) found.push(`scripts ${JSON.stringify(actions)}`)
    if (attachments) found.push('attachments')
    if (Object(open).action) found.push('opening action')
    if (document.isPureXfa || document.allXfaHtml) found.push('dynamic form')
    if (/"actions":\{/.test(JSON.stringify(fields ?? {}))) found.push('field actions')
    for (let number = 1; number <= Math.min(document.numPages, 3); number++) {
      const page = await document.getPage(number)
      if (await page.getJSActions()) found.push('page scripts')
      for (const {
        url = '',
        unsafeUrl = '',
        actions: own,
        attachment,
        resetForm,
      } of await page.getAnnotations()) {
        if (own || attachment || resetForm) found.push('annotation')
        const target = url || unsafeUrl
        if (!SHOWN.test(target) && (UNSAFE.test(target) || NETWORK.test(target))) found.push(`link ${target}`)
      }
    }
  } catch {
    // It displays nothing that it cannot open.
  } finally {
    await task.destroy()
  }
  return found
}
