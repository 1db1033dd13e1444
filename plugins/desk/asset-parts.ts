// What the pages of the library show of a file: its picture, name and size.
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { fileTypes, typesFor } from '../../src/files/file-types.ts'
import type { assetsRepository } from '../../src/library/assets.ts'

/** A stored file of the library. */
export type Asset = NonNullable<Awaited<ReturnType<ReturnType<typeof assetsRepository>['find']>>>

/** The relative URL of the page of a file. */
export const assetPage = (key: string) => `asset?key=${encodeURIComponent(key)}`

const isPicture = ({ mime_type }: Asset) => mime_type !== fileTypes.pdf.mimeType

/** The picture of a file, at most `width` pixels wide; a blank if it is no picture, or this host does not draw. @param canPreview whether this host draws */
export function assetPreview(asset: Asset, width: number, canPreview: boolean): Html {
  if (!canPreview || !isPicture(asset)) return html`<span class="blank" aria-hidden="true">No preview</span>`
  const src = `asset-preview?key=${encodeURIComponent(asset.key)}&width=${width}`
  return html`<img src="${src}" alt="Preview of ${asset.title}" loading="lazy" decoding="async">`
}

/** The types of files in words. */
export const typeNames = { png: 'PNG', jpeg: 'JPEG', svg: 'SVG', pdf: 'PDF' } as const

/** Type, pixels and size of a file in one line. */
export function assetFacts({ mime_type, width, height, size }: Asset): string {
  const type = typesFor('asset').find((name) => fileTypes[name].mimeType === mime_type)
  const pixels = width !== null && height !== null ? [`${width} × ${height} pixels`] : []
  return [type ? typeNames[type] : mime_type, ...pixels, bytesOf(size)].join(', ')
}

const bytesOf = (size: number) =>
  size < 1_048_576 ? `${Math.ceil(size / 1024)} kB` : `${(size / 1_048_576).toFixed(1)} MB`

/** When the file was stored, as the pages name times. */
export const assetUploaded = ({ modified }: Asset, zone: string) =>
  timeOf(new Date(modified * 1000).toISOString(), zone)

/** A file in a grid: its picture, its name with a link, its facts. */
export const assetCard = (asset: Asset, canPreview: boolean, zone: string): Html => html`
<div class="thumb">${assetPreview(asset, 240, canPreview)}</div><p class="name"><a href="${assetPage(asset.key)}">${asset.title || asset.filename}</a></p>
<p class="remark">${assetFacts(asset)}</p><p class="remark">${assetUploaded(asset, zone)}</p>`
