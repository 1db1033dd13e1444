// `svc-api fonts`: which families products and templates use, and which file to upload for one. Fetches nothing.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import { familyKey, fontFile } from '../files/font/file-names.ts'
import { fontChooser } from '../renderer/font-choice.ts'
import { withConnection } from '../upkeep/installation.ts'
import { fontState, type UsedFont, usedFonts } from '../upkeep/used-fonts.ts'
import { command, exit, type Invocation, UsageError } from './command.ts'
import { onExistingInstallation } from './database-work.ts'
import { readEnvironment } from './environment.ts'

const usage = 'Usage: svc-api fonts list [--json]\n       svc-api fonts add <family> [--json]'

export const fontsCommand = command({
  summary: 'lists the fonts that products use, and says which file to upload for one',
  help: `${usage}

list prints each family that products and templates use: uploaded, printed in another font, or missing. add says which file of
a family to upload, where such files are found, and under which names; it fetches and stores nothing.`,
  options: {},
  takesOperands: true,
  async run(invocation) {
    const [verb, ...operands] = invocation.operands
    const [family = ''] = operands
    if (verb === 'list' && operands.length === 0) return list(invocation)
    if (verb === 'add' && operands.length === 1 && family.trim() !== '') return add(invocation, family.trim())
    throw new UsageError(usage)
  },
})

/** Names of the uploaded files; none if there is no folder yet. */
export const fontFiles = (uploadsDir: string): Promise<string[]> =>
  readdir(join(uploadsDir, svcFolders.fonts)).catch(() => [])

async function list(invocation: Invocation): Promise<undefined> {
  const used = await onExistingInstallation(invocation, 'Reading the views', (installation, { uploadsDir }) =>
    withConnection(installation, async (connection) => usedFonts(connection, await fontFiles(uploadsDir))),
  )
  if (used.length === 0) invocation.say('No view has a text.')
  invocation.print(used.map(lineOf), used)
  return undefined
}

function lineOf({ family, products, substitute, missing }: UsedFont): string {
  const state = missing ? 'missing' : substitute === null ? 'uploaded' : `as ${substitute}`
  return `${state.padEnd(16)} ${family}  (products ${products.join(', ')})`
}

async function add({ variables, print }: Invocation, family: string): Promise<number> {
  const { uploadsDir } = readEnvironment(variables)
  const families = fontFamilies(await fontFiles(uploadsDir))
  const uploaded = families.find(({ name }) => familyKey(name) === familyKey(family))
  const name = uploaded?.name ?? family
  const files = [
    { style: 'regular', file: fontFile(name), isThere: uploaded !== undefined },
    ...(['bold', 'italic', 'bolditalic'] as const).map((style) => ({
      style,
      file: fontFile(name, style),
      isThere: uploaded?.variants[style] !== undefined,
    })),
  ]
  const { substitute } = fontState(family, fontChooser(families, { substitutes: {}, strict: false }))
  const page = `https://fonts.google.com/specimen/${encodeURIComponent(name).replaceAll('%20', '+')}`
  const lines = files.map(
    ({ style, file, isThere }) => `  ${isThere ? 'there  ' : 'missing'}  ${style.padEnd(10)} ${file}`,
  )
  const until = substitute === null || uploaded ? '' : ` Until then ${substitute} is printed in its place.`
  const text = [
    `Upload the static TrueType files (.ttf) of ${name} with POST /fonts, one for each style, under these names:`,
    ...lines,
    `The regular one is needed; styles that are missing are made from it.${until} Families of Google Fonts are found at ${page}.`,
  ]
  print(text, { family: name, files, substitute: uploaded ? null : substitute, page })
  return exit.ok
}
