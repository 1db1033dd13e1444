// Reports work that takes longer than a second, on stderr.

/** Milliseconds until the first line, and between the others. */
const first = 1000
const next = 5000

/**
 * Runs `work`. If it takes longer than a second, says what is being done, and again every five seconds.
 * @param what for example `Reading the stored values`
 * @param work may report how far it is, for example `wp_svc_views, 1200 rows`
 */
export async function withProgress<T>(
  say: (line: string) => void,
  what: string,
  work: (report: (state: string) => void) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  let state = ''
  const tell = () => {
    const seconds = Math.round((performance.now() - begun) / 1000)
    say(`${what}${state && `: ${state}`} (${seconds} s)`)
    timer = setTimeout(tell, next).unref()
  }
  let timer = setTimeout(tell, first).unref()
  try {
    return await work((current) => {
      state = current
    })
  } finally {
    clearTimeout(timer)
  }
}
