// Declares the options of the built-in renderer (`renderer` of the root plugin).
import { Type } from '@sinclair/typebox'
import {
  booleanOption,
  folderOption,
  type OptionsOf,
  oneOf,
  optionsObject,
  seconds,
  wholeNumber,
} from '../core/check-options.ts'
import { fits } from './page.ts'

/** Which neutral grays are printed with black ink alone: those of text and thin lines, those of fills as well, or only black itself. */
const blackInks = ['text', 'all', 'none'] as const
export type BlackInk = (typeof blackInks)[number]

/** The rule for the option itself, as messages state it. */
const must = 'be true, false or an object such as { fonts: { Arial: "Liberation Sans" } }'

const millimetres = (minimum: number, maximum: number) =>
  Type.Optional(
    Type.Number({ minimum, maximum, must: `be a number of millimetres from ${minimum} to ${maximum}` }),
  )

const stringsByName = (item: string, must: string) =>
  Type.Record(Type.String(), Type.String({ minLength: 1, must: item }), { must })

const sheetOptions = optionsObject(
  {
    /** Millimetres of the whole sheet; default 450, which with a height of 320 is SRA3. */
    width: millimetres(10, 5000),
    /** Millimetres of the whole sheet; default 320. */
    height: millimetres(10, 5000),
    /** Millimetres along each edge that stay free; default 10. */
    margin: millimetres(0, 500),
    /** Millimetres between the bleeds of two pages; default 6. */
    gap: millimetres(0, 500),
    /** Pages may be turned by 90 degrees where more of them fit; default true. */
    rotate: Type.Optional(booleanOption),
    /** Crop marks at each page; default true. */
    marks: Type.Optional(booleanOption),
  },
  'be an object such as { width: 450, height: 320, gap: 6 }',
)

/** The sheets on which an export puts the pages of a file, and on which `svc-api impose` puts those of orders. */
export interface SheetOptions extends OptionsOf<(typeof sheetOptions)['properties']> {}

const rendererOptions = optionsObject(
  {
    /** Uploaded families that replace other names, such as `{ Arial: 'Liberation Sans' }`. Default: none. */
    fonts: Type.Optional(
      stringsByName(
        'be the name of an uploaded font',
        'be an object that names an uploaded font for each other name',
      ),
    ),
    /** Refuses fonts and styles that are not uploaded, without substitutes of common fonts and synthesised styles. Default false. */
    strictFonts: Type.Optional(booleanOption),
    /**
     * Folder with SVG drawings of emoji, named by their code points as in Twemoji, Noto Emoji or OpenMoji. Default: that of
     * the package `@twemoji/svg`, if it is installed; without one, emoji are printed in one color.
     */
    emoji: Type.Optional(folderOption),
    /** What is printed where the ratios of printing box and output differ; default `refuse`. */
    fit: Type.Optional(oneOf(fits, `be one of ${fits.join(', ')}`)),
    /** `rgb`, or `pdfx4`: PDFs as PDF/X-4 in the inks of `profile`. Default `rgb`. */
    color: Type.Optional(oneOf(['rgb', 'pdfx4'], 'be rgb or pdfx4')),
    /** Path of the output profile (ICC, CMYK) of the press, for `pdfx4`; for `rgb` that of CMYK pictures that name none. */
    profile: Type.Optional(Type.String({ minLength: 1, must: 'be the path of an ICC profile' })),
    /** Paths of output profiles by the names that print profiles give in `data.output.profile`, such as `FOGRA39`. */
    profiles: Type.Optional(
      stringsByName(
        'be the path of an ICC profile',
        'be an object with the path of an ICC profile for each name',
      ),
    ),
    /** Name of the printing condition in the file, such as `FOGRA39`; default: the name of the profile's file. */
    condition: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, must: 'be the name of a printing condition' }),
    ),
    /** Prints black text over the inks below it, for `pdfx4`. Default false. */
    overprintBlack: Type.Optional(booleanOption),
    /**
     * Neutral grays and near-blacks that black ink alone prints, for `pdfx4`: `text` (text, and lines of up to 2 points), `all`
     * (fills as well) or `none`. Default `text`.
     */
    blackInk: Type.Optional(oneOf(blackInks, `be one of ${blackInks.join(', ')}`)),
    /** Percent of all inks together above which a warning is given, for `pdfx4`; default 300. */
    maxInk: Type.Optional(wholeNumber('percent of all inks together', 400)),
    /** Maximum seconds for one design; default 120. */
    seconds: Type.Optional(seconds(3600)),
    /** Maximum megabytes of memory for one design; default 1536. */
    megabytes: Type.Optional(wholeNumber('a number of megabytes', 65_536)),
    /** Maximum megapixels of a PNG or JPEG page; default 200. A2 at 300 dpi has 35, a film of 560 by 1000 mm has 78. */
    megapixels: Type.Optional(wholeNumber('a number of megapixels', 500)),
    /** Maximum megapixels of one picture, when it is uploaded and when it is printed; the setting `svc_picture_megapixels` may lower it. Default 120. */
    pictureMegapixels: Type.Optional(wholeNumber('a number of megapixels', 500)),
    /** Host names that the site had before and that stored designs still name, such as `old-shop.example`. Default: none. */
    formerHosts: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(:[0-9]+)?$', must: 'be a host name' }), {
        must: 'be a list of host names such as ["old-shop.example"]',
      }),
    ),
    /** The sheets of exports with `pages: 'sheet'`. */
    sheet: Type.Optional(Type.Unsafe<SheetOptions>(sheetOptions)),
    /** Maximum pages of one file; default 200. */
    pages: Type.Optional(wholeNumber('a number of pages', 10_000)),
    /** Maximum designs drawn at once; default 2. */
    jobs: Type.Optional(wholeNumber('a number of designs', 64)),
    /** Maximum prints in the queue, and as many preflights and as many previews; default 50. More get 503. */
    waiting: Type.Optional(wholeNumber('a number of designs', 10_000)),
    /** Renders exports even if an export service is configured. Default false. */
    beforeService: Type.Optional(booleanOption),
  },
  must,
)

/** How print files and previews are drawn on this machine. */
export interface RendererOptions extends OptionsOf<(typeof rendererOptions)['properties']> {}

/** The schema of the option: true, false or an object. */
export const rendererOption = Type.Union([Type.Boolean(), Type.Unsafe<RendererOptions>(rendererOptions)], {
  must,
})
