// Schema of the renderer options.
import type { TSchema } from '@sinclair/typebox'
import { booleanOption, folderOption, optionsObject, seconds, wholeNumber } from '../core/check-options.ts'
import { Type } from '../core/typebox.ts'
import { fits } from './page.ts'
import type { RendererOptions } from './renderer-options.ts'
import type { SheetOptions } from './sheet.ts'

const must = 'be true, false or an object such as { fonts: { Arial: "Liberation Sans" } }'

const millimetres = (minimum: number, maximum: number) =>
  Type.Optional(
    Type.Number({ minimum, maximum, must: `be a number of millimetres from ${minimum} to ${maximum}` }),
  )

const sheetOption = optionsObject(
  {
    width: millimetres(10, 5000),
    height: millimetres(10, 5000),
    margin: millimetres(0, 500),
    gap: millimetres(0, 500),
    rotate: Type.Optional(booleanOption),
    marks: Type.Optional(booleanOption),
  } satisfies Record<keyof SheetOptions, TSchema>,
  'be an object such as { width: 450, height: 320, gap: 6 }',
)

export const rendererOption = Type.Union(
  [
    Type.Boolean(),
    optionsObject(
      {
        fonts: Type.Optional(
          Type.Record(Type.String(), Type.String({ minLength: 1 }), {
            must: 'be an object that names an uploaded font for each other name',
          }),
        ),
        fit: Type.Optional(
          Type.Union(
            fits.map((fit) => Type.Literal(fit)),
            { must: `be one of ${fits.join(', ')}` },
          ),
        ),
        strictFonts: Type.Optional(booleanOption),
        emoji: Type.Optional(folderOption),
        color: Type.Optional(
          Type.Union([Type.Literal('rgb'), Type.Literal('pdfx4')], { must: 'be rgb or pdfx4' }),
        ),
        profile: Type.Optional(Type.String({ minLength: 1, must: 'be the path of an ICC profile' })),
        profiles: Type.Optional(
          Type.Record(Type.String(), Type.String({ minLength: 1 }), {
            must: 'be an object with the path of an ICC profile for each name',
          }),
        ),
        condition: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, must: 'be the name of a printing condition' }),
        ),
        overprintBlack: Type.Optional(booleanOption),
        maxInk: Type.Optional(wholeNumber('percent of all inks together', 400)),
        seconds: Type.Optional(seconds(3600)),
        megabytes: Type.Optional(wholeNumber('a number of megabytes', 65_536)),
        megapixels: Type.Optional(wholeNumber('a number of megapixels', 500)),
        sheet: Type.Optional(sheetOption),
        pages: Type.Optional(wholeNumber('a number of pages', 10_000)),
        jobs: Type.Optional(wholeNumber('a number of designs', 64)),
        waiting: Type.Optional(wholeNumber('a number of designs', 10_000)),
        beforeService: Type.Optional(booleanOption),
      } satisfies Record<keyof RendererOptions, TSchema>,
      must,
    ),
  ],
  { must },
)
