// Checks uploaded files, each in a child process. The bytes that it returns are safe to store and to display.

import { scriptBeside } from '../core/installed.ts'
import { JobEnded, type Limits, workerHost } from '../workers/host.ts'
import { assetTitle } from './asset-title.ts'
import type { CheckOutcome } from './check-worker.ts'
import { fileTypes, type TypeFor } from './file-types.ts'
import { type FontName, fontName } from './font/file-names.ts'
import type { EncodedImage } from './picture/encode.ts'
import { limitWarning, type PictureLimits, standardPixels } from './picture/limits.ts'
import { FileCheckFailed, FileRejected } from './rejected.ts'
import { assertContentMatches, assetTypeByContent, assetTypeByName } from './sniff.ts'
import type { SanitizedDrawing } from './svg/rewrite.ts'

/** An uploaded file, usually streamed into a temporary file by its receiver. */
export interface Upload {
  /** The client's file name. It determines the claimed type and the title, and is never used as a path. */
  name: string
  /**
   * Reads the whole file. Called when the file leaves the queue of checks, so that waiting files stay on disk; for a file without a
   * name once before that, too.
   */
  read(): Promise<Uint8Array>
  /** Who sent it, e.g. the remote address: the client that has used the least time is next, so that slow files delay their sender alone. */
  client?: string | undefined
}

type AssetType = TypeFor<'asset'>
/** The jobs of check-worker.ts: the name of a type checks a file of it; `drawn` draws a sanitized drawing once. */
type Check = AssetType | 'ttf' | 'drawn'

/** An asset that passed its check, ready to be stored. */
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

/** A font that passed its check, with the bytes to store. */
export interface AcceptedFont extends FontName {
  bytes: Uint8Array
}

/** The checks of one app; the routes that receive uploads call them. */
export interface FileChecks {
  /**
   * Checks an asset. A picture outside the limits is accepted with a warning.
   * @throws FileRejected (422); FileCheckFailed, or SvcError of the full queue (both 503); what `read` throws
   */
  asset(upload: Upload, limits?: PictureLimits): Promise<AcceptedAsset>
  /**
   * Checks a font.
   * @param family the optional `name` field of the form, see `fontName`
   * @throws FileRejected (422); FileCheckFailed, or SvcError of the full queue (both 503); what `read` throws
   */
  font(upload: Upload, family?: string): Promise<AcceptedFont>
  /** Ends the child processes; they start again with the next file. */
  close(): Promise<void>
}

/** The name that browsers give to a Blob in FormData (XMLHttpRequest Standard, "create an entry"). */
const unnamed = 'blob'

/** Files that are checked at once. */
const maxChildren = 2
/** Megabytes of a child's heap; a file that needs more is rejected. */
const heap = 160

/** The limits of each job. CPU time is counted once all code is loaded. The largest pictures take up to 400 MB to decode. */
const limitsOf: Readonly<Record<Check, Limits>> = {
  svg: { seconds: 60, cpuSeconds: 10, megabytes: 768 },
  drawn: { seconds: 60, cpuSeconds: 2, megabytes: 768 },
  pdf: { seconds: 60, cpuSeconds: 3, megabytes: 512 },
  ttf: { seconds: 60, cpuSeconds: 10, megabytes: 512 },
  png: { seconds: 60, cpuSeconds: 20, megabytes: 768 },
  jpeg: { seconds: 60, cpuSeconds: 20, megabytes: 768 },
}

interface CheckOptions {
  /** The script of the child processes; tests name another one. */
  script?: URL
  /** The maximum megapixels of a picture, read for each; default: `standardPixels`. */
  megapixels?: () => Promise<number>
}

/** Creates the checks. Their child processes start with the first files. */
export function fileChecks({
  script = scriptBeside(import.meta.url, 'check-worker'),
  megapixels,
}: CheckOptions = {}): FileChecks {
  const host = workerHost({ script, maxChildren, heap })

  async function run<Result>(check: Check, client: string | undefined, input: () => unknown) {
    const outcome = await host.run(check, input, { limits: limitsOf[check], client }).catch((error) => {
      throw error instanceof JobEnded ? failureOf(error, check) : error
    })
    // The child and its caller agree on what each check returns.
    const { result, rejected, broken } = outcome as CheckOutcome
    if (rejected) throw new FileRejected(rejected.message, rejected.code)
    if (broken !== undefined) throw uncheckable(broken)
    return result as Result
  }

  /** Runs the check of a type. `uploaded` are the bytes that the check got. */
  async function checked<Result>(type: AssetType | 'ttf', { read, client }: Upload) {
    let uploaded: Uint8Array = Buffer.alloc(0)
    const result = await run<Result>(type, client, async () => {
      uploaded = await read()
      assertContentMatches(uploaded, type)
      if (type !== 'png' && type !== 'jpeg') return uploaded
      const maxPixels = megapixels ? (await megapixels()) * 1e6 : standardPixels
      return { bytes: uploaded, maxPixels }
    })
    return { uploaded, result }
  }

  return {
    async asset(upload, limits = {}) {
      const type =
        upload.name === unnamed ? assetTypeByContent(await upload.read()) : assetTypeByName(upload.name)
      const { density, ...content } = await contentOf(type, upload)
      const warnings = [content.warning, limitWarning({ ...content, density }, limits)].filter(Boolean)
      const warning = warnings.length > 0 ? warnings.join(' ') : undefined
      const {
        mimeType,
        extensions: [extension],
      } = fileTypes[type]
      return { type, extension, mimeType, title: assetTitle(upload.name), ...content, warning }
    },
    async font(upload, family) {
      const name = fontName(upload.name, family)
      const { uploaded, result } = await checked<Uint8Array | undefined>('ttf', upload)
      // A font that needs no changes has no result.
      return { ...name, bytes: result ?? uploaded }
    },
    close: async () => host.close(),
  }

  /** Checks the content: bytes to store, size, density in pixels per inch (null if unknown), and a warning. */
  async function contentOf(type: AssetType, upload: Upload) {
    if (type === 'png' || type === 'jpeg') {
      const { warning, ...picture } = (await checked<EncodedImage>(type, upload)).result
      return { ...picture, warning }
    }
    if (type === 'pdf') {
      const { uploaded: bytes } = await checked(type, upload)
      return { bytes, width: null, height: null, density: null, warning: undefined }
    }
    const drawing = (await checked<SanitizedDrawing>(type, upload)).result
    const { svg, removed, repaired, width, height } = drawing
    await run('drawn', upload.client, () => drawing)
    const notice = removed.length > 0 ? [`Removed from the drawing: ${removed.join(', ')}.`] : []
    const warning = [...notice, ...repaired].join(' ') || undefined
    return { bytes: Buffer.from(svg), width, height, density: null, warning }
  }
}

/**
 * The error for a check whose child ended. A file that exceeds a limit or crashes a decoder would do so again, so it is rejected;
 * a child that another process killed is not the file's fault.
 */
function failureOf(ended: JobEnded, check: Check): Error {
  if (check === 'drawn' && ended.reason !== 'interrupted')
    return new FileRejected('The drawing takes too long or too much memory to render.', undefined, {
      cause: ended,
    })
  if (ended.reason === 'time') return new FileRejected('The file takes too long to check.')
  if (ended.reason === 'memory') return new FileRejected('The file takes too much memory to check.')
  if (ended.reason === 'crashed') return uncheckable(ended)
  return new FileCheckFailed('The check of the file was interrupted.', { cause: ended })
}

/** The rejection of a file that crashes its check. @param cause only logged: the error, or the stack of one inside the child */
function uncheckable(cause: string | Error): FileRejected {
  const message = 'The file has an unexpected structure and cannot be checked.'
  return new FileRejected(message, 'svc_upload_rejected', { cause: asError(cause) })
}

function asError(cause: string | Error): Error {
  if (typeof cause !== 'string') return cause
  const [message = ''] = cause.split('\n', 1)
  return Object.assign(new Error(message.slice(0, 200)), { stack: cause.slice(0, 4000) })
}
