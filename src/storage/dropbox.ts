// Files in a Dropbox. `dropboxRemote` declares the storage; options, settings, rights and documents derive from it.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Type } from '@sinclair/typebox'
import { type OptionsOf, optionsObject } from '../core/check-options.ts'
import { membersOf } from '../core/foreign.ts'
import { type DropboxAccess, DropboxRefusal, dropboxClient } from './dropbox-client.ts'
import { readPart, sizeOf } from './local-files.ts'
import {
  bySettings,
  type RemoteStorage,
  type StoredSettings,
  storedText,
  textOption,
  urlOption,
  withoutSlashes,
  word,
} from './remote-storage.ts'
import { assertKey, type FileSource, type FileStorage, isKey, noSuchFile, StorageFailure } from './storage.ts'

export interface DropboxSettings extends DropboxAccess {
  /** Folder in the Dropbox; '' is all that the app may see. */
  root: string
}

const dropboxOptions = optionsObject(
  {
    /** Key of the app. Default: the setting `svc_ae_dropbox_client_id`. */
    clientId: Type.Optional(textOption),
    /** Secret of the app. Default: the setting `svc_ae_dropbox_secret`. */
    clientSecret: Type.Optional(textOption),
    /** OAuth refresh token of the account. Default: the setting `svc_ae_dropbox_refresh_token`. */
    refreshToken: Type.Optional(textOption),
    /** Folder in the Dropbox, or in the app's own folder. Default: none. */
    rootDir: Type.Optional(Type.String({ must: 'be a path in the Dropbox' })),
    /** Base URLs of another server with the API of Dropbox, such as a stand-in. */
    urls: Type.Optional(
      optionsObject({ api: urlOption, content: urlOption }, 'be an object with api and content'),
    ),
  },
  'be an object with the settings of Dropbox',
)

/**
 * A Dropbox account, and the app that writes to it. Options that are not set come from the shop's settings. They select no storage:
 * `storage.use` or the setting `svc_ae_cloud` does.
 */
export interface DropboxOptions extends OptionsOf<(typeof dropboxOptions)['properties']> {}

/** Bytes of one request. Larger files use an upload session, whose parts must be multiples of 4 MiB. */
const partSize = 8 * 1024 * 1024

const isAbsent = (error: unknown) =>
  error instanceof DropboxRefusal && /^(path|path_lookup)\/not_(found|file)\b/.test(error.summary)

export function dropboxStorage({ root, ...access }: DropboxSettings): FileStorage {
  const { call, upload, download } = dropboxClient(access)

  function pathOf(key: string): string {
    assertKey(key)
    return root === '' ? `/${key}` : `/${root}/${key}`
  }

  async function stat(key: string) {
    const metadata = await call('files/get_metadata', { path: pathOf(key) }).catch(undefinedIf(isAbsent))
    if (metadata?.['.tag'] !== 'file') return undefined
    const modified = Math.floor(Date.parse(String(metadata.server_modified)) / 1000)
    return { size: Number(metadata.size), modified }
  }

  /** Uploads a file in several requests (an upload session). The file becomes visible with the last one. */
  async function uploadParts(
    key: string,
    source: FileSource,
    size: number,
    signal: AbortSignal,
  ): Promise<void> {
    const part = (start: number) => bytesOf(source, start, Math.min(partSize, size - start))
    const { session_id } = await upload('files/upload_session/start', {}, await part(0), signal)
    let offset = partSize
    for (; size - offset > partSize; offset += partSize) {
      const args = { cursor: { session_id, offset } }
      await upload('files/upload_session/append_v2', args, await part(offset), signal).catch(
        // A first try has stored the part, but its response was lost.
        undefinedIf((error) => correctOffset(error.details) === offset + partSize),
      )
    }
    const args = { cursor: { session_id, offset }, commit: commitOf(key) }
    try {
      await upload('files/upload_session/finish', args, await part(offset), signal)
    } catch (error) {
      // If the response to a first try of the last part was lost, the session no longer exists, but the file does.
      const hasNoSession = error instanceof DropboxRefusal && /^lookup_failed\//.test(error.summary)
      if (!hasNoSession || (await stat(key))?.size !== size) throw error
    }
  }

  const commitOf = (key: string) => ({ path: pathOf(key), mode: 'overwrite', mute: true })

  async function* keys(folder: string): AsyncGenerator<string> {
    const path = pathOf(folder)
    let page = await call('files/list_folder', { path, recursive: true }).catch(undefinedIf(isAbsent))
    while (page) {
      for (const entry of Array.isArray(page.entries) ? page.entries : []) {
        const name = String(entry.path_display).slice(path.length + 1)
        if (entry['.tag'] === 'file' && isKey(name)) yield `${folder}/${name}`
      }
      if (page.has_more !== true) return
      page = await call('files/list_folder/continue', { cursor: page.cursor })
    }
  }

  return {
    lastingUrls: true,

    async put(key, source, { signal = new AbortController().signal } = {}) {
      const path = pathOf(key)
      if (signal.aborted) throw new StorageFailure('The request to Dropbox was aborted.')
      const size = 'path' in source ? await sizeOf(source.path) : source.length
      if (size > partSize) return uploadParts(key, source, size, signal)
      await upload('files/upload', { ...commitOf(key), path }, await bytesOf(source, 0, size), signal)
    },

    async open(key) {
      try {
        const { body } = await download('files/download', { path: pathOf(key) })
        // The types of `fetch` and of `node:stream/web` declare the same stream twice.
        return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
      } catch (error) {
        throw isAbsent(error) ? noSuchFile() : error
      }
    },

    stat,

    keys,

    async remove(key) {
      await call('files/delete_v2', { path: pathOf(key) }).catch(undefinedIf(isAbsent))
    },

    /** The shared link of the file, which is created on first use. */
    async url(key) {
      const path = pathOf(key)
      try {
        return directLink(await call('sharing/create_shared_link_with_settings', { path }))
      } catch (error) {
        const exists = error instanceof DropboxRefusal && /^shared_link_already_exists\b/.test(error.summary)
        if (!exists) throw error
        const { links } = await call('sharing/list_shared_links', { path, direct_only: true })
        return directLink(membersOf(Array.isArray(links) ? links[0] : undefined))
      }
    },
  }
}

/** Maximum characters of a link, which is stored, and shown on pages. */
const maxLink = 2000

/** A shared link with the parameter by which it returns the file itself, not a page about it. */
function directLink({ url }: Record<string, unknown>): string {
  const isLink = typeof url === 'string' && url.length < maxLink && /^https?:/.test(url) && URL.canParse(url)
  if (!isLink) throw new StorageFailure('Dropbox gave no shared link.')
  const link = new URL(url)
  link.searchParams.delete('dl')
  link.searchParams.set('raw', '1')
  return link.href
}

/** Bytes of a local file, or of a file in memory. */
async function bytesOf(source: FileSource, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  if ('path' in source) return readPart(source.path, start, length)
  return Uint8Array.from(source.subarray(start, start + length))
}

/** The offset that an upload session has reached, if an endpoint has refused another one. */
const correctOffset = (details: Record<string, unknown>): unknown =>
  details['.tag'] === 'incorrect_offset' ? details.correct_offset : undefined

/** For catch(): returns undefined for refusals that `isExpected` accepts, and throws other errors. */
function undefinedIf(isExpected: (error: DropboxRefusal) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof DropboxRefusal) || !isExpected(error)) throw error
    return undefined
  }
}

/** The settings in effect: options, or else the settings of the shop. @returns a sentence if one is missing or invalid */
function settingsOf(options: DropboxOptions, stored: StoredSettings): DropboxSettings | string {
  const clientId = options.clientId ?? storedText(stored, 'svc_ae_dropbox_client_id')
  const clientSecret = options.clientSecret ?? storedText(stored, 'svc_ae_dropbox_secret')
  const refreshToken = options.refreshToken ?? storedText(stored, 'svc_ae_dropbox_refresh_token')
  const root = withoutSlashes(options.rootDir ?? '')
  if (clientId === undefined || clientSecret === undefined || refreshToken === undefined) {
    return 'Dropbox is chosen as the file storage, but its app key, app secret or refresh token is not set.'
  }
  if (root !== '' && !isKey(root)) return 'The Dropbox root directory must be a plain path.'
  return { clientId, clientSecret, refreshToken, root, urls: options.urls }
}

export const dropboxRemote = {
  name: 'dropbox',
  label: 'Dropbox',
  options: Type.Unsafe<DropboxOptions>(dropboxOptions),
  settings: [
    {
      id: 'svc_ae_dropbox_client_id',
      type: 'text',
      label: 'Dropbox App Key',
      default: '',
      description: 'Key of the Dropbox app that stores print-ready files.',
    },
    {
      id: 'svc_ae_dropbox_secret',
      type: 'password',
      label: 'Dropbox App Secret',
      default: '',
      secret: true,
      description: 'Secret of the Dropbox app; never returned by the API.',
    },
    {
      id: 'svc_ae_dropbox_redirect_uri',
      type: 'text',
      label: 'Dropbox Redirect URI',
      default: '',
      format: 'address',
      description: 'URL that Dropbox sends the administrator back to after the app was allowed.',
    },
    {
      id: 'svc_ae_dropbox_refresh_token',
      type: 'text',
      label: 'Dropbox Refresh Token',
      default: '',
      secret: true,
      description: 'Token that fetches new access tokens of Dropbox; never returned by the API.',
    },
  ],
  variables: {
    clientId: {
      ...word,
      name: 'SVC_DROPBOX_CLIENT_ID',
      standard: bySettings,
      meaning: 'App key of Dropbox.',
    },
    clientSecret: {
      ...word,
      name: 'SVC_DROPBOX_CLIENT_SECRET',
      standard: bySettings,
      meaning: 'App secret of Dropbox.',
    },
    refreshToken: {
      ...word,
      name: 'SVC_DROPBOX_REFRESH_TOKEN',
      standard: bySettings,
      meaning: 'Refresh token of Dropbox. Naming one selects Dropbox.',
    },
  },
  selectedBy: 'refreshToken',
  connect(options: DropboxOptions, stored: StoredSettings, location?: string | null) {
    const current = settingsOf(options, stored)
    if (typeof current === 'string') return current
    const settings = { ...current, root: location ?? current.root }
    return { location: settings.root, settings, open: () => dropboxStorage(settings) }
  },
} as const satisfies RemoteStorage
