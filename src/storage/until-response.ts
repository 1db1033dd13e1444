// A time limit until the headers of a response, for the clients of remote storages.

/** Runs a request, whose signal aborts unless it resolves in time: when the headers have come. The body may take longer. */
export async function untilResponse<T>(
  milliseconds: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), milliseconds)
  try {
    return await request(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
