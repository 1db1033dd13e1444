// Forms that have been used up, so that a page that is reloaded does not repeat what its form did.

/** How many forms are remembered. */
const maxUsed = 1000

/** The newest forms that were used, by the random value that each carries. */
export function usedForms() {
  const used = new Set<string>()
  return {
    has: (once: string) => used.has(once),
    add(once: string): void {
      const [oldest] = used
      if (oldest !== undefined && used.size >= maxUsed) used.delete(oldest)
      used.add(once)
    },
  }
}
