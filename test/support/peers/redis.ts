// Starts a private Redis for a test, on a free loopback port below 32768, without persistence.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Test } from 'tap'
import { ensureCommands } from '../debian.ts'

/** @returns its port */
export async function startRedis(t: Test): Promise<number> {
  const commands = await ensureCommands({ 'redis-server': 'redis-server' })
  for (let tries = 1; ; tries++) {
    const port = randomInt(20_000, 32_768)
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const child = spawn(commands['redis-server'], settings, {
      cwd: t.testdir({}),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const isReady = await new Promise<boolean>((resolve) => {
      let log = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        log += part
        if (log.includes('Ready to accept connections')) resolve(true)
      })
      ended.then(() => resolve(false))
    })
    if (isReady) {
      t.teardown(async () => {
        child.kill('SIGKILL')
        await ended
      })
      return port
    }
    if (tries === 10) throw new Error('Redis did not start.')
  }
}
