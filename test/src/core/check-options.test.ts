// What is said about invalid options: one sentence, about the part that is wrong.
import { Type } from '@sinclair/typebox'
import t from 'tap'
import {
  booleanOption,
  checkOptions,
  functionOption,
  oneOf,
  optionsObject,
  stringOption,
} from '../../../src/core/check-options.ts'

const inner = optionsObject(
  { name: stringOption, on: Type.Optional(booleanOption) },
  'be an object with a name',
)
const schema = optionsObject(
  {
    form: Type.Optional(Type.Union([Type.Boolean(), inner], { must: 'be true, false or an object' })),
    list: Type.Optional(Type.Array(inner, { minItems: 1, must: 'be an array of objects' })),
    byName: Type.Optional(Type.Record(Type.String(), stringOption, { must: 'be an object of strings' })),
    color: Type.Optional(oneOf(['rgb', 'pdfx4'], 'be rgb or pdfx4')),
    listener: Type.Optional(functionOption()),
  },
  'be an object',
)

const said = (options: unknown) => {
  try {
    checkOptions(schema, options)
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

t.test('checkOptions: the sentence is about the innermost part that is wrong', async (t) => {
  const expected: [unknown, string][] = [
    [{ form: 5 }, 'form: must be true, false or an object.'],
    [{ form: {} }, 'form.name: must be a string.'],
    [{ form: { name: 'a', on: 1 } }, 'form.on: must be true or false.'],
    [{ form: { name: 'a', no: 1 } }, 'form.no is not an option; known are name, on.'],
    [{ list: [] }, 'list: must be an array of objects.'],
    [{ list: [{ name: 'a' }, { name: 5 }] }, 'list[1].name: must be a string.'],
    [{ list: [{ name: 'a' }, 7] }, 'list[1]: must be an object with a name.'],
    [{ byName: [] }, 'byName: must be an object of strings.'],
    [{ byName: { a: 1 } }, 'byName.a: must be a string.'],
    [{ color: 'cmyk' }, 'color: must be rgb or pdfx4.'],
    [{ listener: {} }, 'listener: must be a function.'],
    [[], 'The options: must be an object.'],
    [null, 'The options: must be an object.'],
  ]
  for (const [options, sentence] of expected) t.equal(said(options), sentence)
})

t.test('checkOptions: an unknown name is told first, since it explains what is missing', async (t) => {
  t.match(said({ color: 'cmyk', lsitener: 5 }), /^lsitener is not an option \(did you mean listener\?\)/)
  t.match(
    said({ list: [{ nmae: 'a' }] }),
    /^list\[0\]\.nmae is not an option \(did you mean list\[0\]\.name\?\)/,
  )
  t.match(said({ formation: true }), /^formation is not an option; known are form, list, /)
  t.match(said({ toString: true }), /^toString is not an option; /)
})

t.test('checkOptions: undefined is the same as absent, whatever its name', async (t) => {
  const options = { form: { name: 'a', on: undefined, other: undefined }, color: undefined, other: undefined }
  t.equal(said(options), 'accepted')
})

t.test('checkOptions: a class, and what options inherit, are accepted', async (t) => {
  class Inner {
    name = 'a'
  }
  t.equal(said({ form: new Inner(), list: [Object.create({ name: 'a' })] }), 'accepted')
})

t.test(
  'checkOptions: a missing option is reported as such after an earlier call with an invalid one',
  async (t) => {
    const required = optionsObject({ form: inner }, 'be an object')
    t.throws(() => checkOptions(required, { form: { name: 5 } }), { message: 'form.name: must be a string.' })
    t.throws(() => checkOptions(required, {}), { message: 'form: must be an object with a name.' })
  },
)

t.test('checkOptions: a value is never repeated', async (t) => {
  const secret = 'whsec_c2VjcmV0'
  for (const options of [{ form: secret }, { list: [secret] }, { color: secret }, { listener: secret }])
    t.notMatch(said(options), secret)
})
