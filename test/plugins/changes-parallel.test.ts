// Events of writes that run at the same time: each reports its own.
import t from 'tap'
import type { Change } from '../../plugins/index.ts'
import { build, onEachEngine } from '../support/build.ts'
import { upload } from '../support/form.ts'
import { font } from '../support/make-font.ts'
import { storedOption } from '../support/options.ts'

t.test('uploads into one font family at the same time report each', (t) =>
  onEachEngine(t, async (t, engine) => {
    const seen: Change[] = []
    const uploads = { dir: t.testdir({}), url: 'https://shop.example/uploads' }
    const host = await build(t, { engine, uploads, onChange: (change) => seen.push(change) })
    await upload(host, '/fonts', 'Ours.ttf', font())
    seen.length = 0
    const files = ['Ours__bold.ttf', 'Ours__italic.ttf', 'Ours__bolditalic.ttf', 'Ours.ttf']
    const responses = await Promise.all(files.map((file) => upload(host, '/fonts', file, font())))
    t.same(
      responses.map(({ status }) => status),
      files.map(() => 201),
    )
    t.same(
      seen.map(({ request_id }) => request_id).sort(),
      responses.map(({ headers }) => headers['x-request-id']).sort(),
    )
    t.match(
      seen,
      files.map(() => ({ resource: 'font', action: 'updated', id: 'Ours' })),
    )
    t.equal(await storedOption(host, 'svc_fonts_unfinished'), '{}')
  }),
)
