// Tests that get a new host and database on each engine. `shared-host.ts` is the cheaper way for many small tests.
import t, { type Test } from 'tap'
import {
  type BuildOptions,
  build,
  onEachEngine,
  onEachServer,
  type ServerEngine,
  type TestHost,
} from './build.ts'

/** Defines one test per engine, each with its own host and database. `name` states the rule as a sentence. */
export function rule(
  name: string,
  run: (t: Test, host: TestHost) => Promise<void>,
  options: BuildOptions = {},
): void {
  t.test(name, (t) => onEachEngine(t, async (t, engine) => run(t, await build(t, { ...options, engine }))))
}

/** Defines one test, for what is decided before a database is asked or after it has responded. */
export function ruleOnce(
  name: string,
  run: (t: Test, host: TestHost) => Promise<void>,
  options: BuildOptions = {},
): void {
  t.test(name, async (t) => run(t, await build(t, options)))
}

/** Defines one test per server, for what SQLite does not have. */
export function onServers(name: string, run: (t: Test, engine: ServerEngine) => Promise<void>): void {
  t.test(name, (t) => onEachServer(t, run))
}
