// The webhook beside servers, storages, providers and resolvers that never let go: each step ends, and so does the app.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Database, databaseOn } from '../../../src/db/connect.ts'
import { jobCompleter } from '../../../src/print/complete-job.ts'
import { type PrintReadySettings, printReadySettings } from '../../../src/print/options.ts'
import { printJobSteps } from '../../../src/print/print-job-steps.ts'
import { memoryProvider } from '../../support/fixtures/memory-provider.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { onlyLocal } from '../../support/fixtures/storages.ts'
import { behave, oddServers } from '../../support/hostile/odd-servers.ts'
import type { TestResponse } from '../../support/hosts/build.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import { namesIn, type PrintHost, pdf, printHost } from '../../support/hosts/print.ts'
import { rawServer } from '../../support/peers/servers.ts'

/** Milliseconds in which an app closes, whatever hangs. */
const ceiling = 10_000

const never = () => new Promise<never>(() => {})

const oddly = (t: Test, name: string) => {
  const odd = oddServers[name]
  if (!odd) throw new Error(`There is no server "${name}".`)
  return rawServer(t, (socket) => behave(socket, odd))
}

async function leasesHeld({ db, t }: Pick<PrintHost, 'db' | 't'>): Promise<number> {
  const held = db.selectFrom(t.print_job_steps).select('job_id').where('lease_owner', '<>', '')
  return (await held.execute()).length
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate)
}

t.test('a server that changes the protocol is 502, and gives its place and its job back', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const odd = await oddly(t, '101 with an upgrade')
    const host = await printHost(t, { engine, printReady: { maxSeconds: 2, downloads: 1 } })
    const jobs = [await host.newJob(), await host.newJob()]
    const again = await printHost(t, {
      address: host.address,
      printReady: { allow: [odd.pair, host.router.pair], maxSeconds: 2, downloads: 1 },
    })
    for (const { guid } of jobs) {
      t.match(await again.notify(guid, { file_url: odd.url }), {
        status: 502,
        body: { code: 'svc_print_file_unavailable' },
      })
      t.equal(await leasesHeld(host), 0)
      t.same(namesIn(again.tempDir), [])
      t.equal((await again.notify(guid, { file_url: `${host.router.url}/a.pdf` })).status, 200)
    }
  })
})

t.test('all odd servers have one response, which differs in nothing but its request id', async (t) => {
  const servers = await Promise.all(
    Object.entries(oddServers)
      .filter(([, { or }]) => !or)
      .map(async ([name, odd]) => ({ name, odd, ...(await rawServer(t, (socket) => behave(socket, odd))) })),
  )
  const allow = servers.map(({ pair }) => pair)
  const host = await printHost(t, { printReady: { allow, maxSeconds: 1, downloads: servers.length } })
  const seen = new Set<string>()
  for (const some of slices(servers, 20)) {
    const responses = await Promise.all(
      some.map(async ({ url, odd }) => {
        const { guid } = await host.newJob()
        return host.notify(guid, { file_url: odd.tls ? url.replace('http:', 'https:') : url })
      }),
    )
    for (const { status, body } of responses) {
      seen.add(JSON.stringify({ status, body: { ...body, data: { ...body.data, request_id: '' } } }))
    }
  }
  t.match([...seen], [/"status":502.*svc_print_file_unavailable/])
  t.equal(seen.size, 1)
  t.equal(await leasesHeld(host), 0)
  t.same(namesIn(host.tempDir), [])
})

t.test('an app closes in time although a download, a look-up or a provider hangs', async (t) => {
  const odd = await oddly(t, 'no word, and nothing is read')
  const tls = await oddly(t, 'TLS that says nothing')
  const upgrade = await oddly(t, '101 with an upgrade')
  const provider = memoryProvider()
  let calls = 0
  provider.upsertDraft = () => {
    calls++
    return never()
  }
  let lookups = 0
  const lookup = () => {
    lookups++
    return never()
  }
  const host = await printHost(t, {
    printProvider: provider,
    printReady: { lookup, downloads: 10, allow: [odd.pair, tls.pair, upgrade.pair] },
  })
  const another = await printHost(t, { address: host.address, printProvider: provider })
  const job = async (details = {}) => (await host.newJob(details)).guid
  const responses: Promise<TestResponse>[] = [
    host.notify(await job(), { file_url: odd.url }),
    host.notify(await job(), { file_url: tls.url.replace('http:', 'https:') }),
    host.notify(await job(), { file_url: upgrade.url }),
    host.notify(await job(), { file_url: 'http://never.example/' }),
    another.notify(await job({ order_id: 17, variation_printful: 1 })),
  ]
  await waitFor(() => lookups === 1 && calls === 1 && odd.open.size === 1 && tls.open.size === 1)
  const started = performance.now()
  await Promise.all([host.app.close(), another.app.close()])
  t.ok(performance.now() - started < ceiling, `${Math.round(performance.now() - started)} ms`)
  const codes = (await Promise.all(responses)).map(({ body }) => body.code)
  const file = 'svc_print_file_unavailable'
  t.same(codes, [file, file, file, file, 'svc_print_provider_unavailable'])
  t.equal(await leasesHeld(host), 0)
  t.same([...namesIn(host.tempDir), ...namesIn(another.tempDir)], [])
  t.equal(another.stored().length, 1)
})

t.test('a process ends by itself after SIGTERM although downloads hang', async (t) => {
  const servers = await Promise.all(
    ['101 with an upgrade', 'no word', 'a head that trickles', 'TLS that says nothing'].map(async (name) => ({
      ...(await oddly(t, name)),
      name,
    })),
  )
  const host = await printHost(t)
  const options = {
    uploads: { dir: host.uploads, url: 'https://shop.example/uploads' },
    printReady: { allow: servers.map(({ pair }) => pair), tempDir: host.tempDir },
  }
  const script = join(import.meta.dirname, '../../support/hosts/serving.ts')
  const child = spawn(process.execPath, [script, host.address, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  const calls = servers.map(async ({ url: file, name }) => {
    const { guid } = await host.newJob()
    const file_url = name.startsWith('TLS') ? file.replace('http:', 'https:') : file
    const body = JSON.stringify({ file_url })
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const response = await fetch(`${url}/wp-json/svc-export/v1.0/print_job/${guid}`, {
      method: 'POST',
      headers,
      body,
    })
    return response.status
  })
  await waitFor(() => servers.slice(1).every(({ open }) => open.size === 1))
  t.equal(await calls[0], 502)
  const ended = once(child, 'exit')
  const since = performance.now()
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
  t.ok(performance.now() - since < ceiling)
  t.same(await Promise.all(calls), [502, 502, 502, 502])
  t.equal(await leasesHeld(host), 0)
  t.same(namesIn(host.tempDir), [])
})

t.test('what killed processes left of downloads goes while the app runs', async (t) => {
  const host = await printHost(t, { printReady: { maxSeconds: 1 } })
  const mine = await printHost(
    t,
    { printReady: { maxSeconds: 1, tempDir: host.tempDir } },
    (_request, response) => response.write(pdf),
  )
  const { guid } = await mine.newJob()
  const answer = mine.notify(guid)
  await waitFor(() => namesIn(host.tempDir).length === 1)
  writeFileSync(`${host.tempDir}/svc-print-abandoned`, 'x')
  writeFileSync(`${host.tempDir}/of-somebody-else`, 'x')
  const deadline = performance.now() + ceiling
  while (namesIn(host.tempDir).length > 1 && performance.now() < deadline) await delay(50)
  t.same(namesIn(host.tempDir), ['of-somebody-else'])
  t.equal((await answer).status, 502)
})

/** A completer on a host's database whose storage is told what to do. */
async function completerOn(
  t: Test,
  host: PrintHost,
  { database: own, ...more }: Partial<PrintReadySettings> & { database?: Database } = {},
) {
  const storage = memoryStorage()
  const provider = memoryProvider()
  const settings = {
    ...printReadySettings({ allow: [host.router.pair], tempDir: host.tempDir, maxSeconds: 20 }),
    storingSeconds: 0.2,
    pushSeconds: 0.2,
    providerSeconds: 0.2,
    ...more,
  }
  const database = own ?? (await databaseOn(host.connection))
  const services = {
    database,
    storages: onlyLocal(storage),
    settings,
    provider: async () => provider,
    localFile: String,
    changed: async () => {},
  }
  const completer = jobCompleter(services)
  t.teardown(() => completer.close())
  return { completer, storage, provider, steps: printJobSteps(database, 15) }
}

t.test('a storage that does not respond is 503 in its time, and what it stores later goes', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const { completer, storage, steps } = await completerOn(t, host)
    const { id, guid } = await host.newJob()
    const { put } = storage
    const gate = Promise.withResolvers<void>()
    const keys: string[] = []
    storage.put = async (key) => {
      keys.push(key)
      await gate.promise
      await put(key, Buffer.from(pdf))
    }
    await t.rejects(completer.complete(guid, `${host.router.url}/a.pdf`), {
      code: 'svc_unavailable',
      message: /storage did not respond/,
    })
    t.equal(await leasesHeld(host), 0)
    t.same(namesIn(host.tempDir), [])
    storage.put = put
    t.equal((await completer.complete(guid, `${host.router.url}/a.pdf`)).status, 'completed')
    t.not(await steps.fileOf(id), keys[0])
    gate.resolve()
    const deadline = performance.now() + ceiling
    // It comes, and goes.
    do await delay(20)
    while ((await storage.stat(String(keys[0]))) && performance.now() < deadline)
    t.equal(await storage.stat(String(keys[0])), undefined)
    t.ok(await storage.stat(String((await steps.fileOf(id))?.key)))
  })
})

t.test('a provider that ignores its signal is 502 in its time', async (t) => {
  const host = await printHost(t)
  const { completer, provider } = await completerOn(t, host)
  provider.upsertDraft = never
  const { guid } = await host.newJob({ order_id: 17, variation_printful: 1 })
  await t.rejects(completer.complete(guid, `${host.router.url}/a.pdf`), {
    code: 'svc_print_provider_unavailable',
  })
  t.equal(await leasesHeld(host), 0)
})

t.test('closing does not wait for a storage that hangs in every verb', async (t) => {
  const host = await printHost(t)
  const { completer, storage } = await completerOn(t, host, { storingSeconds: 60 })
  const { guid } = await host.newJob()
  let calls = 0
  for (const verb of ['put', 'stat', 'remove'] as const) {
    storage[verb] = () => {
      calls++
      return never()
    }
  }
  const outcome = completer.complete(guid, `${host.router.url}/a.pdf`).catch((error) => error.code)
  await waitFor(() => calls > 0)
  const started = performance.now()
  await completer.close()
  t.ok(performance.now() - started < ceiling)
  t.equal(await outcome, 'svc_unavailable')
  t.equal(await leasesHeld(host), 0)
  t.same(namesIn(host.tempDir), [])
})

t.test('a lease is not renewed beyond the time of its steps, whatever hangs between them', async (t) => {
  const host = await printHost(t)
  const healthy = await completerOn(t, host)
  const gate = Promise.withResolvers<never>()
  const database = await databaseOn(host.connection)
  let hung = 0
  const { transaction } = database
  // The second transaction is the one that tells of the stored file.
  database.transaction = (work, committed) => {
    if (++hung < 2) return transaction(work, committed)
    return gate.promise
  }
  const { completer } = await completerOn(t, host, {
    database,
    download: {
      policy: { trusted: new Set([host.router.pair]), allowedHosts: undefined, ports: [] },
      limits: { bytes: 1000, seconds: 1 },
      tempDir: host.tempDir,
    },
    leaseSeconds: 0.3,
  })
  const { guid } = await host.newJob()
  const outcome = completer.complete(guid, host.router.url).catch((error) => error.message)
  await waitFor(() => hung === 2)
  t.equal(await leasesHeld(host), 1)
  const deadline = performance.now() + 2 * ceiling
  const again = () =>
    healthy.completer.complete(guid, host.router.url).catch(({ code }) => ({ status: code }))
  let { status } = await again()
  t.equal(status, 'svc_print_job_busy')
  while (status === 'svc_print_job_busy' && performance.now() < deadline) {
    await delay(100)
    status = (await again()).status
  }
  t.equal(status, 'completed')
  gate.reject(new Error('The database is gone.'))
  t.equal(await outcome, 'The database is gone.')
})

function slices<T>(list: T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, i) =>
    list.slice(i * length, (i + 1) * length),
  )
}
