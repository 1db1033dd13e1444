// A process that is killed while it pushes a file leaves nothing that is not made good.
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import { type PushPoint, pushKills } from '../../support/load/push-kills.ts'

const whole = { lost: 0, left: 0, local: 0, waiting: 0 }

t.test('killed while it pushes, a print job goes on there: one file, fetched once', (t) =>
  onEachEngine(t, async (t, engine) => {
    const points: PushPoint[] = [
      { at: 'upload_session/append_v2', isDone: true },
      { at: 'upload_session/finish', isDone: true },
    ]
    const counts = await pushKills(t, engine, 'print', points)
    const jobs = points.length
    t.match(counts, { kills: jobs, listed: jobs, files: jobs, fetched: jobs, ...whole })
  }),
)

t.test('killed while it pushes, an upload leaves neither row nor file', (t) =>
  onEachEngine(t, async (t, engine) => {
    const points: PushPoint[] = [{ at: 'files/upload', isDone: true }]
    t.match(await pushKills(t, engine, 'upload', points), { kills: 1, listed: 0, files: 0, ...whole })
  }),
)
