// The family, variant and file of a font, from the client's names and from stored files.
import t from 'tap'
import { familyKey, fontFile, fontName, fontOfFile } from '../../../../src/files/font/file-names.ts'

t.test('the family of a font is its name field, else the stem with spaces for underscores', async (t) => {
  t.same(fontName('Open_Sans.ttf'), { family: 'Open Sans', variant: undefined, file: 'Open_Sans.ttf' })
  t.same(fontName('x.TTF', ' Foo Two '), { family: 'Foo Two', variant: undefined, file: 'Foo_Two.ttf' })
  t.same(fontName('a/b\\Foo.ttf', ''), { family: 'Foo', variant: undefined, file: 'Foo.ttf' })
})

t.test('the suffix of the name field determines the variant, else the suffix of the file name', async (t) => {
  t.same(fontName('Open_Sans__bold.ttf'), {
    family: 'Open Sans',
    variant: 'bold',
    file: 'Open_Sans__bold.ttf',
  })
  t.same(fontName('x__BoldItalic.ttf', 'Foo'), {
    family: 'Foo',
    variant: 'bolditalic',
    file: 'Foo__bolditalic.ttf',
  })
  t.equal(fontName('x__italic.ttf', 'Foo').file, fontFile('Foo', 'italic'))
  const bold = { family: 'Foo Two', variant: 'bold', file: 'Foo_Two__bold.ttf' }
  t.same(fontName('x.ttf', 'Foo Two__BOLD'), bold)
  t.same(fontName('x__italic.ttf', ' Foo_Two__bold '), bold)
})

t.test('a name that could be mistaken for another family or variant is rejected', async (t) => {
  const names = [
    'Foo__thin',
    'Foo__bold__italic',
    '__bold',
    'Foo  Bar',
    'Foo _Bar',
    'Foo/../Bar',
    '..',
    '.',
    '*',
    'Foo\0',
    '-Foo',
    'Foo.',
    'Foo_',
    'a'.repeat(101),
    '字'.repeat(99),
  ]
  for (const name of names)
    t.throws(() => fontName('x.ttf', name), { code: 'svc_upload_rejected' }, JSON.stringify(name))
  for (const file of ['__bold.ttf', '.ttf', 'Foo__x.ttf', 'Foo__bold__italic.ttf'])
    t.throws(() => fontName(file), { code: 'svc_upload_rejected' }, file)
})

t.test(
  'fontName: a name with the extension of a program or a page inside is rejected, which servers could run',
  async (t) => {
    const extensions =
      'php PHP php5 phtml phar pht cgi pl py rb sh bash dash zsh asp aspx jsp shtml html htm xhtml svg js mjs xml swf'.split(
        ' ',
      )
    for (const extension of extensions) {
      for (const name of [
        `Foo.${extension}`,
        `Foo.${extension}.bar`,
        `Foo.${extension} Two`,
        `Foo.${extension}-2`,
      ]) {
        t.throws(() => fontName('x.ttf', name), { code: 'svc_upload_rejected', message: /extension/ }, name)
        t.throws(() => fontName(`${name}__bold.ttf`), { code: 'svc_upload_rejected' }, name)
      }
    }
    for (const name of ['Foo.\uff50hp', 'Foo.\u017fhtml'])
      t.throws(
        () => fontName('x.ttf', name),
        { code: 'svc_upload_rejected' },
        'look-alikes that a folder may fold',
      )
    for (const family of ['Php', 'St. Pylon', 'Foo.Phpism', 'Foo 1.5', 'Plus Jakarta.Sans', 'js Math.cmr10'])
      t.equal(fontName('x.ttf', family).family, family)
  },
)

t.test('fontName: only .ttf files are fonts', async (t) => {
  for (const file of ['Foo.otf', 'Foo.ttf.php', 'Foo', 'Foo.ttf '])
    t.throws(() => fontName(file), { code: 'svc_upload_type_not_allowed' }, file)
})

t.test(
  'fontName: letters of all scripts, digits, dots and hyphens may be in a family, up to 100 characters',
  async (t) => {
    for (const family of ['Ünïcödé 2', 'Source-Sans 3.0', 'a'.repeat(100), 'Кириллица', 'A'])
      t.equal(fontName('x.ttf', family).family, family)
    t.equal(fontName('x.ttf', 'Stra\u0308sse').family, 'Str\u00e4sse')
    t.throws(() => fontName('x.ttf', 'a'.repeat(101)), { message: /at most 100/ })
    // A file system counts bytes.
    const fits = '\u4e3c'.repeat(73)
    t.equal(fontName('x.ttf', `${fits}a`).family, `${fits}a`)
    t.throws(() => fontName('x.ttf', `${fits}ab`), { message: /at most 100/ })
  },
)

t.test('fontName: families that differ only in case have the same key', async (t) => {
  t.equal(familyKey('FOO Bar'), familyKey('foo bar'))
  t.not(familyKey('Foo'), familyKey('Foobar'))
})

t.test('a file in the folder tells its family and variant, whoever put it there', async (t) => {
  t.same(fontOfFile('Open_Sans__bolditalic.ttf'), { family: 'Open Sans', variant: 'bolditalic' })
  t.same(fontOfFile('we!rd_(1).ttf'), { family: 'we!rd (1)', variant: undefined })
  t.equal(fontOfFile('readme.txt'), undefined)
  t.equal(fontOfFile('.hidden.ttf'), undefined)
})
