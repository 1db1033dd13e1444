// Finds active and embedded content in a dictionary of a PDF, by a table of rules: for each key a test of its value.
import { PdfDict, PdfReference, PdfString, type PdfValue, type Resolve } from './values.ts'

/** Whether the value of a key is active. The value is no reference; `resolve` follows references inside of it. */
type Test = (value: PdfValue, resolve: Resolve) => boolean

const nameSet = (list: string) => new Set(list.split(' ').map((name) => `/${name}`))
/** Actions that run something, send something or open a file (PDF 32000-1 §12.6.4). */
const activeActions = nameSet(
  'JavaScript Launch SubmitForm ImportData GoToE Rendition RichMediaExecute Sound Movie',
)
const embeddedContent = nameSet('EmbeddedFile FileAttachment RichMedia Movie Sound Screen 3D')
/** The events of an additional-actions dictionary (PDF 32000-1 §12.6.3). Elsewhere the key `AA` is an ordinary name. */
const eventKeys = 'E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' ')
/** The keys of a file specification, one per platform (PDF 32000-1 §7.11.3). */
const fileKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix']

/** The same test, which tests an object once even if many dictionaries refer to it. */
function memoized(test: Test): Test {
  const results = new WeakMap<object, boolean>()
  return (value, resolve) => {
    if (typeof value !== 'object' || value === null) return test(value, resolve)
    const result = results.get(value) ?? test(value, resolve)
    results.set(value, result)
    return result
  }
}

const isOneOf =
  (list: ReadonlySet<string>): Test =>
  (value) =>
    typeof value === 'string' && list.has(value)
const isTree: Test = (value) => value instanceof PdfDict && (value.has('Names') || value.has('Kids'))
const isFile: Test = (value) => value instanceof PdfDict && fileKeys.some((key) => value.has(key))
const isAction: Test = (value) => value instanceof PdfDict && value.has('S')
const isEvents: Test = (value, resolve) =>
  value instanceof PdfDict &&
  eventKeys.some((event) =>
    value
      .all(event)
      .flatMap(resolve)
      .some((action) => isAction(action, resolve)),
  )
const isStringThat =
  (matches: (string: string) => boolean): Test =>
  (value) =>
    value instanceof PdfString && matches(value.toString())
const isActiveOpenAction: Test = (value, resolve) =>
  value instanceof PdfDict &&
  (value.has('Next') ||
    !value
      .all('S')
      .flatMap(resolve)
      .every((name) => name === '/GoTo'))

const networkRule: [Test, string] = [
  memoized(isStringThat(isNetworkPath)),
  'references a file on the network',
]
const linkRule: [Test, string] = [
  memoized(isStringThat(isUnsafeLink)),
  'contains links to scripts, local files or other programs',
]

/** By key: the test of its value, and the message if it is active, which continues "The PDF". */
const rules: Readonly<Record<string, readonly [Test, string]>> = {
  S: [isOneOf(activeActions), 'contains actions or scripts'],
  JS: [isStringThat(() => true), 'contains actions or scripts'],
  Type: [isOneOf(embeddedContent), 'contains embedded files or media'],
  Subtype: [isOneOf(embeddedContent), 'contains embedded files or media'],
  EF: [memoized(isFile), 'contains attached files'],
  EmbeddedFiles: [isTree, 'contains attached files'],
  JavaScript: [isTree, 'contains scripts'],
  XFA: [() => true, 'contains a dynamic form (XFA)'],
  AA: [memoized(isEvents), 'runs actions automatically'],
  OpenAction: [memoized(isActiveOpenAction), 'runs an action when it is opened'],
  URI: linkRule,
  Base: linkRule,
  ...Object.fromEntries(fileKeys.map((key) => [key, networkRule])),
}
/** Keys whose value is a name in every regular file, never a reference. */
const directKeys = new Set(['S', 'Type', 'Subtype'])

/** Why the dictionary is active, as the end of a sentence that starts with "The PDF"; undefined if it is passive. */
export function activeContent(dict: PdfDict, resolve: Resolve): string | undefined {
  for (const [key, value] of dict.entries) {
    const rule = rules[key]
    if (!rule) continue
    const values = resolve(value)
    if (directKeys.has(key) && value instanceof PdfReference && mayBeName(values))
      return 'describes its content in an unusual way that cannot be checked'
    const [isActive, reason] = rule
    if (values.some((value) => isActive(value, resolve))) return reason
  }
  return undefined
}

const mayBeName = (values: readonly PdfValue[]) =>
  values.length === 0 || values.some((value) => typeof value === 'string')

/** Schemes that open a page, a mail or a call. Any other one may start any program. */
const safeScheme = /^(?:https?|mailto|tel)$/i
/** The scheme of a link, captured. In the path of a relative link a colon only follows a slash. */
const schemeOfLink = /^([^/?#\\]*):/
/** A file name that is a URL. A scheme has at least two characters: a single letter is a drive. */
const urlStart = /^[a-z][a-z0-9+.-]{1,40}:/i

/** The target as viewers read it: browsers ignore whitespace and control characters, some viewers also invisible characters and the width of letters. */
const compact = (target: string) => target.normalize('NFKC').replace(/[\p{White_Space}\p{Cc}\p{Cf}]/gu, '')

/** Whether a link may run something or lead to a file. Relative links and links to other sites are safe. */
function isUnsafeLink(target: string): boolean {
  const link = compact(target)
  const scheme = schemeOfLink.exec(link)?.[1]
  if (scheme !== undefined && !safeScheme.test(scheme)) return true
  // Two slashes start a scheme-relative URL, which is safe.
  return /^(?:\\[\\/]|\/\\)/.test(link)
}

/** Whether a file name refers to another machine: `\\server\x`, `//server/x`, or a URL. */
function isNetworkPath(target: string): boolean {
  const path = compact(target)
  return urlStart.test(path) || /^[\\/]{2}/.test(path)
}
