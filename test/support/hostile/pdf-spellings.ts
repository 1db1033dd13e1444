// Notations for the parts of a PDF that programs read differently.

/** References to object 9. */
export const referenceForms = (
  '9 0 R¦+9 0 R¦9 -0 R¦9.0 0 R¦9. 0 R¦--9 0 R¦-+9 0 R¦9 +0 R¦9 0.0 R¦9E0 0 R¦9 0E0 R¦09 0 R¦9 00 R¦' +
  '9 0R¦9%\n0 R¦9 0%x\nR¦9 0 %\rR¦9\f0\0R¦9\v0 R¦9 0\vR¦9 0 R%¦4294967305 0 R¦9 0 Rx¦9-0 0 R¦' +
  '9 0- R¦9- 0 R¦9 65536 R¦9 0 R 1¦1-2 9 0 R¦9 0 r¦+9 0R¦9 1-1 R¦9\b0 R¦9 0 R\x1b'
).split('¦')

/** The type of an action that runs a script. */
export const nameForms = (
  '/J#61vaScript¦/#4aavaScript¦/#4AavaScript¦/JavaScript\v¦/JavaScript#00¦/#4JavaScript¦' +
  '/JavaScript#¦/ JavaScript¦/\0JavaScript¦/JavaScript\x7f¦/JavaScript{¦/JavaScript%\n¦' +
  '//JavaScript¦/JavaScript(x)¦/Java#53#63ript¦/JavaScript#20'
).split('¦')

/** Possible separators in a dictionary. */
export const filler = (
  '!¦\v¦%\n¦1¦null¦-¦+¦.¦1-2¦--1¦]¦>¦)¦}¦{¦<00>¦<zz>¦<%\n>¦(¦/X¦/X /Y¦/¦R¦0 R¦9 0 R¦obj¦endobj¦>>¦' +
  '<<>>¦\xa0¦\x80¦\x1f¦[¦<<¦\\¦(\\)¦(\\\\)¦<0¦stream¦1e5¦#¦/#'
).split('¦')

/** Possible separators between the keyword `stream` and its data. */
export const lineEnds = '\r\n¦\r¦ \n¦x\n¦\t\r\n¦%c\n¦¦\n\n¦\r\r\n¦ ¦\n\r¦\0\n¦\v\n¦s\n¦ \r'.split('¦')

/** Filters; object 15 is the name of one. */
export const filterForms = (
  '[/FlateDecode]¦[[/FlateDecode]]¦15 0 R¦[15 0 R]¦/Fl¦[/Fl]¦[null /FlateDecode]¦' +
  '/Flate#44ecode¦[/FlateDecode null]¦(FlateDecode)'
).split('¦')

/** Type entries of an object stream. */
export const packedForms = (
  '/N 1 /First 4¦/N 1¦/First 4¦/Type /XObject /N 1 /First 4¦' +
  '/Type /ObjStm /Type /X /N 1 /First 4¦/Type 15 0 R /N 1 /First 4'
).split('¦')

/** How an object stream declares the offsets of its objects. */
export const headerForms = (
  '+9 0 ¦9 0.0 ¦9.0 0 ¦9%\n0 ¦9 -0 ¦9 1 ¦9 0 8 4 ¦09 00 ¦9\v0 ¦9 0E0 ¦7 0 9 0 ¦(9) 0 ¦9 0%¦' + '9 99999 '
).split('¦')

/** URLs that run a script or open a file. */
export const urls = (
  '(javascript:1)¦(JavaScript:1)¦( java\\nscript:1)¦(java\\\nscript:1)¦' +
  '<6a6176617363726970743a31>¦(\\152avascript:1)¦(\\376\\377\\000f\\000i\\000l\\000e\\000:)¦' +
  '(file:///etc/passwd)¦(\\001javascript:1)¦<6a 61 76 61 73 63 72 69 70 74 3a 3>¦' +
  '(data:text/html,1)¦(\\\\\\\\server\\\\x)'
).split('¦')

/** Files on other machines. */
export const linkTargets = (
  '(\\\\\\\\server\\\\x)¦(//server/x)¦<5c5c7365727665725c78>¦<< /F (\\\\\\\\server\\\\x) >>¦' +
  '<< /Type /Filespec /UF (//server/x) /F (x) >>¦(http://server/x)¦(\\134\\134server\\134x)¦' +
  '<< /FS /URL /F (http://server/x) >>¦(file://server/x)¦(\\\\/server/x)'
).split('¦')

/** Filter parameters; object 15 is the omitted value. */
export const parameterForms = (
  '<< /Predictor 12 /Columns COLUMNS >>¦[<< /Predictor 12 /Columns COLUMNS >>]¦' +
  '[null << /Predictor 12 /Columns COLUMNS >>]¦[<< /Predictor 12 /Columns COLUMNS >> null]¦' +
  '15 0 R¦[15 0 R]¦<< /Predictor 15 0 R /Columns COLUMNS >>¦' +
  '<< /Predictor 12 /Columns 15 0 R >>¦<< /Predictor 1 /Predictor 12 /Columns COLUMNS >>¦' +
  '<< /Predictor 12 /Predictor 1 /Columns COLUMNS >>¦' +
  '<< /Predictor 12 /Columns 1 /Columns COLUMNS >>¦' +
  '<< /Predictor 12 /Columns COLUMNS /Columns 1 >>¦<< /Predictor +12 /Columns COLUMNS >>¦' +
  '<< /Predictor 12.0 /Columns COLUMNS.0 >>¦<< /Predictor 12 /Columns COLUMNS /Colors 1.0 >>¦' +
  '<< /Predictor 12 /Columns 1 /Colors COLUMNS >>¦' +
  '<< /Predictor 12 /Columns DOUBLE /BitsPerComponent 4 >>¦' +
  '<< /Pred#69ctor 12 /Columns COLUMNS >>¦<< /Predictor 1-2 /Columns COLUMNS >>¦' +
  '<< /Predictor 12 /Columns COLUMNS-0 >>¦<< /Predictor 2 /Columns COLUMNS >>¦' +
  '<< /Predictor 99 /Columns COLUMNS >>'
).split('¦')

/** Ways to write a number or another direct value that only some programs understand. */
export const oddly = (value: string) => [
  `+${value}`,
  `-0${value}`,
  `${value}.0`,
  `${value}.`,
  `${value}-0`,
  `0${value}`,
  `${value}E0`,
  '15 0 R',
  '[15 0 R]',
  `[${value}]`,
  `%\n${value}`,
  `${value}%`,
  `(${value})`,
  `null ${value}`,
  `${value} ${value}`,
  `\v${value}`,
  `${value}\v`,
  '-1',
  'null',
  '4294967296',
  '99 0 R',
]

/** Replacements for random combinations. */
export const changes: readonly [from: RegExp, to: readonly string[]][] = [
  [/9 0 R/, referenceForms],
  [/9 0 obj/, referenceForms.map((reference) => reference.replace(/R/i, 'obj'))],
  [/\/JavaScript/, nameForms],
  [/ \/S/, filler.map((noise) => ` ${noise} /S`)],
  [/ \/JS/, filler.map((noise) => ` ${noise} /JS`)],
  [/stream\n/, lineEnds.map((end) => `stream${end}`)],
  [/\/N 1/, oddly('1').map((value) => `/N ${value}`)],
  [/\/First 4/, oddly('4').map((value) => `/First ${value}`)],
  [/\/W \[1 4 2\]/, ['/W 15 0 R', '/W [1 4.0 2]', '/W [+1 4 2]']],
  [/endobj/, ['', 'endobj %', 'endob', '(endobj', 'endobj\0']],
  [/startxref\n\d+/, ['startxref\n0', 'startxref\n9', 'startxref 1-2', 'xref']],
]
