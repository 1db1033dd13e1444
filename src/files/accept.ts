// The checks of one uploaded file in their order; what comes back may be stored and shown.

import { fileTypes, type TypeFor } from './file-types.ts'
import { type FontName, fontName, titleOf } from './names.ts'
import { encodeImage } from './picture/encode.ts'
import { limitWarning, type PictureLimits } from './picture/limits.ts'
import type { PreparedPicture } from './picture/prepare.ts'
import { assertContentMatches, assetTypeByName } from './sniff.ts'
import type { Drawing } from './svg/rewrite.ts'
import { type Checkable, type ThreadOptions, thread } from './thread.ts'

/** An uploaded file as its receiver holds it, usually streamed into a temporary file before. */
export interface Upload extends Checkable {
  /** The client's name for it; it decides the promised type and the title, and never becomes a path. */
  name: string
}

type AssetType = TypeFor<'asset'>

export interface AcceptedAsset {
  type: AssetType
  /** Extension of the file to store, without the dot. */
  extension: string
  mimeType: string
  /** What to store instead of what came. */
  bytes: Uint8Array
  /** The client's name, made harmless. */
  title: string
  /** Pixels; null for a PDF and for a drawing without a size of its own. */
  width: number | null
  height: number | null
  /** Sentences about what was changed and which limits the picture misses. */
  warning: string | undefined
}

export interface AcceptedFont extends FontName {
  bytes: Uint8Array
}

export interface FileChecks {
  /** Throws FileRejected (422) or FileCheckFailed (503). A picture outside of the limits is taken with a warning. */
  asset(upload: Upload, limits?: PictureLimits): Promise<AcceptedAsset>
  /** `family` is the optional name field of the form. Throws FileRejected (422) or FileCheckFailed (503). */
  font(upload: Upload, family?: string): Promise<AcceptedFont>
  /** Ends the threads; they start again when another file comes. */
  close(): Promise<void>
}

// In the published package the neighbour is a .js file, in development a .ts file, as this one is.
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './check-worker.ts' : './check-worker.js',
  import.meta.url,
)

/** The checks with their threads, which start when the first file needs them. */
export function fileChecks(options?: ThreadOptions): FileChecks {
  const drawings = thread(workerUrl, options)
  // Apart from the drawings, so that a costly one keeps no document or font waiting.
  const documents = thread(workerUrl, options)
  const pictures = thread(workerUrl, options)

  return {
    async asset(upload, limits = {}) {
      const type = assetTypeByName(upload.name)
      const { density, ...content } = await contentOf(type, verified(upload, type))
      const warnings = [content.warning, limitWarning({ ...content, density }, limits)].filter(Boolean)
      const warning = warnings.length > 0 ? warnings.join(' ') : undefined
      const {
        mimeType,
        extensions: [extension],
      } = fileTypes[type]
      return { type, extension, mimeType, title: titleOf(upload.name), ...content, warning }
    },
    async font(upload, family) {
      const name = fontName(upload.name, family)
      return { ...name, bytes: await documents.run<Uint8Array>('font', verified(upload, 'ttf')) }
    },
    async close() {
      await Promise.all([drawings, documents, pictures].map((each) => each.close()))
    },
  }

  async function contentOf(type: AssetType, file: Checkable) {
    if (type === 'png' || type === 'jpeg') {
      const prepare = () => pictures.run<PreparedPicture>(type, file)
      const { warning, ...picture } = await encodeImage(prepare, type, file.client)
      return { ...picture, warning }
    }
    if (type === 'pdf') {
      return {
        bytes: await documents.run<Uint8Array>('pdf', file),
        width: null,
        height: null,
        density: null,
        warning: undefined,
      }
    }
    const { svg, removed, repaired, width, height } = await drawings.run<Drawing>('svg', file)
    const taken = removed.length > 0 ? [`Taken out of the drawing: ${removed.join(', ')}.`] : []
    const warning = [...taken, ...repaired].join(' ') || undefined
    return { bytes: Buffer.from(svg), width, height, density: null, warning }
  }
}

/** The file as it is read at its turn, and refused there when the content is not what the name says. */
function verified({ read, client }: Upload, promised: TypeFor<'asset' | 'font'>): Checkable {
  return {
    client,
    read: async () => {
      const bytes = await read()
      assertContentMatches(bytes, promised)
      return bytes
    },
  }
}
