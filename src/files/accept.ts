// Checks one uploaded file, step by step. What it returns is safe to store and to display.

import { scriptBeside } from '../core/installed.ts'
import { fileTypes, type TypeFor } from './file-types.ts'
import { type FontName, fontName, titleOf } from './names.ts'
import { encodeImage } from './picture/encode.ts'
import { limitWarning, type PictureLimits } from './picture/limits.ts'
import type { PreparedPicture } from './picture/prepare.ts'
import { assertContentMatches, assetTypeByName } from './sniff.ts'
import type { Drawing } from './svg/rewrite.ts'
import { type Checkable, type ThreadOptions, thread } from './thread.ts'

/** An uploaded file, usually streamed into a temporary file by its receiver. */
export interface Upload extends Checkable {
  /** The client's file name. It determines the claimed type and the title, and is never used as a path. */
  name: string
}

type AssetType = TypeFor<'asset'>

export interface AcceptedAsset {
  type: AssetType
  /** Extension of the file to store, without the dot. */
  extension: string
  mimeType: string
  /** The bytes to store in place of the uploaded ones. */
  bytes: Uint8Array
  /** The client's file name, sanitized. */
  title: string
  /** Pixels; null for a PDF and for a drawing without an intrinsic size. */
  width: number | null
  height: number | null
  /** Sentences about what was changed and which limits the picture violates. */
  warning: string | undefined
}

export interface AcceptedFont extends FontName {
  bytes: Uint8Array
}

export interface FileChecks {
  /** Throws FileRejected (422) or FileCheckFailed (503). A picture outside the limits is accepted with a warning. */
  asset(upload: Upload, limits?: PictureLimits): Promise<AcceptedAsset>
  /** @param family the optional `name` field of the form. Throws FileRejected (422) or FileCheckFailed (503). */
  font(upload: Upload, family?: string): Promise<AcceptedFont>
  /** Terminates the threads; they start again with the next file. */
  close(): Promise<void>
}

/** Creates the checks. Their threads start with the first file that needs them. */
export function fileChecks(options?: ThreadOptions): FileChecks {
  const script = scriptBeside(import.meta.url, 'check-worker')
  const drawings = thread(script, options)
  // Separate from drawings, so that an expensive drawing does not delay documents and fonts.
  const documents = thread(script, options)
  const pictures = thread(script, options)

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
    const notice = removed.length > 0 ? [`Removed from the drawing: ${removed.join(', ')}.`] : []
    const warning = [...notice, ...repaired].join(' ') || undefined
    return { bytes: Buffer.from(svg), width, height, density: null, warning }
  }
}

/** The same file; once it is read, it is rejected if its content does not match its name. */
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
