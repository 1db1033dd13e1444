// What a dictionary of a PDF would do beside showing pages.
import { isNetworkPath, isUnsafeLink } from './targets.ts'
import { PdfDict, PdfReference, PdfText, type PdfValue } from './values.ts'

type Resolve = (value: PdfValue | undefined) => PdfValue[]
/** Whether a value stands for something active; the values behind a key are resolved. */
type Test = (value: PdfValue, resolve: Resolve) => boolean

const names = (list: string) => new Set(list.split(' ').map((name) => `/${name}`))
const ACTIONS = names('JavaScript Launch SubmitForm ImportData GoToE Rendition RichMediaExecute Sound Movie')
const CONTENTS = names('EmbeddedFile FileAttachment RichMedia Movie Sound Screen 3D')
/** The events of an additional-actions dictionary; the same key in other places is a name like any other. */
const EVENTS = 'E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' ')
/** The streams of an attached file, by the systems that they are for. */
const SYSTEMS = ['F', 'UF', 'DOS', 'Mac', 'Unix']

/** Many dictionaries may refer to the same object, which is judged once. */
function once(test: Test): Test {
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
const isFile: Test = (value) => value instanceof PdfDict && SYSTEMS.some((key) => value.has(key))
const isAction: Test = (value) => value instanceof PdfDict && value.has('S')
const isEvents: Test = (value, resolve) =>
  value instanceof PdfDict &&
  EVENTS.some((event) =>
    value
      .all(event)
      .flatMap(resolve)
      .some((action) => isAction(action, resolve)),
  )
const isText =
  (says: (text: string) => boolean): Test =>
  (value) =>
    value instanceof PdfText && says(value.toString())
const acts: Test = (value, resolve) =>
  value instanceof PdfDict &&
  (value.has('Next') ||
    !value
      .all('S')
      .flatMap(resolve)
      .every((name) => name === '/GoTo'))

const NETWORK: [Test, string] = [once(isText(isNetworkPath)), 'refers to another machine']
const LINK: [Test, string] = [once(isText(isUnsafeLink)), 'links to scripts or files']

/** By key, the test and the end of a sentence. */
const RULES: Readonly<Record<string, readonly [Test, string]>> = {
  S: [isOneOf(ACTIONS), 'runs actions or scripts'],
  JS: [isText(() => true), 'runs actions or scripts'],
  Type: [isOneOf(CONTENTS), 'holds files or media'],
  Subtype: [isOneOf(CONTENTS), 'holds files or media'],
  EF: [once(isFile), 'holds attached files'],
  EmbeddedFiles: [isTree, 'holds attached files'],
  JavaScript: [isTree, 'runs scripts'],
  XFA: [() => true, 'holds a dynamic form'],
  AA: [once(isEvents), 'runs actions by itself'],
  OpenAction: [once(acts), 'runs an action when it is opened'],
  URI: LINK,
  Base: LINK,
  ...Object.fromEntries(SYSTEMS.map((key) => [key, NETWORK])),
}
/** Keys whose values are names that stand right there, in every honest file. */
const DIRECT = new Set(['S', 'Type', 'Subtype'])

/** What the dictionary would do, as the end of a sentence; undefined where it does nothing. */
export function activeContent(dict: PdfDict, resolve: Resolve): string | undefined {
  for (const [key, value] of dict.entries) {
    const rule = RULES[key]
    if (!rule) continue
    const values = resolve(value)
    if (DIRECT.has(key) && value instanceof PdfReference && mayBeName(values))
      return 'says in an unusual way what it holds'
    const [isActive, reason] = rule
    if (values.some((each) => isActive(each, resolve))) return reason
  }
  return undefined
}

const mayBeName = (values: readonly PdfValue[]) =>
  values.length === 0 || values.some((value) => typeof value === 'string')
