// Names and values of the options of legacy installations.
import t from 'tap'
import type { Encoder } from '../../../src/db/encoder.ts'
import { parseExact } from '../../../src/json/parse.ts'
import { encodeImportRecord, fingerprint, readImportRecord } from '../../../src/legacy/import-record.ts'
import { parseOption, validName } from '../../../src/legacy/rows.ts'

t.test(
  'a name from PHP is trimmed, cut after 255 characters, and replaced where there is none',
  async (t) => {
    t.equal(validName(' A ', 'other'), 'A')
    t.equal(validName('😀'.repeat(300), 'other'), '😀'.repeat(255))
    for (const none of ['', '  ', 5, null, undefined]) t.equal(validName(none, 'other'), 'other')
  },
)

t.test('values that PHP cannot tell apart have the same fingerprint, others do not', async (t) => {
  t.equal(fingerprint({ a: {} }), fingerprint({ a: [] }))
  t.equal(fingerprint(undefined), fingerprint(null))
  t.equal(fingerprint(['x']), fingerprint({ 0: 'x' }))
  const others = [{ a: 1 }, { a: '1' }, { a: 1.5 }, { b: 1 }, [1], null]
  t.equal(new Set(others.map(fingerprint)).size, others.length)
})

t.test('a value that PHP could not hold has a fingerprint, too', async (t) => {
  const huge = [parseExact('1e999'), '\ud800']
  t.match(fingerprint(huge), /^[\w-]{27}$/)
  t.not(fingerprint(huge), fingerprint([]))
})

t.test('an option is read in any of its encodings, or not at all', async (t) => {
  t.same(parseOption('a:1:{s:1:"a";i:1;}', '{}'), { a: 1 })
  t.same(parseOption('{\\"a\\":1}', '{}'), { a: 1 })
  t.same([parseOption(undefined, '{}'), parseOption('', '[]')], [{}, []])
  t.equal(parseOption('{broken', '{}'), undefined)
  t.same(
    [readImportRecord(undefined), readImportRecord('{broken'), readImportRecord('{"shown":"x"}')],
    [{}, {}, { shown: 'x' }],
  )
})

t.test(
  'readImportRecord: reads the lists of rules that encodeImportRecord wrote, as earlier versions stored them',
  async (t) => {
    const stored = '{"shown":"x","pricing_rules":{"row":"r","generations":[[[1,"A","t"]],[]]}}'
    const record = readImportRecord(stored)
    t.same(record, { shown: 'x', pricing_rules: { row: 'r', lists: [[{ id: 1, name: 'A', tag: 't' }], []] } })
    const encoder = { json: (...values: unknown[]) => JSON.stringify(values.at(-1)) } as unknown as Encoder
    t.equal(encodeImportRecord(encoder, record), stored)
    t.equal(encodeImportRecord(encoder, readImportRecord('{"pricing_rules":true}')), '{"pricing_rules":true}')
  },
)
