/** README and guides as a reader has them: their code blocks, headings and links. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** Documents whose every code block is run, by their path below the project's root. */
export const guides = ['README.md', ...globSync('docs/guide/*.md', { cwd: root }).sort()]

export const documentText = (name: string) => readFileSync(resolve(root, name), 'utf8')

export interface Block {
  document: string
  /** The last heading above it, without `#`. */
  heading: string
  /** Line of the document where it begins. */
  line: number
  /** Such as `ts`; empty if the block does not say. */
  language: string
  code: string
}

/** The code blocks of a document, in their order. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: Block | undefined
  for (const [at, line] of documentText(document).split('\n').entries()) {
    const [, language] = /^ *```(\w*)$/.exec(line) ?? []
    if (open && language === '') {
      blocks.push(open)
      open = undefined
    } else if (open) open.code += `${line}\n`
    else if (language !== undefined) open = { document, heading, line: at + 1, language, code: '' }
    else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading
  }
  return blocks
}

/** The blocks of all guides in one of the languages. */
export const blocksIn = (...languages: string[]) =>
  guides.flatMap(blocksOf).filter(({ language }) => languages.includes(language))

/** @throws Error if there is no such block */
export function blockUnder(document: string, heading: string, language: string): string {
  const block = blocksOf(document).find((one) => one.heading === heading && one.language === language)
  if (!block) throw new Error(`${document} has no ${language} block under "${heading}".`)
  return block.code
}

/** How a test names a block. */
export const placeOf = ({ document, line }: Block) => `${document}, line ${line}`

/** What GitHub makes of a heading: the part of a link behind `#`. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The text without code blocks. */
const prose = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, '')

/** Anchors of a document's headings. */
export const anchorsOf = (text: string) =>
  new Set([...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading)))

/** Targets of the links and pictures of a document. */
export const linksOf = (text: string) =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
