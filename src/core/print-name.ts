// Makes names of print files from a template with tags, such as `{number}-{item}-{sku}`. Every file system accepts them.

const nameTags = [
  'number',
  'order',
  'item',
  'sku',
  'product',
  'attributes',
  'quantity',
  'customer',
  'view',
  'date',
  'status',
  'job',
] as const
type NameTag = (typeof nameTags)[number]

/** The texts for the tags of a template; an absent one is empty. */
export type NameTexts = Partial<Record<NameTag, string>>

/** The default template of file names. */
export const defaultFileName = '{number}-{item}-{sku}'

/** Maximum bytes of a name in UTF-8 without extension: eCryptfs accepts 143 in total, and copies get a number. */
const maxBytes = 120
/** Maximum bytes of the text of one tag, so that a long product name does not push out the other tags. */
const maxTagBytes = 60

/** Matches names of devices, which Windows does not accept as names of files, with or without an extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[. ]|$)/i

const isSeparator = (char: string | undefined) => char !== undefined && '-_. '.includes(char)

/** The first problem of a template, as a clause: `{x} is not a tag`; undefined if the template is valid. */
export function problemInTemplate(template: string, { mayHaveFolders = false } = {}): string | undefined {
  if (template.length > 200) return 'it is longer than 200 characters'
  const tagNames: readonly string[] = nameTags
  for (const { tag, literal } of partsOf(template)) {
    if (tag !== undefined && !tagNames.includes(tag)) return `{${tag}} is not a tag`
    if (/[{}]/.test(literal)) return 'it contains a brace that belongs to no tag'
    if (literal.includes('\\') || (literal.includes('/') && !mayHaveFolders)) return 'it contains a slash'
  }
  return undefined
}

/**
 * The name for these texts, without extension; empty if no tag has a text. An empty text also removes one separator beside its tag:
 * `{number}-{sku}-{item}` without a SKU becomes `7-1`.
 */
export function fileNameOf(template: string, texts: NameTexts): string {
  let name = ''
  /** Literals since the last text. They are added only with the next text, or at the end. */
  let pending = ''
  let isAfterEmptyTag = false
  for (const { literal, tag } of partsOf(template)) {
    const dropsSeparator = isAfterEmptyTag && (name === '' || isSeparator(pending.at(-1)))
    pending += dropsSeparator ? withoutSeparator(literal) : literal
    isAfterEmptyTag = false
    if (tag === undefined) continue
    // An unknown tag, which `problemInTemplate` would have reported, has no text.
    const text = cut(safeText(texts[tag as NameTag] ?? ''), maxTagBytes)
    isAfterEmptyTag = text === ''
    if (isAfterEmptyTag) continue
    name += pending + text
    pending = ''
  }
  return name === '' ? '' : safeName(name + pending)
}

/** Names of the folders for a path template such as `{date}/{product}`; folders without a text are left out. */
export const foldersOf = (template: string, texts: NameTexts): string[] =>
  template.split('/').flatMap((folder) => {
    const name = /[{}]/.test(folder) ? fileNameOf(folder, texts) : safeName(folder)
    return name === '' ? [] : [name]
  })

/**
 * The name with its extension, and with a number if `usedKeys` has the key of this name already.
 * @param usedKeys `nameKey` of each name in the folder; the key of the new name is added
 */
export function uniqueName(stem: string, extension: string, usedKeys: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.${extension}`
    const key = nameKey(name)
    if (usedKeys.has(key)) continue
    usedKeys.add(key)
    return name
  }
}

/** The same text for names that some file systems treat as equal: they ignore case, or normalize characters. */
export const nameKey = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** The name in ASCII letters, digits, `-`, `_` and `.`, for URLs; may be empty. */
export function asciiName(name: string): string {
  const plain = name.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return safeName(plain.replaceAll(/[^A-Za-z0-9._-]+/g, '-'))
}

/** Name and extension of a stored file, in ASCII. @param key path of the file in its storage */
export function storedNameOf(key: string): { stem: string; extension: string } {
  const name = key.split('/').at(-1) ?? ''
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, '']
  return { stem: asciiName(stem) || 'file', extension: asciiName(extension) || 'bin' }
}

/** The literals of a template, each with the tag behind it; the last one has none. */
function partsOf(template: string): { literal: string; tag: string | undefined }[] {
  // `split` returns literals and tags in turns.
  const pieces = template.split(/\{([a-z_]+)\}/)
  return pieces.flatMap((literal, index) => (index % 2 === 0 ? [{ literal, tag: pieces[index + 1] }] : []))
}

/** The text without invisible and reordering characters, and with `-` for blanks and for characters that names cannot contain. */
function safeText(text: string): string {
  const visible = text
    .slice(0, 1000)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}\ufffd]/gu, '')
  // Words of hyphens are dropped: `Shirt - XL` becomes `Shirt-XL`, not `Shirt---XL`.
  const words = visible.split(/[\p{Cc}\p{Z}<>:"/\\|?*]+/u).filter((word) => /[^-]/.test(word))
  return trimmed(words.join('-'))
}

/** The text as a name of at most `maxBytes`, which is no name of a device. */
function safeName(text: string): string {
  const name = trimmed(cut(safeText(text), maxBytes))
  return device.test(name) ? `_${name}` : name
}

/** The text without hyphens, dots, blanks and tildes at its ends: they mean hidden files or options of commands, or Windows drops them. */
function trimmed(text: string): string {
  const isEnd = (char: string | undefined) => char !== undefined && '-. ~'.includes(char)
  let [start, end] = [0, text.length]
  while (start < end && isEnd(text[start])) start++
  while (end > start && isEnd(text[end - 1])) end--
  return text.slice(start, end)
}

const withoutSeparator = (literal: string) => (isSeparator(literal[0]) ? literal.slice(1) : literal)

/** The text, cut to at most so many bytes between two characters as people see them (UAX #29). */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let [remaining, result] = [bytes, '']
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    remaining -= Buffer.byteLength(segment)
    if (remaining < 0) break
    result += segment
  }
  return trimmed(result)
}
