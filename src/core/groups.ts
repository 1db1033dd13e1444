// What each group of operations says about itself. Groups declare themselves when their modules load, in the order of
// `plugins/groups.ts`; scopes, toggles, error codes, events, counts and documents are read from here.

/** Filled in by the root plugin with the type of all declarations, because no file below the groups may import them. */
// biome-ignore lint/suspicious/noEmptyInterface: other files add to it.
export interface Declared {}

/** What a group is. */
export interface Declaration {
  /** In scopes and toggles, such as `pricing_rules`. Its tag in documents is `pricing-rules`. */
  name: string
  /** Path below the namespace, such as `/pricing-rules`. */
  path: string
  /** Path below the base URL; `/svc/v1` when absent. */
  namespace?: string
  /** What documents say of its tag, in one sentence; absent where no document names its routes. */
  tag?: string
  /** How the settings name the switch that turns it off, or the group whose switch does. Absent: always on. */
  toggle?: { label: string } | { of: string }
  /** `login`: any valid token or login suffices, whatever its scopes. `public`: no token. Absent: a scope of its name. */
  access?: 'login' | 'public'
  /** Its error codes with their status and default message. */
  errors?: Readonly<Record<string, readonly [status: number, message: string]>>
  /** Code of the 404 of every operation whose path names one resource. */
  missing?: string
  /** Whether its stored values can always be read, so that it never responds with `svc_unreadable_value`. */
  readable?: true
  /** What its events are about. */
  events?: readonly string[]
  /** Names in the counts of `/system`, each with the table that is counted. */
  counts?: Readonly<Record<string, string>>
}

type Groups = Declared extends { groups: infer G extends Declaration } ? G : Declaration

type CodeOf<G> = G extends { errors: infer E } ? keyof E & string : never
type EventOf<G> = G extends { events: readonly (infer E extends string)[] } ? E : never

/** Groups of operations that can be granted one by one. */
export type ScopeGroup = Exclude<Groups, { access: string }>['name']
/** Groups with a switch of their own. */
export type Toggle = Extract<Groups, { toggle: { label: string } }>['name']
/** Error codes of single groups. */
export type GroupErrorCode = CodeOf<Groups>
/** What the events of groups are about. */
export type GroupEvent = EventOf<Groups>

const declared = new Map<string, Declaration>()

export function declareGroup(declaration: Declaration): void {
  declared.set(declaration.name, declaration)
}

/** In the order of their declaration. */
export const declaredGroups = (): readonly Declaration[] => [...declared.values()]

/** The tag of a group in documents. */
export const tagOf = ({ name }: Declaration) => name.replaceAll('_', '-')
