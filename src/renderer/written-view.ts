// Warns in the response to a write of parts of a view or a design that could not be drawn later. The write itself is accepted.
import { isTypo } from '../core/check-options.ts'
import { membersOf } from '../core/foreign.ts'
import { fromJson } from '../json/parse.ts'
import { type StoredView, viewsOf } from './design.ts'
import { titleOf } from './element.ts'
import type { MissingFiles } from './missing-files.ts'
import { fetchedPictures, isEmbedded, needsOf } from './needs.ts'
import { pagesOf } from './page.ts'
import { Findings, quoted, sentenceOf } from './refusal.ts'
import { type Scene, sceneOf } from './scene.ts'
import { fontsOf } from './text-element.ts'
import { isSet, objectOf, type Properties } from './values.ts'

/** Characters beyond which a design is not checked here, since that would delay other requests; a preflight checks it in a child process. */
const maxLength = 256 * 1024
/** Maximum number of warnings in a response. */
const maxSentences = 20

/**
 * Sentences about parts of a written design, in any of its forms, that cannot be drawn as they are.
 * @param missing looks for its fonts and pictures; undefined if they are not checked
 */
export async function designWarnings(design: unknown, missing?: MissingFiles): Promise<string[]> {
  if (design === undefined || !fits(design)) return []
  const findings = new Findings()
  const scenes: Scene[] = []
  // Parsed once more, because long numbers of the request are objects (`parseExact`).
  for (const view of viewsOf(fromJson(JSON.stringify(design)))) {
    scenes.push(sceneOf(view, findings, { isPreview: true }))
    warnOfTypes(view, findings)
    warnOfTypos(view, findings)
    const { options } = view
    // A view without these is not set up for print yet. The product may have the size of the stage, but not that of its pages.
    const hasStage = isSet(options, 'stageWidth') && isSet(options, 'stageHeight')
    const hasBox = hasStage || ['printingBox', 'printAreas'].some((name) => isSet(options, name))
    if (isSet(options, 'output') && hasBox)
      findings.try(view.title, null, () => pagesOf(options, { format: 'svg-pdf', dpi: 300 }))
  }
  const sentences = [...findings.refusals, ...findings.warnings].map(sentenceOf)
  const needs = needsOf(scenes, [])
  return limited([...sentences, ...((await missing?.({ ...needs, pictures: fetchedPictures(needs) })) ?? [])])
}

/** Warns of elements without a type, which are drawn as images. A value that is not an object is stored, but read as an empty one. */
function warnOfTypes({ title: view, elements }: StoredView, findings: Findings): void {
  for (const [index, element] of elements.entries()) {
    if (typeof element.type === 'string' || typeof objectOf(element.parameters).type === 'string') continue
    const number = `Element ${index + 1}`
    const message =
      Object.keys(element).length === 0
        ? `${number} is not an object with properties.`
        : `${number} has no type and is drawn as an image; send the type text or image.`
    findings.warn({ code: 'value', view, element: titleOf(element) || null, message })
  }
}

/** Options of a view that decide on its print, and properties of `output`. */
const printOptions = ['stageWidth', 'stageHeight', 'printingBox', 'printAreas', 'output']
const outputProperties = ['width', 'height', 'bleed']

/** Warns of options that are probably misspelled: the designer has other options, which are not checked. */
function warnOfTypos({ title: view, options }: StoredView, findings: Findings): void {
  const warn = (parent: string, properties: Properties, printNames: readonly string[]) => {
    for (const name of Object.keys(properties)) {
      if (printNames.includes(name)) continue
      const meant = printNames.find(
        (candidate) => !Object.hasOwn(properties, candidate) && isTypo(name, candidate),
      )
      if (meant === undefined) continue
      const message = `The option ${quoted(parent + name)} has no effect on the print; did you mean ${parent}${meant}?`
      findings.warn({ code: 'value', view, element: null, message })
    }
  }
  warn('', options, printOptions)
  warn('output.', objectOf(options.output), outputProperties)
}

/** The same for designs of the library: their pictures and elements, whose other properties come from their categories. */
export async function libraryWarnings(designs: unknown, missing: MissingFiles): Promise<string[]> {
  if (!Array.isArray(designs) || !fits(designs)) return []
  const objects = designs.map(objectOf)
  const elements = objects.flatMap((design) =>
    Array.isArray(design.elements) ? design.elements.map(objectOf) : [],
  )
  const isPicture = ({ type }: Properties) => typeof type === 'string' && /^image$/i.test(type)
  const urls = [
    ...objects.map(({ image, source }) => image ?? source),
    ...elements.filter(isPicture).map(({ source }) => source),
  ]
  const pictures = urls.filter((url): url is string => typeof url === 'string' && url !== '')
  const families = new Set(elements.flatMap(fontsOf))
  const fonts = Array.from(families, (family) => ({ family, bold: false, italic: false }))
  return limited(await missing({ fonts, pictures: pictures.filter((url) => !isEmbedded(url)) }))
}

/** Different sentences, at most `maxSentences`. */
function limited(sentences: readonly string[]): string[] {
  const different = [...new Set(sentences)]
  const more = different.length - maxSentences
  return more > 0 ? [...different.slice(0, maxSentences), `… and ${more} more.`] : different
}

/** Whether the value as JSON would have at most about `maxLength` characters. Stops counting at that length. */
function fits(design: unknown): boolean {
  let remaining = maxLength
  const pending = [design]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    remaining -= 1 + (typeof value === 'string' ? value.length : 0)
    if (typeof value === 'object' && value !== null)
      for (const name in value) {
        remaining -= name.length
        pending.push(membersOf(value)[name])
        // Each pending value takes at least one character.
        if (remaining < pending.length) return false
      }
    if (remaining < 0) return false
  }
  return true
}
