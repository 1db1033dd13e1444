// Named tokens on the settings screen: listed, made and shown once, revoked after a question.
import t from 'tap'
import { onEachDialect } from '../../support/hosts/build.ts'
import { as, makeToken } from '../../support/hosts/named-tokens.ts'
import { buildScreen, type ScreenClient, type ScreenPage } from '../../support/hosts/screen.ts'

const open = (client: ScreenClient) => client.get('named-tokens')

async function make(client: ScreenClient, changes: Record<string, string | string[]>): Promise<ScreenPage> {
  return client.submit(await open(client), 'named-tokens', changes)
}

const shownToken = ({ document }: ScreenPage) =>
  document.querySelector<HTMLInputElement>('#made')?.value ?? ''

t.test('a token is made, shown once, listed without it, and revoked after a question', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    const made = await make(client, {
      name: 'Agent <1>',
      scopes: ['read', 'fonts:write'],
      expires: '2999-01-31',
    })
    t.equal(made.status, 200)
    t.match(made.headers['cache-control'], /no-store/)
    const token = shownToken(made)
    t.equal((await as(host, token)('GET', '/products')).status, 200)
    t.equal((await as(host, token)('POST', '/products', { title: 'x' })).body.code, 'svc_insufficient_scope')
    const list = await open(client)
    t.strictSame([list.texts('li strong'), list.texts('li code')], [['Agent <1>'], ['read, fonts:write']])
    t.match(list.texts('li .remark')[0], /^Made 20.* UTC, expires 2999-01-31 00:00 UTC, /)
    t.notMatch(list.text, token)
    const link = list.document.querySelector('main li a[href^=revoke]')?.getAttribute('href') ?? ''
    const question = await client.get(link)
    t.match(question.texts('h2')[0], 'Revoke “Agent <1>”?')
    const revoked = await client.submit(question, 'revoke-token')
    t.strictSame([revoked.status, revoked.headers.location], [303, 'named-tokens?revoked=1'])
    t.match((await client.get('named-tokens?revoked=1')).texts('[role=status]')[0], 'The token was revoked.')
    t.equal((await as(host, token)('GET', '/products')).body.code, 'svc_forbidden')
    t.equal((await client.get(link)).status, 404)
  }),
)

t.test('what cannot be used is named beside its field, and what was entered stays', async (t) => {
  const { host, client } = await buildScreen(t)
  await makeToken(host, 'taken', ['read'])
  const problems: [Record<string, string | string[]>, string, string][] = [
    [{ name: 'taken', scopes: 'read' }, 'name', 'Name is the name of another token.'],
    [{ name: 'ä', scopes: 'read' }, 'name', 'Name must be 1 to 64 ASCII characters'],
    [{ name: 'new' }, 'scopes', 'What it may do must name at least one scope.'],
    [{ name: 'new', scopes: ['read', 'all'] }, 'scopes', 'What it may do must be of'],
    [{ name: 'new', scopes: 'read', expires: '2001-01-01' }, 'expires', 'Expires must be in the future.'],
    [{ name: 'new', scopes: 'read', expires: 'soon' }, 'expires', 'Expires must be in the future.'],
    [{ name: 'new', scopes: 'read', expires: '2999-02-31' }, 'expires', 'Expires must be in the future.'],
  ]
  for (const [entered, id, message] of problems) {
    const response = await make(client, entered)
    t.strictSame([response.status, shownToken(response)], [400, ''])
    t.match(response.texts(`#${id}-problem`)[0], message)
    t.match(response.document.title, /^Error: /)
    const control = response.document.getElementById(id)
    t.equal(control?.getAttribute('aria-invalid'), 'true')
    t.match(control?.getAttribute('aria-describedby'), `${id}-problem`)
    t.equal(response.document.querySelector<HTMLInputElement>('#name')?.value, entered.name)
  }
  t.strictSame((await open(client)).texts('li strong'), ['taken'])
})

t.test('forms of other sites, users and times make and revoke nothing', async (t) => {
  let user = 'anna'
  const { host, client } = await buildScreen(t, {}, { authorize: () => user })
  const token = await makeToken(host, 'agent', ['read'])
  const list = await open(client)
  const question = await client.get('revoke-token?name=agent')
  const entered = { name: 'new', scopes: 'write' }
  for (const headers of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: undefined, 'sec-fetch-site': undefined },
  ]) {
    t.equal((await client.submit(list, 'named-tokens', entered, headers)).status, 403)
    t.equal((await client.submit(question, 'revoke-token', {}, headers)).status, 403)
  }
  t.equal((await client.submit(list, 'named-tokens', { ...entered, _form: 'x' })).status, 403)
  user = 'bert'
  const stale = await client.submit(list, 'named-tokens', entered)
  t.strictSame([stale.status, shownToken(stale)], [403, ''])
  t.equal((await client.submit(question, 'revoke-token')).status, 403)
  t.strictSame((await open(client)).texts('li strong'), ['agent'])
  t.equal((await as(host, token)('GET', '/products')).status, 200)
})

t.test('no scoped token opens the page, and authorize decides alone', async (t) => {
  const { host, client } = await buildScreen(t, {}, { authorize: () => false })
  const token = await makeToken(host, 'agent', ['write'])
  for (const path of ['named-tokens', 'revoke-token?name=agent'])
    t.equal((await client.get(path, { authorization: `Bearer ${token}` })).status, 403)
})

t.test('without the table the page says so by an empty list, and the first token makes it', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    await host.db.schema.dropTable(host.t.api_tokens).execute()
    t.ok((await open(client)).texts('main section p').includes('No named tokens yet.'))
    const made = await make(client, { name: 'agent', scopes: 'read' })
    t.equal((await as(host, shownToken(made))('GET', '/products')).status, 200)
  }),
)

t.test('the API tab and every page lead to it', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('api')
  t.equal(page.document.querySelectorAll('a[href="named-tokens"]').length, 2)
})

t.test(
  'GET /settings/named-tokens?preset=…: the form is filled in, and makes a token with these rights',
  async (t) => {
    const { host, client } = await buildScreen(t)
    const links = [...(await open(client)).document.querySelectorAll('#section-new a, a[href*="preset="]')]
    const targets = new Set(links.map((link) => link.getAttribute('href') ?? ''))
    t.strictSame(
      [...targets],
      ['reader', 'editor', 'print-room', 'agent'].map((name) => `named-tokens?preset=${name}#section-new`),
    )
    const filled = await client.get('named-tokens?preset=print-room')
    const made = await client.submit(filled, 'named-tokens')
    t.strictSame(made.texts('li strong'), ['print-room'])
    t.strictSame(made.texts('li code'), ['read, orders:write, print_jobs:write'])
    const send = as(host, shownToken(made))
    t.equal((await send('GET', '/orders?type=shortcode')).status, 200)
    t.equal((await send('POST', '/products', { title: 'x' })).body.code, 'svc_insufficient_scope')
    const unknown = await client.get('named-tokens?preset=constructor')
    t.equal(unknown.document.querySelector<HTMLInputElement>('#name')?.value, '')
  },
)
