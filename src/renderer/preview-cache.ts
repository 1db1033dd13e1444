// Caches the latest previews, so that a list of orders does not draw them for each reader.

/** Maximum bytes of all previews together. */
const maxBytes = 32 * 1024 * 1024
/** Milliseconds for which changed fonts and pictures may be missing in a preview. */
const maxAge = 10 * 60_000

export function previewCache() {
  const cache = new Map<string, { png: Buffer; until: number }>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= cache.get(key)?.png.length ?? 0
    cache.delete(key)
  }

  return {
    get(key: string): Buffer | undefined {
      const entry = cache.get(key)
      if (entry && entry.until < performance.now()) remove(key)
      return cache.get(key)?.png
    },

    set(key: string, png: Buffer): void {
      remove(key)
      cache.set(key, { png, until: performance.now() + maxAge })
      bytes += png.length
      // The oldest come first.
      for (const oldest of cache.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
