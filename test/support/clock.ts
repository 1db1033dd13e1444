// Moves the monotonic clock of the process forward, so that tests need not wait for caches to expire.

let ahead = 0

/** Advances `performance.now()` by one second. Whatever caches for up to a second must then read again. */
export function passSecond(): void {
  if (ahead === 0) {
    const now = performance.now.bind(performance)
    performance.now = () => now() + ahead
  }
  ahead += 1000
}
