// Forms that made a token, so that reloading the page that shows it does not make another one.

/** How many forms are remembered. */
const maxUsed = 1000

/** The newest forms that this process has used. */
export function usedForms() {
  const used = new Set<string>()
  return {
    /** Whether the form was used. @param nonce the random value that the form carries */
    has: (nonce: string) => used.has(nonce),
    /** Remembers that the form was used. */
    add(nonce: string): void {
      const [oldest] = used
      if (oldest !== undefined && used.size >= maxUsed) used.delete(oldest)
      used.add(nonce)
    },
  }
}
