// Names of print files, made from a template of tags such as `{number}-{item}-{sku}`, that every file system takes.

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

export const defaultFileName = '{number}-{item}-{sku}'

/** Bytes of a name in UTF-8 without extension: some encrypted network drives take 143 bytes in all, and copies get a number. */
const maxBytes = 120
/** Bytes of the text of one tag, so that a long product name does not push the other tags out. */
const maxTagBytes = 60

/** Names of devices, which Windows does not take as names of files, with or without an extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[. ]|$)/i

const isSeparator = (char: string | undefined) => char !== undefined && '-_. '.includes(char)

/** The first unknown tag, or what no template may contain; undefined if the template is valid. */
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

/** A name without extension; empty if no tag has a text. An empty tag takes the separator beside it along. */
export function fileNameOf(template: string, texts: NameTexts): string {
  let name = ''
  let pending = ''
  let hasText = false
  let afterEmpty = false
  for (const { literal, tag } of partsOf(template)) {
    pending +=
      afterEmpty && (name === '' || isSeparator(pending.at(-1))) ? withoutSeparator(literal) : literal
    afterEmpty = false
    if (tag === undefined) continue
    const text = cut(safeText(texts[tag as NameTag] ?? ''), maxTagBytes)
    afterEmpty = text === ''
    if (afterEmpty) continue
    name += pending + text
    pending = ''
    hasText = true
  }
  return hasText ? safeName(name + pending) : ''
}

/** Folders of a path template such as `{date}/{product}`; those without a text are left out. */
export const foldersOf = (template: string, texts: NameTexts): string[] =>
  template.split('/').flatMap((part) => {
    const name = /[{}]/.test(part) ? fileNameOf(part, texts) : safeName(part)
    return name === '' ? [] : [name]
  })

/**
 * The name with its extension, and with a number if a file of the folder is already called so on a file system that ignores
 * case. Adds it to `taken`.
 */
export function uniqueName(stem: string, extension: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? '' : `-${number}`}.${extension}`
    const key = nameKey(name)
    if (taken.has(key)) continue
    taken.add(key)
    return name
  }
}

/** Equal for names that some file system takes for the same. */
export const nameKey = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** The name in letters, digits, `-`, `_` and `.` of ASCII, as it stands in URLs; may be empty. */
export function asciiName(name: string): string {
  const plain = name.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return safeName(plain.replaceAll(/[^A-Za-z0-9._-]+/g, '-'))
}

/** Of a stored file, by its key: the name that the renderer or an export service chose, and its extension. */
export function storedNameOf(key: string): { stem: string; extension: string } {
  const name = key.split('/').at(-1) ?? ''
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, '']
  return { stem: asciiName(stem) || 'file', extension: asciiName(extension) || 'bin' }
}

/** The texts between tags, each with the tag behind it. */
function partsOf(template: string): { literal: string; tag: string | undefined }[] {
  const parts = template.split(/\{([a-z_]+)\}/)
  return parts.flatMap((literal, index) => (index % 2 === 0 ? [{ literal, tag: parts[index + 1] }] : []))
}

/** Without invisible and reordering characters, and with `-` for blanks and for what names of files cannot contain. */
function safeText(text: string): string {
  const visible = text
    .slice(0, 1000)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}\ufffd]/gu, '')
  // A hyphen between blanks is not tripled: `Shirt - XL` becomes `Shirt-XL`.
  const parts = visible.split(/[\p{Cc}\p{Z}<>:"/\\|?*]+/u).filter((part) => /[^-]/.test(part))
  return trimmed(parts.join('-'))
}

function safeName(text: string): string {
  const name = trimmed(cut(safeText(text), maxBytes))
  return device.test(name) ? `_${name}` : name
}

/** Without hyphens, dots and blanks at the ends: hidden files, options of commands, and what Windows drops. */
function trimmed(text: string): string {
  const isEnd = (char: string | undefined) => char !== undefined && '-. ~'.includes(char)
  let [start, end] = [0, text.length]
  while (start < end && isEnd(text[start])) start++
  while (end > start && isEnd(text[end - 1])) end--
  return text.slice(start, end)
}

const withoutSeparator = (literal: string) => (isSeparator(literal[0]) ? literal.slice(1) : literal)

/** At most so many bytes, in whole characters as people see them. */
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
