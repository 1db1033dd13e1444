// Whose orders are erased: those of exactly this address, whatever similar addresses other customers have.
import fc from 'fast-check'
import t from 'tap'
import { isLikeMail, isMailOf, mentionsMail, plainMail } from '../../../src/orders/customer-mail.ts'
import { customers } from '../../support/fixtures/customers.ts'
import { onEachEngine } from '../../support/hosts/build.ts'

const part = fc.string({
  unit: fc.constantFrom(...'abkszAKSZ019._%+-!äÄßéİıŉ\u212aſ'),
  minLength: 1,
  maxLength: 12,
})
const mails = fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}.example`)

const upper = (text: string) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
const around = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', '\0', '\v'), maxLength: 3 })

/** The same address in other spellings. */
const same = (mail: string) =>
  fc
    .tuple(
      around,
      fc.constantFrom(
        mail,
        upper(mail),
        upper(mail).replace(/[A-M]/g, (c) => c.toLowerCase()),
      ),
      around,
    )
    .map((parts) => parts.join(''))

/** Addresses of other customers. */
const others = (mail: string) => {
  const [local = '', domain = ''] = mail.split('@')
  const list = [
    `${local}+x@${domain}`,
    `x${mail}`,
    `${mail}x`,
    `${mail}.`,
    mail.replace('@', ' @'),
    `${mail}\u00a0`,
    `\u200b${mail}`,
    mail.replace(/.@/, '_@'),
    mail.replace(/.@/, '%@'),
    '%',
    `%@${domain}`,
    `_${mail.slice(1)}`,
    mail.replace('@', '＠'),
    mail.normalize('NFD'),
    mail.normalize('NFKC'),
    mail.replace(/[\u0080-\uffff]+/g, (text) => text.toUpperCase()),
    mail.replace(/[\u0080-\uffff]+/g, (text) => text.toLowerCase()),
    mail.replace(/k/i, '\u212a'),
    mail.replace(/s/i, 'ſ'),
    mail.replace('ä', 'a'),
    mail.replace('ß', 'ss'),
    mail.replace('.', ''),
    `${mail},b@b.example`,
    `Ada <${mail}>`,
    '',
  ]
  const isOther = (text: string) => upper(text) !== upper(mail)
  return fc.constantFrom(...list.filter(isOther))
}

t.test(
  'orders of the address are erased, those of similar addresses are not touched',
  { timeout: 120_000 },
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { host, stored, erase } = await customers(t, engine)
      const shops = mails.chain((mail) =>
        fc.record({
          mail: fc.constant(mail),
          sought: same(mail),
          mine: fc.array(same(mail), { maxLength: 4 }),
          others: fc.array(others(mail), { minLength: 1, maxLength: 8 }),
        }),
      )
      const check = fc.asyncProperty(shops, async ({ sought, mine, others }) => {
        await host.db.deleteFrom(host.t.orders).execute()
        const ids: number[] = []
        for (const customer_mail of mine) ids.push(await stored({ customer_mail }))
        for (const customer_mail of others) await stored({ customer_mail })
        const rows = () =>
          host.db
            .selectFrom(host.t.orders)
            .selectAll()
            .where('ID', 'not in', [0, ...ids])
            .orderBy('ID')
            .execute()
        const before = await rows()
        const found = await erase({ mail: sought })
        t.same(found.orders, ids)
        t.same(await rows(), before)
      })
      await fc.assert(check, { numRuns: engine === 'SQLite' ? 60 : 25 })
    }),
)

t.test('similar addresses are recognized as such, so that a person can decide', async (t) => {
  const mail = plainMail('Kästner@Shop.example')
  for (const stored of [
    'Ka\u0308stner@shop.example',
    'KÄSTNER@shop.example',
    '\u212aästner@shop.example',
    'kästner @shop.example',
    'kästner＠shop.example',
    'kästner@shop.example\u00a0',
  ])
    t.same([isMailOf(mail, stored), isLikeMail(mail, stored)], [false, true], stored)
  for (const stored of ['kastner@shop.example', 'kästner+x@shop.example', 'KäSTNER@SHOP.EXAMPLE', null])
    t.notOk(isLikeMail(mail, stored), String(stored))
})

t.test('a text mentions an address if it contains it whole', async (t) => {
  const mentions = [
    'ADA@shop.example',
    '<ada@shop.example>',
    '"ada@shop.example"',
    'to ada@shop.example.',
    'bada@shop.example, ada@shop.example;',
  ]
  for (const text of mentions) t.ok(mentionsMail('ada@shop.example', text), text)
  for (const text of [
    'bada@shop.example',
    'x.ada@shop.example',
    'äada@shop.example',
    'ada@shop.example.org',
    'ada@shop.examples',
    'ada@shop.example-x',
    '',
    null,
  ])
    t.notOk(mentionsMail('ada@shop.example', text), String(text))
})
