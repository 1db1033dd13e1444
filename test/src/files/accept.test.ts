// One uploaded file through all its checks.
import t, { type Test } from 'tap'
import { type FileChecks, fileChecks } from '../../../src/files/accept.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { pdf } from '../../support/fixtures/make-pdf.ts'
import { png } from '../../support/fixtures/make-png.ts'

const upload = (name: string, bytes: Buffer | string) => ({
  name,
  read: async () => Buffer.from(bytes as string),
})

function checksOf(t: Test): FileChecks {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  return checks
}

t.test('fileChecks: asset: a Blob without a name has the type of its content', async (t) => {
  const checks = checksOf(t)
  t.match(await checks.asset(upload('blob', png())), { type: 'png', extension: 'png', title: 'blob' })
  await t.rejects(checks.asset(upload('blob', Buffer.from('GIF89a'))), {
    code: 'svc_upload_type_not_allowed',
  })
})

t.test('fileChecks: each kind of asset is returned with its bytes, type and size', async (t) => {
  const checks = checksOf(t)
  t.match(await checks.asset(upload('My Photo.PNG', png())), {
    type: 'png',
    extension: 'png',
    mimeType: 'image/png',
    title: 'My Photo.PNG',
    width: 16,
    height: 12,
    warning: undefined,
  })
  t.match(await checks.asset(upload('a.pdf', pdf())), {
    type: 'pdf',
    mimeType: 'application/pdf',
    width: null,
    height: null,
    bytes: pdf(),
  })
  t.match(
    await checks.asset(
      upload('a.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4"><rect/><script/></svg>'),
    ),
    {
      mimeType: 'image/svg+xml',
      width: 3,
      height: 4,
      warning: 'Removed from the drawing: active content.',
    },
  )
})

t.test(
  'fileChecks: a picture outside of the print limits is taken with a warning, beside the one about what was changed',
  async (t) => {
    const checks = checksOf(t)
    const { warning } = await checks.asset(upload('a.png', png()), { minWidth: 100 })
    t.equal(warning, 'The picture is narrower than 100 pixels.')
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4"><rect/><script/></svg>'
    const both = await checks.asset(upload('a.svg', drawing), { minHeight: 9 })
    t.equal(both.warning, 'Removed from the drawing: active content. The picture is shorter than 9 pixels.')
    const { warning: added } = await checks.asset(
      upload('a.svg', '<svg viewBox="0 0 3 4"><rect/><script/></svg>'),
    )
    t.equal(
      added,
      'Removed from the drawing: active content. The drawing did not declare the SVG namespace; it was added.',
    )
  },
)

t.test('fileChecks: a font is returned unchanged, with its names', async (t) => {
  const checks = checksOf(t)
  t.match(await checks.font(upload('Foo_Bar__bold.ttf', font())), {
    family: 'Foo Bar',
    variant: 'bold',
    file: 'Foo_Bar__bold.ttf',
    bytes: font(),
  })
  await t.rejects(checks.font(upload('Foo.ttf', png())), { code: 'svc_upload_type_mismatch' })
  await t.rejects(checks.font(upload('Foo.otf', font())), { code: 'svc_upload_type_not_allowed' })
  await t.rejects(checks.font(upload('Foo.ttf', font({ tables: { glyf: undefined } }))), {
    code: 'svc_upload_rejected',
  })
})

t.test('the extension is checked before the file is read, and the type before it is decoded', async (t) => {
  const checks = checksOf(t)
  const unread = { name: 'a.exe', read: () => Promise.reject(new Error('was read')) }
  await t.rejects(checks.asset(unread), { code: 'svc_upload_type_not_allowed' })
  await t.rejects(checks.asset(upload('a.jpg', png())), { code: 'svc_upload_type_mismatch' })
  await t.rejects(checks.asset(upload('a.png', png().subarray(0, 60))), { code: 'svc_upload_rejected' })
})

t.test('fileChecks: two instances work concurrently, and a closed one starts again', async (t) => {
  const [one, two] = [checksOf(t), checksOf(t)]
  await one.asset(upload('a.pdf', pdf()))
  await one.close()
  t.match(await two.asset(upload('a.pdf', pdf())), { type: 'pdf' })
  t.match(await one.asset(upload('a.pdf', pdf())), { type: 'pdf' })
})

t.test('fileChecks: a client whose files wait does not delay another one', async (t) => {
  const checks = checksOf(t)
  const done: string[] = []
  const send = (client: string, name: string) =>
    checks
      .asset({ ...upload(name, name.endsWith('pdf') ? pdf() : png()), client })
      .then(() => done.push(client))
  for (const name of ['a.pdf', 'a.png']) {
    done.length = 0
    const many = Array.from({ length: 12 }, () => send('many', name))
    await Promise.all([...many, send('one', name)])
    t.ok(done.indexOf('one') < 6, `${name}: ${done}`)
  }
})
