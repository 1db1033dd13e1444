// Which Markdown files are pages of the documentation site, in the order of its navigation, and where their links lead.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export interface Page {
  /** Below the project's root, such as `docs/guide/requests.md`. */
  source: string
  /** Below the folder of the version, such as `docs/guide/requests.html`. */
  path: string
  /** Its first heading. */
  title: string
  text: string
}

export interface Section {
  title: string
  pages: Page[]
}

/** Files that pages link to, and that lie in the folder of the version. */
const siteFiles = ['llms.txt', 'openapi.json']

/** `README.md` is the page of its folder. */
const htmlPath = (source: string) =>
  source.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html')

function readPage(root: string, source: string): Page {
  const text = readFileSync(join(root, source), 'utf8')
  return { source, path: htmlPath(source), title: /^# (.*)$/m.exec(text)?.[1] ?? source, text }
}

/** The pages of a folder in the order in which its README links them, then the others. */
function folderPages(root: string, folder: string): Page[] {
  const index = `${folder}/README.md`
  const linked = [...readFileSync(join(root, index), 'utf8').matchAll(/\]\(([\w-]+\.md)\)/g)]
  const sources = globSync(`${folder}/*.md`, { cwd: root }).map((name) => name.replaceAll('\\', '/'))
  const order = [index, ...linked.map(([, name]) => `${folder}/${name}`), ...sources.sort()]
  return [...new Set(order)].map((source) => readPage(root, source))
}

export function sitePages(root: string): Section[] {
  const project = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md']
  return [
    { title: 'Guides', pages: folderPages(root, 'docs/guide') },
    { title: 'Reference', pages: folderPages(root, 'docs/reference') },
    { title: 'Project', pages: project.map((source) => readPage(root, source)) },
    { title: 'Architecture', pages: folderPages(root, 'docs/architecture') },
    { title: 'Decisions', pages: folderPages(root, 'docs/decisions') },
  ]
}

const isPicture = (target: string) => /\.(png|svg|jpe?g)$/.test(target)

/** Code blocks and code in a line, which contain no links, or one link target. */
const codeOrLink = /^ *```[\s\S]*?^ *```$|`[^`\n]*`|\]\(([^)\s]+)\)/gm

/**
 * The Markdown of a page with its links to files outside of the site as URLs of the repository at `tag`.
 * Links among pages stay as they are, so that the text can be read beside its page.
 */
export function siteMarkdown(
  root: string,
  page: Pick<Page, 'source' | 'text'>,
  sources: Set<string>,
  repository: string,
  tag: string,
) {
  return page.text.replace(codeOrLink, (match, target: string | undefined) => {
    if (target === undefined || /^(https?:|mailto:|#)/.test(target)) return match
    const [path = ''] = target.split('#')
    const file = posix.join(posix.dirname(page.source), path)
    if (sources.has(file) || siteFiles.includes(file) || isPicture(file)) return match
    const folderPage = posix.join(file, 'README.md')
    if (sources.has(folderPage)) return `](${posix.join(path, 'README.md')})`
    if (!existsSync(join(root, file)))
      throw new Error(`${page.source} links to ${target}, which does not exist.`)
    return `](${repository}/blob/${tag}/${file}${target.slice(path.length)})`
  })
}

/** What a link to a Markdown file is in HTML. */
export const htmlTarget = (target: string) =>
  /^(https?:|mailto:|#)/.test(target) ? target : target.replace(/^[^#]*/, htmlPath)

/** Pictures that a page shows, below the project's root. */
export const picturesOf = (page: Page) =>
  [...page.text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) =>
    posix.join(posix.dirname(page.source), target),
  )
