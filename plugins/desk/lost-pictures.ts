// Pictures that a check refuses: which they are, and another file in their place.
import { hash } from 'node:crypto'
import { fromJson } from '../../src/json/parse.ts'
import { viewsOf } from '../../src/renderer/design.ts'
import type { Preflight } from '../../src/renderer/preflight-result.ts'
import { currentNames } from '../../src/renderer/stored-names.ts'
import { flagOf, objectOf, type Properties } from '../../src/renderer/values.ts'

export interface LostPicture {
  /** Stands for its source in forms, because URLs may be of any length. */
  key: string
  view: string
  element: string
  /** Last part of its URL. */
  file: string
}

/** A picture as it is stored; pixels are null for a drawing without a size. */
interface Stored {
  url: string
  width: number | null
  height: number | null
}

const keyOf = (source: string) => hash('sha256', source).slice(0, 32)

const sourceOf = (element: Properties): string => {
  const given = objectOf(element.parameters)
  return [element.source, given.source].find(
    (source) => typeof source === 'string' && source !== '',
  ) as string
}

const isPicture = ({ type, parameters }: Properties) =>
  !/text/i.test(String(type ?? objectOf(parameters).type ?? ''))

/** Each file once. @param design JSON text */
export function lostPictures(design: string, { findings }: Preflight): LostPicture[] {
  const refused = findings.filter(
    ({ level, code }) => level === 'refusal' && (code === 'picture' || code === 'drawing'),
  )
  if (refused.length === 0) return []
  const all = viewsOf(fromJson(design)).flatMap(({ title: view, elements }) =>
    elements.filter(isPicture).flatMap((element) => {
      const [source, title] = [sourceOf(element), typeof element.title === 'string' ? element.title : '']
      const isRefused = refused.some((finding) => finding.view === view && finding.element === title)
      return isRefused && source ? [{ key: keyOf(source), view, element: title, file: fileIn(source) }] : []
    }),
  )
  return [...new Map(all.map((lost) => [lost.key, lost])).values()]
}

const fileIn = (source: string) =>
  /^data:/i.test(source)
    ? 'inside the design'
    : (source.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '').slice(0, 100)

/**
 * Puts the picture in the place of the lost one, in the size of that on the print.
 * @param elements of a design; they are changed
 * @returns whether there was one
 */
export function replacePicture(elements: readonly Properties[], key: string, picture: Stored): boolean {
  const lost = elements.filter((element) => isPicture(element) && keyOf(sourceOf(element) ?? '') === key)
  for (const element of lost) Object.assign(element, replaced(element, picture))
  return lost.length > 0
}

function replaced(element: Properties, { url, width, height }: Stored): Properties {
  const given = objectOf(element.parameters)
  const parameters = { ...given, ...('source' in given && { source: url }) }
  const now = currentNames(given)
  const [before, above] = [Number(now.width), Number(now.height)]
  const isCropped = flagOf(given, 'cropped') || Number(now.cropX) > 0 || Number(now.cropY) > 0
  if (isCropped || !width || !height || !(before > 0 && above > 0)) return { source: url, parameters }
  // Into the same frame, without distorting it.
  const ratio = Math.min(before / width, above / height)
  const scaled = (name: string) => (Number(now[name] ?? 1) || 1) * ratio
  const size = { width, height, scaleX: scaled('scaleX'), scaleY: scaled('scaleY') }
  return { source: url, parameters: { ...parameters, ...size } }
}
