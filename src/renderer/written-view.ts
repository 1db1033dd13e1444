// Warnings for parts of a written view that could not be drawn later. The write itself is accepted.
import { fromJson } from '../json/parse.ts'
import { viewsOf } from './design.ts'
import type { MissingFiles } from './missing-files.ts'
import { fetchedPictures, isEmbedded, needsOf } from './needs.ts'
import { pagesOf } from './page.ts'
import { Findings, sentenceOf } from './refusal.ts'
import { type Scene, sceneOf } from './scene.ts'
import { fontsOf } from './text-element.ts'
import { isSet, objectOf, type Properties } from './values.ts'

/** Characters beyond which a design is not looked at, which takes as long as to draw it: preflight does that elsewhere. */
const maxLength = 256 * 1024
/** Maximum number of warnings. */
const maxSentences = 20

/**
 * What of a written design, in any of its forms, cannot be drawn as it is.
 * @param missing looks for its fonts and pictures
 */
export async function designWarnings(design: unknown, missing?: MissingFiles): Promise<string[]> {
  if (design === undefined || !fits(design)) return []
  const findings = new Findings()
  const scenes: Scene[] = []
  // Parsed once more, because long numbers are objects in what was sent.
  for (const view of viewsOf(fromJson(JSON.stringify(design)))) {
    scenes.push(sceneOf(view, findings, { isPreview: true }))
    const { options } = view
    const isWhole =
      isSet(options, 'output') && ['printingBox', 'printAreas'].some((name) => isSet(options, name))
    if (isWhole) findings.try(view.title, null, () => pagesOf(options, { format: 'svg-pdf', dpi: 300 }))
  }
  const sentences = [...findings.refusals, ...findings.warnings].map(sentenceOf)
  const needs = needsOf(scenes, [])
  return limited([...sentences, ...((await missing?.({ ...needs, pictures: fetchedPictures(needs) })) ?? [])])
}

/** The same for designs of the library: their pictures and elements, whose other properties come from their categories. */
export async function libraryWarnings(designs: unknown, missing: MissingFiles): Promise<string[]> {
  if (!Array.isArray(designs) || !fits(designs)) return []
  const own = designs.map(objectOf)
  const elements = own.flatMap((each) => (Array.isArray(each.elements) ? each.elements.map(objectOf) : []))
  const isPicture = ({ type }: Properties) => typeof type === 'string' && /^image$/i.test(type)
  const urls = [
    ...own.map(({ image, source }) => image ?? source),
    ...elements.filter(isPicture).map(({ source }) => source),
  ]
  const pictures = urls.filter((url): url is string => typeof url === 'string' && url !== '')
  const families = new Set(elements.flatMap(fontsOf))
  const fonts = Array.from(families, (family) => ({ family, bold: false, italic: false }))
  return limited(await missing({ fonts, pictures: pictures.filter((url) => !isEmbedded(url)) }))
}

function limited(all: readonly string[]): string[] {
  const sentences = [...new Set(all)]
  const more = sentences.length - maxSentences
  return more > 0 ? [...sentences.slice(0, maxSentences), `… and ${more} more.`] : sentences
}

/** Whether JSON of the value has at most about `maxLength` characters; looks no further. */
function fits(design: unknown): boolean {
  let left = maxLength
  const rest = [design]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    left -= 1 + (typeof value === 'string' ? value.length : 0)
    if (typeof value === 'object' && value !== null)
      for (const name in value) {
        left -= name.length
        rest.push(Reflect.get(value, name))
        if (left < rest.length) return false
      }
    if (left < 0) return false
  }
  return true
}
