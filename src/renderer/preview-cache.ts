// Caches the latest previews, so that a list of orders does not draw them for each reader.

/** Maximum bytes of all previews together. */
const maxBytes = 32 * 1024 * 1024
/** Milliseconds after which a preview is drawn anew, because fonts and pictures may have changed without a change of the design. */
const maxAge = 10 * 60_000

/** Creates a cache of previews as PNG, by keys that identify design, view and width. */
export function previewCache() {
  /** `until` is a time of `performance.now`. The oldest entries come first. */
  const cache = new Map<string, { png: Buffer; until: number }>()
  /** Bytes of all previews. */
  let bytes = 0

  function remove(key: string): void {
    bytes -= cache.get(key)?.png.length ?? 0
    cache.delete(key)
  }

  return {
    /** The preview; undefined if it is not cached, or is too old. */
    get(key: string): Buffer | undefined {
      const entry = cache.get(key)
      if (entry && entry.until < performance.now()) remove(key)
      return cache.get(key)?.png
    },

    /** Adds a preview and removes the oldest ones beyond the limit. */
    set(key: string, png: Buffer): void {
      remove(key)
      cache.set(key, { png, until: performance.now() + maxAge })
      bytes += png.length
      for (const oldest of cache.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
