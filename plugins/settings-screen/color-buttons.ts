// Buttons that act on one entry of a list of colors or palettes. Their value names list, action and position: `palettes.up.3`. Scripts
// add `palettes.to.3.0` for an entry that was dragged to another position.

const lists = ['colors', 'palettes', 'member'] as const
type ListName = (typeof lists)[number]

/** What a button does to the entry of a list. */
export interface EntryAction {
  /** `member` is the list of colors in one palette. */
  list: ListName
  /** Position of the entry in the list, from 0. */
  position: number
  /** How many places the entry moves: -1 is one place up. Undefined if it is taken out of the list. */
  offset: number | undefined
}

/** The value of a button that moves an entry one place up or down, or takes it out of the list. */
export const buttonValue = (list: ListName, action: 'up' | 'down' | 'out', position: number): string =>
  `${list}.${action}.${position}`

/** What the pressed button does; undefined for the value of another button. */
export function actionIn(value: string): EntryAction | undefined {
  const [, listName, action, from, to] =
    /^([a-z]+)\.(up|down|out|to)\.(\d{1,6})(?:\.(\d{1,6}))?$/.exec(value) ?? []
  const list = lists.find((name) => name === listName)
  if (!list || (action === 'to') !== (to !== undefined)) return undefined
  const position = Number(from)
  if (action === 'out') return { list, position, offset: undefined }
  return { list, position, offset: action === 'to' ? Number(to) - position : action === 'up' ? -1 : 1 }
}
