// What the options for print files default to.
import { tmpdir } from 'node:os'
import t from 'tap'
import { printReadySettings } from '../../../src/print/options.ts'

t.test(
  'printReadySettings: without options downloads come from public servers, in five minutes and at most 512 MiB',
  async (t) => {
    t.same(printReadySettings(), {
      download: {
        policy: { trusted: new Set(), allowedHosts: undefined, ports: [80, 443, 8080] },
        limits: { bytes: 512 * 1024 * 1024, seconds: 300 },
        tempDir: tmpdir(),
        lookup: undefined,
      },
      downloads: 4,
      leaseSeconds: 15,
      secret: undefined,
      storingSeconds: 60,
      pushSeconds: 300,
      providerSeconds: 60,
      sweepSeconds: 37.5,
    })
  },
)

t.test('printReadySettings: times to store and to sweep follow the time of a download', async (t) => {
  const short = { limits: { seconds: 4 } }
  t.match(printReadySettings({ maxSeconds: 4 }), { download: short, storingSeconds: 10, pushSeconds: 4 })
  t.match(printReadySettings({ maxSeconds: 60 }), { storingSeconds: 30, pushSeconds: 60, sweepSeconds: 7.5 })
  t.match(printReadySettings({ maxSeconds: 4 }), { sweepSeconds: 1 })
})

t.test('printReadySettings: what is given counts', async (t) => {
  const lookup = async () => []
  const given = { allow: ['Router.internal:9000'], allowedHosts: ['*.router.example'], ports: [8443], lookup }
  const more = { maxBytes: 5, tempDir: '/spool', downloads: 2, leaseSeconds: 3 }
  const { download, ...settings } = printReadySettings({ ...given, ...more })
  t.same(download.policy, {
    trusted: new Set(['router.internal:9000']),
    allowedHosts: ['*.router.example'],
    ports: [8443],
  })
  t.match(download, { limits: { bytes: 5 }, tempDir: '/spool', lookup })
  t.match(settings, { downloads: 2, leaseSeconds: 3 })
})
