// `npm run docs` writes the documentation as a static site that can be searched without a server: site/<version>/index.html.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { framedPage } from './frame.ts'
import { picturesOf, siteMarkdown, sitePages } from './pages.ts'
import { renderMarkdown, searchEntries } from './render.ts'
import type { SearchEntry } from './search.ts'

const root = resolve(import.meta.dirname, '../..')

interface SiteOptions {
  /** Folder of all versions. Those of other versions stay. */
  out: string
  /** Name of the folder, by default the version of the package. */
  version?: string
}

/** Builds one version, and returns its folder. */
export async function buildSite({ out, version }: SiteOptions): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name: string = version ?? manifest.version
  if (!/^[\w.-]+$/.test(name))
    throw new Error(`--version must consist of letters, digits, "." and "-", not "${name}".`)
  const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '')
  const folder = join(out, name)
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }

  const sections = sitePages(root)
  const pages = sections.flatMap((section) => section.pages)
  const sources = new Set(pages.map(({ source }) => source))
  const index: SearchEntry[] = []
  const markdownOf = (source: string, text: string) =>
    siteMarkdown(root, { source, text }, sources, repository, `v${manifest.version}`)
  write('llms.txt', markdownOf('llms.txt', readFileSync(join(root, 'llms.txt'), 'utf8')))
  for (const page of pages) {
    const markdown = markdownOf(page.source, page.text)
    write(page.source, markdown)
    write(page.path, framedPage({ page, ...renderMarkdown(markdown), sections, version: name }))
    index.push(...searchEntries(page.path, page.title, markdown))
  }
  for (const file of new Set(['openapi.json', ...pages.flatMap(picturesOf)])) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  write('search-index.js', `globalThis.docsIndex = ${JSON.stringify(index)}\n`)
  copyFileSync(join(import.meta.dirname, 'site.css'), join(folder, 'site.css'))
  await build({
    entryPoints: [join(import.meta.dirname, 'browser.js')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
  })

  const versions = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  writeFileSync(
    join(out, 'versions.js'),
    `globalThis.docsVersions = ${JSON.stringify(versions.map((entry) => entry.name).sort())}\n`,
  )
  writeFileSync(
    join(out, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>svc-api</title><meta http-equiv="refresh" content="0; url=${name}/index.html"><a href="${name}/index.html">svc-api ${name}</a>\n`,
  )
  return folder
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { out: { type: 'string' }, version: { type: 'string' } } })
  const { out = join(root, 'site'), version } = values
  console.log(join(await buildSite({ out: resolve(out), ...(version && { version }) }), 'index.html'))
}
