// The settings screen reports what it changes, without saying which session of the administrator it was.
import t from 'tap'
import { auditEntries, type Change } from '../../plugins/index.ts'
import { onEachEngine } from '../support/build.ts'
import { buildScreen } from '../support/screen.ts'

t.test('each setting that is saved, and the token that is cleared, is one change by the screen', (t) =>
  onEachEngine(t, async (t, engine) => {
    const seen: Change[] = []
    const { host, client } = await buildScreen(t, {
      engine,
      onChange: (change) => seen.push(change),
      audit: true,
    })
    await client.save('general', { svc_rulerUnit: 'cm' })
    await client.save('general', { svc_rulerUnit: 'cm' })
    await client.submit(await client.get('clear-token'), 'clear-token')
    const by = { operation: 'settings_screen', principal: { kind: 'host', name: 'settings screen' } }
    t.match(seen, [
      { resource: 'setting', action: 'updated', id: 'svc_rulerUnit', ...by },
      { resource: 'setting', action: 'updated', id: 'svc_api_token', ...by },
    ])
    t.equal(seen.length, 2)
    t.equal((await auditEntries({ database: host.address })).length, 2)
  }),
)
