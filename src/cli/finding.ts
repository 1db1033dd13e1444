// What `svc-api check` and `svc-api doctor` report: one fact about an installation, and the commands that repair it.

/**
 * `problem`: the API does not start or does not work as it should; `warning`: it works, with a limitation; `off`: an optional
 * feature cannot be used.
 */
export type Level = 'ok' | 'off' | 'warning' | 'problem'

/** One fact about an installation. */
export interface Finding {
  level: Level
  /** The checked component, for example `tables`. */
  subject: string
  /** One sentence or a few. */
  message: string
  /** The facts of the message, for programs that read the JSON. */
  details?: unknown
  /** Lines for a shell, or SQL statements, which end with a semicolon. */
  repair?: readonly string[]
}

/** A finding, without `details` and `repair` if there are none. */
export const finding = (
  level: Level,
  subject: string,
  message: string,
  details?: unknown,
  repair: readonly string[] = [],
): Finding => ({
  level,
  subject,
  message,
  ...(details !== undefined && { details }),
  ...(repair.length > 0 && { repair }),
})

export const findingLine = ({ level, subject, message }: Finding) =>
  `${level.padEnd(8)} ${subject.padEnd(9)} ${message}`

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string) =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
