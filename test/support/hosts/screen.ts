// The settings screen as a browser without scripts uses it: reads a page, fills in a form, sends what a browser would send.
import type { FastifyInstance } from 'fastify'
import { JSDOM } from 'jsdom'
import type { Test } from 'tap'
import { type SettingsScreenOptions, svcSettingsScreen } from '../../../plugins/index.ts'
import { type BuildOptions, build, type TestHost } from './build.ts'

export interface ScreenPage {
  status: number
  headers: Record<string, string | undefined>
  text: string
  document: JSDOM['window']['document']
  /** Text of all elements that match, without surrounding whitespace. */
  texts(selector: string): string[]
}

type Headers = Record<string, string | undefined>
type Pairs = [name: string, value: string][]

/** Changed fields: undefined takes a field out of the form, an array sends it several times. */
export type Changes = Record<string, string | string[] | undefined>

export const sameOrigin: Headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }

export function screenClient(app: FastifyInstance, { prefix = '/settings', headers = {} as Headers } = {}) {
  let cookie: string | undefined

  async function send(
    method: 'GET' | 'POST',
    path: string,
    payload?: string | Buffer,
    extra: Headers = {},
  ): Promise<ScreenPage> {
    const all = { host: 'localhost', cookie, ...headers, ...extra }
    const {
      statusCode,
      headers: received,
      body,
    } = await app.inject({
      method,
      url: `${prefix}/${path}`,
      headers: Object.fromEntries(Object.entries(all).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
      ...(payload === undefined ? {} : { payload }),
    })
    const given = [received['set-cookie']].flat()[0]
    if (given) cookie = given.split(';', 1)[0]
    // Parsing takes long, and many responses are only looked at from outside.
    let parsed: ScreenPage['document'] | undefined
    const document = () => {
      parsed ??= new JSDOM(body).window.document
      return parsed
    }
    return {
      status: statusCode,
      headers: received as Headers,
      text: body,
      get document() {
        return document()
      },
      texts: (selector) =>
        Array.from(document().querySelectorAll(selector), (one) =>
          (one.textContent ?? '').trim().replace(/\s+/g, ' '),
        ),
    }
  }

  const get = (path: string, extra?: Headers) => send('GET', path, undefined, extra)

  const post = (path: string, pairs: Pairs, extra: Headers = {}) =>
    send('POST', path, new URLSearchParams(pairs).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      ...sameOrigin,
      ...extra,
    })

  /** Sends the form of a page with this action, else its first one, with changes to some of its fields. */
  const submit = (page: ScreenPage, path: string, changes: Changes = {}, extra?: Headers) =>
    post(path, pairsOf(page, path, changes), extra)

  return {
    get,
    post,
    submit,
    send,
    /** Reads a tab, sends its form with changes, and follows where that leads. */
    async save(tab: string, changes: Changes = {}): Promise<ScreenPage> {
      const response = await submit(await get(tab), tab, changes)
      return response.status === 303 ? get(response.headers.location ?? '') : response
    },
    forgetCookie: () => {
      cookie = undefined
    },
  }
}

export type ScreenClient = ReturnType<typeof screenClient>

/** What a browser sends for the form of a page: boxes only where ticked, line breaks as CRLF. */
function pairsOf({ document }: ScreenPage, action: string, changes: Changes = {}): Pairs {
  const forms = [...document.querySelectorAll('main form')]
  const form = forms.find((each) => each.getAttribute('action') === action) ?? forms[0]
  const window = document.defaultView
  if (!form || !window) throw new Error('The page has no form.')
  const sent = [...new window.FormData(form as never).entries()].map(([name, value]): [string, string] => [
    name,
    String(value).replace(/\r\n|\r|\n/g, '\r\n'),
  ])
  const kept = sent.filter(([name]) => !Object.hasOwn(changes, name))
  const added = Object.entries(changes).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return [...kept, ...added]
}

/** The stored text of each option row, by key. */
export async function rowsOf({ db, t }: TestHost): Promise<Record<string, string>> {
  const rows = await db.selectFrom(t.options).select(['option_name', 'option_value']).execute()
  return Object.fromEntries(
    rows
      .filter(({ option_name }) => !/^svc_(?:guard_|etag_key$)/.test(option_name))
      .map((row) => [row.option_name, row.option_value ?? '']),
  )
}

/** Writes option rows as PHP does, past the API. */
export async function store({ db, t }: TestHost, rows: Record<string, string>): Promise<void> {
  for (const [option_name, option_value] of Object.entries(rows)) {
    await db.deleteFrom(t.options).where('option_name', '=', option_name).execute()
    await db.insertInto(t.options).values({ option_name, option_value, autoload: 'yes' }).execute()
  }
}

/** A host with the API and the settings screen under `/settings`. */
export async function buildScreen(
  t: Test,
  options: BuildOptions = {},
  screen: Partial<SettingsScreenOptions> = {},
): Promise<{ host: TestHost; client: ScreenClient }> {
  const host = await build(t, {
    ...options,
    after: (app) => {
      options.after?.(app)
      app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true, ...screen })
    },
  })
  return { host, client: screenClient(host.app) }
}

/** Where the links of its frame lead from the path of a page: style, script and navigation. */
export function frameLinks({ document }: ScreenPage, path: string): string[] {
  const links = document.querySelectorAll(
    'head link:not([rel=icon]), head script, header form, .columns > nav a',
  )
  return Array.from(links, (link) => {
    const to = link.getAttribute('href') ?? link.getAttribute('src') ?? link.getAttribute('action') ?? ''
    return new URL(to, `http://localhost${path}`).pathname
  })
}
