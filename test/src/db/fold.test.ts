// Case folding, compared with every character of Unicode.
import t from 'tap'
import { contains, fold } from '../../../src/db/fold.ts'

/** All code points that are characters of their own: no halves of surrogate pairs. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

/** Those that casing or folding could move at all; every other character can only be like itself. */
const cased = characters.filter((character) => /[\p{CWCM}\p{CWCF}]/u.test(character))

const sameAfterNfc = (a: string, b: string) =>
  new RegExp(`^${a.normalize('NFC')}$`, 'iu').test(b.normalize('NFC'))

t.test('characters fold alike exactly when an ignore-case expression matches them', async (t) => {
  t.ok(cased.length > 2500)
  const all = cased.join('')
  const groups = Map.groupBy(cased, fold)
  const different: string[] = []
  for (const character of cased) {
    const alike = all.match(new RegExp(character, 'giu'))
    const folded = groups.get(fold(character)) ?? []
    // Beyond the expression, what is one character in NFC is one here.
    const more = folded.filter((other) => !alike?.includes(other) && !sameAfterNfc(character, other))
    const less = alike?.filter((other) => !folded.includes(other)) ?? []
    if (more.length + less.length > 0) different.push(`${character}: ${more} / ${less}`)
  }
  t.strictSame(different, [])
})

t.test('a character without case folds as its NFC form', async (t) => {
  const moving = new Set(cased)
  const wrong = characters.filter((character) => {
    const form = character.normalize('NFC')
    return !moving.has(character) && fold(character) !== (form === character ? character : fold(form))
  })
  t.strictSame(wrong, [])
})

t.test('folding twice is folding once', async (t) => {
  t.strictSame(
    characters.filter((character) => fold(fold(character)) !== fold(character)),
    [],
  )
})

t.test(
  'characters fold to one character each, so that a folded string is as long as its NFC form',
  async (t) => {
    const longer = characters.filter(
      (character) => [...fold(character)].length !== [...character.normalize('NFC')].length,
    )
    t.strictSame(longer, [])
  },
)

t.test('words compare as people expect, in simple folding', async (t) => {
  for (const [a, b] of [
    ['ÄPFEL', 'äpfel'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΣΑΣ', 'σας'],
    ['STRAẞE', 'straße'],
    ['Ǆ', 'ǅ'],
    ['A\u0308', 'ä'],
    ['\u212a', 'k'],
    ['ДОМ', 'дом'],
    ['\u{10400}', '\u{10428}'],
  ]) {
    t.equal(fold(`${a}`), fold(`${b}`), `${a} ${b}`)
  }
  for (const [a, b] of [
    ['Straße', 'Strasse'],
    ['İ', 'i'],
    ['ı', 'I'],
    ['ﬁ', 'fi'],
    ['é', 'e'],
    ['Æ', 'AE'],
    ['１', '1'],
  ]) {
    t.not(fold(`${a}`), fold(`${b}`), `${a} ${b}`)
  }
})

t.test('a term is found anywhere in a string, ignoring case, and nothing is a wildcard', async (t) => {
  t.ok(contains('Grüne ÄPFEL', 'äpf'))
  t.ok(contains('A\u0308pfel', 'ä'))
  t.ok(contains('100%_\\', '%_\\'))
  t.notOk(contains('100', '%'))
  t.notOk(contains(null, 'x'))
  t.ok(contains(null, ''))
})
