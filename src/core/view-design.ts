// A view as part of a design, which the renderer reads.
import { unreadableValue } from './errors.ts'

interface StoredView {
  id: number
  title: string
  /** JSON texts; null if the stored value cannot be read. */
  elements: string | null
  options: string | null
}

/** JSON text of a view in a design. @throws SvcError 500 if a stored value cannot be read */
export function viewDesign(
  { id = 0, title = '', elements = '[]', options = '{}' }: Partial<StoredView>,
  table: string,
): string {
  if (elements === null) throw unreadableValue({ table, row: id, column: 'elements' })
  if (options === null) throw unreadableValue({ table, row: id, column: 'options' })
  return `{"title":${JSON.stringify(title)},"elements":${elements},"options":${options}}`
}
