// Pictures of a design that a preflight refuses, and other files in their place.
import { hash } from 'node:crypto'
import { fromJson } from '../../src/json/parse.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { reportedTitle } from '../../src/renderer/refusal.ts'
import { currentNames } from '../../src/renderer/stored-names.ts'
import { flagOf, objectOf, type Properties } from '../../src/renderer/values.ts'
import { elementOf, shortened } from './design.ts'

/** A picture that the renderer cannot print. The page of the check offers to replace it. */
export interface LostPicture {
  /** Hash of its source. Forms name it by this, because URLs may be of any length. */
  key: string
  /** Title of the view. */
  view: string
  /** Title of the element. */
  element: string
  /** Last part of its URL. */
  file: string
}

/** A picture as it is stored; pixels are null for a drawing without a size. */
interface StoredPicture {
  url: string
  width: number | null
  height: number | null
}

const keyOf = (source: string) => hash('sha256', source).slice(0, 32)

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
        ? [{ key: keyOf(source), view: shortened(view), element: shortened(title), file: fileIn(source) }]
        : []
    }),
  )
  return [...new Map(lost.map((picture) => [picture.key, picture])).values()]
}

const fileIn = (source: string) =>
  /^data:/i.test(source)
    ? 'inside the design'
    : (source.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '').slice(0, 100)

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
    return source !== undefined && keyOf(source) === key
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
