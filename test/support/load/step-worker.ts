// A process that kills itself after one of the steps of a deletion or upload: each statement and each storage call is one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { totals } from '../../../src/db/totals.ts'
import { assetsRepository } from '../../../src/library/assets.ts'
import { fontsRepository } from '../../../src/library/fonts.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { font } from '../fixtures/make-font.ts'
import { onlyLocal } from '../fixtures/storages.ts'

/** More steps than any task has. */
export const maxSteps = 40

interface StepTask {
  address: string
  dir: string
  /** The step after which the process dies, from 1. */
  step: number
  work: { do: 'remove asset'; key: string } | { do: 'store font' | 'remove font'; family: string }
}

/** Runs the task in a separate process. True if it died at the step, false if it finished before. */
export async function diesAt(task: StepTask): Promise<boolean> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The worker ended with ${code}.`)
  return signal === 'SIGKILL'
}

async function run({ address, dir, step, work }: StepTask): Promise<void> {
  let steps = 0
  let counting = false
  function count(): void {
    if (counting && ++steps === step) process.kill(process.pid, 'SIGKILL')
  }

  const sqlite = /^sqlite:(.*)$/.exec(address)?.[1]
  const db = new Kysely({
    dialect:
      sqlite === undefined
        ? new MysqlDialect({ pool: createPool({ uri: address, charset: 'utf8mb4' }) })
        : nodeSqlite(sqlite),
    log: count,
  })
  const database = await databaseOn(await connect({ database: db }))
  const storage = new Proxy(localStorage(dir, 'https://shop.example/uploads'), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'url') return value
      return async (...args: unknown[]) => {
        const result: unknown = await value.apply(target, args)
        count()
        return result
      }
    },
  })
  counting = true
  if (work.do === 'remove asset')
    await assetsRepository(database, totals(), onlyLocal(storage)).remove(work.key)
  else {
    const fonts = fontsRepository(
      database,
      optionsStore(database, () => {}),
      storage,
    )
    const file = `${work.family}.ttf`
    if (work.do === 'remove font') await fonts.remove(work.family)
    else await fonts.store({ family: work.family, variant: undefined, file, bytes: font() })
  }
  await db.destroy()
}

if (process.argv[1] === import.meta.filename) await run(JSON.parse(process.argv[2] ?? ''))
