// Queries on hot paths whose SQL text is built once: building it costs more than everything else the process does for them.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Stands for an argument while the text is built. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

type Run<A extends unknown[], R> = (executor: Kysely<Tables>, ...args: A) => Promise<R[]>

/**
 * A query by its arguments, each of which must go into the query as one parameter, unlooked at.
 * @param build makes the query; called once per number of arguments
 */
export function prepared<A extends unknown[], R>(build: (...args: A) => Compilable<R>): Run<A, R> {
  const texts = new Map<number, CompiledQuery<R>>()
  return async (executor, ...args) => {
    let compiled = texts.get(args.length)
    if (!compiled) {
      compiled = build(...(args.map((_, index) => new Placeholder(index)) as A)).compile()
      texts.set(args.length, compiled)
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? args[value.index] : value,
    )
    return (await executor.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
