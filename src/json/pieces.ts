// A text that is put together of very many pieces.

/** A string that grows by millions of pieces would need many times its length, and so would one list of them. */
export class Pieces {
  #blocks: string[] = []
  #pieces: string[] = []

  add(...pieces: string[]): void {
    this.#pieces.push(...pieces)
    if (this.#pieces.length < 10_000) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  get text(): string {
    return [...this.#blocks, ...this.#pieces].join('')
  }
}
