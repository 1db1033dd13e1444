// Reads values that other code made: errors of libraries, parsed JSON, internals of packages.

/** The members of an object or array; none for any other value. For reading only. */
export const membersOf = (value: unknown): Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>) : {}

/** The `code` of an error of Node, a driver or a library, as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const { code } = membersOf(error)
  return typeof code === 'string' ? code : undefined
}
