// Functions that tests run on the other thread.

/** Whether the first element was set, waited for up to three seconds. */
export function isSetInTime(flag: Int32Array<SharedArrayBuffer>): boolean {
  Atomics.wait(flag, 0, 0, 3000)
  return Atomics.load(flag, 0) !== 0
}

export function failing(): never {
  throw new RangeError('never')
}
