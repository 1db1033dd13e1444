// What a dictionary of a PDF would do beside showing pages.
import { isNetworkPath, isUnsafeLink } from './targets.ts'
import { PdfDict, PdfReference, PdfString, type PdfValue } from './values.ts'

type Resolve = (value: PdfValue | undefined) => PdfValue[]
/** Whether a value stands for something active; the values behind a key are resolved. */
type Test = (value: PdfValue, resolve: Resolve) => boolean

const nameSet = (list: string) => new Set(list.split(' ').map((name) => `/${name}`))
const activeActions = nameSet(
  'JavaScript Launch SubmitForm ImportData GoToE Rendition RichMediaExecute Sound Movie',
)
const embeddedContent = nameSet('EmbeddedFile FileAttachment RichMedia Movie Sound Screen 3D')
/** The events of an additional-actions dictionary; the same key in other places is a name like any other. */
const eventKeys = 'E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' ')
/** The streams of an attached file, by the systems that they are for. */
const fileKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix']

/** Many dictionaries may refer to the same object, which is judged once. */
function memoized(test: Test): Test {
  const judged = new WeakMap<object, boolean>()
  return (value, resolve) => {
    if (typeof value !== 'object' || value === null) return test(value, resolve)
    const verdict = judged.get(value) ?? test(value, resolve)
    judged.set(value, verdict)
    return verdict
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
  (says: (text: string) => boolean): Test =>
  (value) =>
    value instanceof PdfString && says(value.toString())
const isActiveOpenAction: Test = (value, resolve) =>
  value instanceof PdfDict &&
  (value.has('Next') ||
    !value
      .all('S')
      .flatMap(resolve)
      .every((name) => name === '/GoTo'))

const networkRule: [Test, string] = [memoized(isStringThat(isNetworkPath)), 'refers to another machine']
const linkRule: [Test, string] = [memoized(isStringThat(isUnsafeLink)), 'links to scripts or files']

/** By key, the test and the end of a sentence. */
const rules: Readonly<Record<string, readonly [Test, string]>> = {
  S: [isOneOf(activeActions), 'runs actions or scripts'],
  JS: [isStringThat(() => true), 'runs actions or scripts'],
  Type: [isOneOf(embeddedContent), 'holds files or media'],
  Subtype: [isOneOf(embeddedContent), 'holds files or media'],
  EF: [memoized(isFile), 'holds attached files'],
  EmbeddedFiles: [isTree, 'holds attached files'],
  JavaScript: [isTree, 'runs scripts'],
  XFA: [() => true, 'holds a dynamic form'],
  AA: [memoized(isEvents), 'runs actions by itself'],
  OpenAction: [memoized(isActiveOpenAction), 'runs an action when it is opened'],
  URI: linkRule,
  Base: linkRule,
  ...Object.fromEntries(fileKeys.map((key) => [key, networkRule])),
}
/** Keys whose values are names that stand right there, in every honest file. */
const directKeys = new Set(['S', 'Type', 'Subtype'])

/** What the dictionary would do, as the end of a sentence; undefined where it does nothing. */
export function activeContent(dict: PdfDict, resolve: Resolve): string | undefined {
  for (const [key, value] of dict.entries) {
    const rule = rules[key]
    if (!rule) continue
    const values = resolve(value)
    if (directKeys.has(key) && value instanceof PdfReference && mayBeName(values))
      return 'says in an unusual way what it holds'
    const [isActive, reason] = rule
    if (values.some((each) => isActive(each, resolve))) return reason
  }
  return undefined
}

const mayBeName = (values: readonly PdfValue[]) =>
  values.length === 0 || values.some((value) => typeof value === 'string')
