// Where large JSON is written: bytes in shared memory, of which only as much is taken as is written.
import { objectOrder, type Positions } from './names.ts'
import { comma, propertiesAt } from './scan.ts'

/** More was written than may be. */
export class TooLong extends Error {}

export class Sink {
  #bytes: Uint8Array<SharedArrayBuffer>
  length = 0

  readonly #most: number

  /**
   * @param expected number of bytes
   * @param most beyond which it throws TooLong, more or less
   */
  constructor(expected: number, most = Number.POSITIVE_INFINITY) {
    this.#bytes = new Uint8Array(new SharedArrayBuffer(expected + 64))
    this.#most = most
  }

  text(text: string): void {
    // Counting is only needed near the end.
    if (text.length * 3 > this.#bytes.length - this.length) this.#reserve(Buffer.byteLength(text))
    this.length += Buffer.from(this.#bytes.buffer).write(text, this.length)
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    if (this.length + more > this.#most + 64) throw new TooLong()
    const larger = new Uint8Array(
      new SharedArrayBuffer(
        Math.max(this.length + more, Math.min(this.#bytes.length * 1.5, this.#most + 64)),
      ),
    )
    larger.set(this.written)
    this.#bytes = larger
  }

  get written(): Uint8Array<SharedArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }

  /** Adds the names of the properties that were written since `from`, without a bracket. */
  collect(from: number, starts: Positions): void {
    for (const { name } of propertiesAt(this.written, from - 1)) starts.push(name)
  }

  /** Brings the properties of the object that is written last into the order of JSON.stringify. @returns their number */
  order(starts: Positions): number {
    const written = this.written
    const order = objectOrder(written, starts)
    if (!order) return starts.length
    const [from, end] = [starts.at(0), this.length]
    const source = written.slice(from, end)
    this.length = from
    for (const index of order) {
      const start = starts.at(index)
      const after = index + 1 < starts.length ? starts.at(index + 1) - 1 : end
      if (this.length > from) this.#bytes[this.length++] = comma
      this.bytes(source.subarray(start - from, after - from))
    }
    return order.length
  }
}
