// Forms that have been used up, so that a page that is reloaded does not repeat what its form did.

/** How many forms are remembered. */
const maxUsed = 1000

/** The newest forms that were used, by the random value that each carries. */
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
