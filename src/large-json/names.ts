// The order of an object's properties, and which of them have the same name: in numbers instead of objects, because an
// object may have millions of properties.
import { randomInt } from 'node:crypto'
import { afterString } from './scan.ts'

/** Below 2^31, so that a product with `factor` is exact. */
const prime = 2 ** 31 - 1
/** Nobody can choose names that meet in the table. */
const factor = randomInt(2 ** 20, 2 ** 22)

/** Positions that grow as needed. */
export class Positions {
  #values = new Uint32Array(16)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const more = new Uint32Array(this.length * 2)
      more.set(this.#values)
      this.#values = more
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }
}

/** Finds the names, in quotes and as JSON.stringify writes them, that begin at these positions of the text. */
export class Names {
  readonly #json: Uint8Array
  readonly #starts: Positions
  readonly #slots: Int32Array
  readonly #mask: number

  constructor(json: Uint8Array, starts: Positions) {
    this.#json = json
    this.#starts = starts
    this.#mask = 2 ** Math.ceil(Math.log2(starts.length * 1.4 + 2)) - 1
    this.#slots = new Int32Array(this.#mask + 1).fill(-1)
  }

  /** The index of the name that begins at `start` of `json`; -1 if it was not added. */
  find(json: Uint8Array, start: number): number {
    return this.#slots[this.#slotOf(json, start, afterString(json, start))] ?? -1
  }

  /** Adds the name at this index unless there is one. @returns the index of the one that is there now */
  add(index: number): number {
    const start = this.#starts.at(index)
    const slot = this.#slotOf(this.#json, start, afterString(this.#json, start))
    const known = this.#slots[slot] ?? -1
    if (known >= 0) return known
    this.#slots[slot] = index
    return index
  }

  #slotOf(json: Uint8Array, start: number, end: number): number {
    let hash = 0
    for (let at = start; at < end; at++) hash = (hash * factor + (json[at] ?? 0) + 1) % prime
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const known = this.#slots[slot] ?? -1
      if (known < 0 || this.#isAt(this.#starts.at(known), json, start, end)) return slot
    }
  }

  #isAt(place: number, json: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#json[place + at - start] !== json[at]) return false
    return true
  }
}

/** Largest name that JavaScript takes for the index of an array. */
const maxIndex = 2 ** 32 - 2

/** The number in the quotes that begin at `start` if objects list such a name first; otherwise -1. */
function indexAt(json: Uint8Array, start: number): number {
  const first = json[start + 1] ?? 0
  if (first < 48 || first > 57) return -1
  let value = 0
  for (let at = start + 1; at < start + 12; at++) {
    const code = json[at] ?? 0
    if (code === 34) return (first === 48 && at > start + 2) || value > maxIndex ? -1 : value
    if (code < 48 || code > 57) return -1
    value = value * 10 + code - 48
  }
  return -1
}

/**
 * The order in which JSON.stringify writes properties that JSON.parse reads in this order, as their indexes: of equal names
 * the last value at the position of the first, and names that are indexes of an array first. Undefined if it is the same.
 */
export function objectOrder(json: Uint8Array, starts: Positions): Uint32Array | undefined {
  const names = new Names(json, starts)
  /** Of each name, the index of its last value; -1 for those that are repeated. */
  const last = new Int32Array(starts.length)
  let kept = 0
  let indexes = 0
  let highest = -1
  let isOrdered = true
  for (let i = 0; i < starts.length; i++) {
    const first = names.add(i)
    last[i] = first === i ? i : -1
    last[first] = i
    if (first !== i) {
      isOrdered = false
      continue
    }
    const index = indexAt(json, starts.at(i))
    if (index >= 0) {
      if (index < highest || indexes < kept) isOrdered = false
      highest = index
      indexes++
    }
    kept++
  }
  if (isOrdered) return undefined
  const order = new Uint32Array(kept)
  const numbered = order.subarray(0, indexes)
  let [number, other] = [0, indexes]
  for (let i = 0; i < starts.length; i++) {
    const value = last[i] ?? -1
    if (value < 0) continue
    if (indexAt(json, starts.at(i)) >= 0) numbered[number++] = value
    else order[other++] = value
  }
  numbered.sort((a, b) => indexAt(json, starts.at(a)) - indexAt(json, starts.at(b)))
  return order
}
