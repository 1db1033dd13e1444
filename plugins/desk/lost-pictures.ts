// Finds the pictures of a design that a preflight refuses, and puts other files in their place.
import { hash } from 'node:crypto'
import { fromJson } from '../../src/json/parse.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import type { Preflight, PreflightFinding } from '../../src/renderer/preflight-result.ts'
import { reportedTitle } from '../../src/renderer/refusal.ts'
import { currentNames } from '../../src/renderer/stored-names.ts'
import { flagOf, objectOf, type Properties } from '../../src/renderer/values.ts'
import { elementOf, shortened } from './design.ts'

/** A picture that the renderer cannot print. The page of the check offers to replace it. */
export interface LostPicture {
  /** Hash of its source. Forms name it by this, because URLs may be of any length. */
  key: string
  /** The elements that show it, with the titles of view and element. */
  places: { view: string; element: string }[]
  /** Last part of its URL. */
  file: string
}

/** A picture as it is stored; pixels are null for a drawing without a size. */
interface StoredPicture {
  url: string
  width: number | null
  height: number | null
}

/** The most views that an advice names. */
const maxNamed = 20

const insideDesign = 'inside the design'

const keyFor = (source: string) => hash('sha256', source).slice(0, 32)

/** The source of a picture, which older designs store among its parameters; undefined for texts and without a source. */
function pictureSource(element: Properties): string | undefined {
  const { isText, source } = elementOf(element)
  if (isText) return undefined
  if (source !== '') return source
  const parameter = objectOf(element.parameters).source
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined
}

/** The pictures of a design that a preflight refuses, each file once. @param design JSON text */
export function lostPictures(design: string, { findings }: Preflight): LostPicture[] {
  const refusals = findings.filter(
    ({ level, code }) => level === 'refusal' && (code === 'picture' || code === 'drawing'),
  )
  if (refusals.length === 0) return []
  const lost = viewsOf(fromJson(design)).flatMap(({ title: view, elements }) =>
    elements.flatMap((element) => {
      const source = pictureSource(element)
      const { title } = elementOf(element)
      // Findings name views and elements by their titles alone.
      const isRefused = refusals.some(
        (finding) => finding.view === reportedTitle(view) && finding.element === reportedTitle(title),
      )
      return isRefused && source !== undefined
        ? [{ key: keyFor(source), view: shortened(view), element: shortened(title), file: fileIn(source) }]
        : []
    }),
  )
  return [...Map.groupBy(lost, ({ key }) => key)].map(([key, places]) => ({
    key,
    places: places.map(({ view, element }) => ({ view, element })),
    file: places[0]?.file ?? '',
  }))
}

/** What to do about a finding on a page with upload fields for these pictures; undefined if none of them is its cause. */
export function uploadAdvice(
  lost: readonly LostPicture[],
  { view, element }: Pick<PreflightFinding, 'view' | 'element'>,
): string | undefined {
  const picture = lost.find(({ places }) =>
    places.some((place) => reportedTitle(place.view) === view && reportedTitle(place.element) === element),
  )
  if (!picture) return undefined
  const views = [...new Set(picture.places.map((place) => place.view))].slice(0, maxNamed)
  const file = picture.file === insideDesign ? 'the picture inside the design' : picture.file || 'it'
  return `Upload the picture below; it replaces ${file} in ${views.join(views.length > 2 ? ', ' : ' and ')}.`
}

const fileIn = (source: string) =>
  /^data:/i.test(source) ? insideDesign : (source.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '').slice(0, 100)

/**
 * Puts a picture in the place of a lost one, fitted into the area that the lost one covers on the print.
 * @param elements of a design; they are changed
 * @param key of the lost picture
 * @returns whether the design has a picture with this key
 */
export function replacePicture(
  elements: readonly Properties[],
  key: string,
  picture: StoredPicture,
): boolean {
  const lost = elements.filter((element) => {
    const source = pictureSource(element)
    return source !== undefined && keyFor(source) === key
  })
  for (const element of lost) Object.assign(element, replacement(element, picture))
  return lost.length > 0
}

/** The properties of an element that change when its picture is replaced. */
function replacement(element: Properties, { url, width, height }: StoredPicture): Properties {
  const stored = objectOf(element.parameters)
  const parameters = { ...stored, ...('source' in stored && { source: url }) }
  const current = currentNames(stored)
  const [previousWidth, previousHeight] = [Number(current.width), Number(current.height)]
  const isCropped = flagOf(stored, 'cropped') || Number(current.cropX) > 0 || Number(current.cropY) > 0
  if (isCropped || !width || !height || !(previousWidth > 0 && previousHeight > 0))
    return { source: url, parameters }
  // One factor for both directions fits it into the area without distorting it.
  const factor = Math.min(previousWidth / width, previousHeight / height)
  const scaled = (name: string) => (Number(current[name] ?? 1) || 1) * factor
  const size = { width, height, scaleX: scaled('scaleX'), scaleY: scaled('scaleY') }
  return { source: url, parameters: { ...parameters, ...size } }
}
