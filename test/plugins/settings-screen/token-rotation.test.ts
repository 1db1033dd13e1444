// Rotating a named token on the settings screen: asked, shown once, and both tokens in the list.
import t from 'tap'
import { onEachDialect } from '../../support/hosts/build.ts'
import { as, makeToken } from '../../support/hosts/named-tokens.ts'
import { buildScreen, type ScreenPage } from '../../support/hosts/screen.ts'

const shownToken = ({ document }: ScreenPage) =>
  document.querySelector<HTMLInputElement>('#made')?.value ?? ''

t.test('POST /settings/rotate-token: shows the new token once, and lists both by name', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    const first = await makeToken(host, 'Agent <1>', ['read', 'fonts:write'])
    const list = await client.get('named-tokens')
    const link = list.document.querySelector('main li a')?.getAttribute('href') ?? ''
    t.match(link, /^rotate-token\?name=/)
    const question = await client.get(link)
    t.match(question.texts('h2')[0], 'Rotate “Agent <1>”?')
    t.equal(question.document.querySelector<HTMLSelectElement>('#overlap')?.value, '1d')
    const rotated = await client.submit(question, 'rotate-token', { overlap: '7d' })
    t.equal(rotated.status, 200)
    t.match(rotated.headers['cache-control'], /no-store/)
    t.match(rotated.texts('main').join(), /now called “Agent <1> \(replaced\)”. It works until 20/)
    for (const token of [first, shownToken(rotated)])
      t.equal((await as(host, token)('GET', '/products')).status, 200)
    const both = await client.get('named-tokens')
    t.strictSame(both.texts('li strong'), ['Agent <1>', 'Agent <1> (replaced)'])
    t.strictSame(both.texts('li code'), ['read, fonts:write', 'read, fonts:write'])
    t.notMatch(both.text, shownToken(rotated))
    const again = await client.submit(question, 'rotate-token', { overlap: '7d' })
    t.strictSame([again.status, again.headers.location], [303, 'named-tokens'], 'a reload rotates nothing')
    t.equal((await client.get('named-tokens')).texts('li strong').length, 2)
  }),
)

t.test('POST /settings/rotate-token: a token that stops now is revoked', async (t) => {
  const { host, client } = await buildScreen(t)
  const first = await makeToken(host, 'agent', ['read'])
  const question = await client.get('rotate-token?name=agent')
  const rotated = await client.submit(question, 'rotate-token', { overlap: 'now' })
  t.match(rotated.texts('main').join(), 'The previous token was revoked.')
  t.equal((await as(host, first)('GET', '/products')).body.code, 'svc_forbidden')
  t.equal((await as(host, shownToken(rotated))('GET', '/products')).status, 200)
})

t.test(
  'POST /settings/rotate-token: 403 for forged forms, 400 for other overlaps, 404 without the token',
  async (t) => {
    const { host, client } = await buildScreen(t)
    const first = await makeToken(host, 'agent', ['read'])
    const question = await client.get('rotate-token?name=agent')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    t.equal((await client.submit(question, 'rotate-token', {}, foreign)).status, 403)
    t.equal((await client.submit(question, 'rotate-token', { _form: 'x' })).status, 403)
    for (const overlap of ['', '2d', 'constructor'])
      t.equal((await client.submit(question, 'rotate-token', { overlap })).status, 400)
    t.equal((await client.submit(question, 'rotate-token', { name: 'other' })).status, 404)
    t.equal((await client.get('rotate-token?name=other')).status, 404)
    t.strictSame((await client.get('named-tokens')).texts('li strong'), ['agent'])
    t.equal((await as(host, first)('GET', '/products')).status, 200)
  },
)

t.test(
  'POST /settings/rotate-token: 400 with the question again when there are too many tokens',
  async (t) => {
    const { host, client } = await buildScreen(t)
    await makeToken(host, 'agent', ['read'])
    const token = await host.db.selectFrom(host.t.api_tokens).selectAll().executeTakeFirstOrThrow()
    const others = Array.from({ length: 199 }, (_, index) => ({
      ...token,
      name: `other ${index}`,
      token_hash: String(index).padStart(64, '0'),
    }))
    await host.db.insertInto(host.t.api_tokens).values(others).execute()
    const question = await client.get('rotate-token?name=agent')
    const refused = await client.submit(question, 'rotate-token', { overlap: '7d' })
    t.equal(refused.status, 400)
    t.match(refused.texts('[role=alert]').join(), /200/)
    const now = await client.submit(refused, 'rotate-token', { overlap: 'now' })
    t.equal(now.status, 200, 'which adds no token')
  },
)

t.test('/settings/rotate-token: 403 for whom authorize refuses', async (t) => {
  const { host, client } = await buildScreen(t, {}, { authorize: () => false })
  const token = await makeToken(host, 'agent', ['write'])
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await client.get('rotate-token?name=agent', headers)).status, 403)
  const sent = await client.post(
    'rotate-token',
    [
      ['name', 'agent'],
      ['overlap', 'now'],
    ],
    headers,
  )
  t.equal(sent.status, 403)
})
