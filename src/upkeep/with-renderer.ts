// Opens an installation together with a renderer, for the commands that draw: `svc-api preflight` and `svc-api impose`.
import type { Database } from '../db/connect.ts'
import { designRenderer } from '../print/design-renderer.ts'
import { printReadySettings } from '../print/options.ts'
import { maxMegapixels } from '../renderer/picture-setting.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { RendererOptions } from '../renderer/renderer-options.ts'
import { cmsOptions } from '../settings/cms.ts'
import { uploadLimits } from '../settings/master-profile.ts'
import { type OptionsStore, optionsStore } from '../settings/option-rows.ts'
import { withInstallation } from './installation.ts'
import type { InstallationSettings } from './options.ts'

/** What work with a renderer needs. */
export interface RendererSettings extends InstallationSettings {
  /** Default: the URL that the CMS stores. */
  siteUrl: string | undefined
  renderer?: RendererOptions
}

interface RendererServices {
  database: Database
  store: OptionsStore
  renderer: Renderer
  /** Pictures with a lower resolution cause a warning; undefined if the shop sets no limit. */
  minDpi: number | undefined
}

/** Opens the installation with a renderer that reads its files, runs `work`, and closes both. For the commands that draw. */
export const withRenderer = <T>(
  settings: RendererSettings,
  operation: string,
  work: (services: RendererServices) => Promise<T>,
): Promise<T> =>
  withInstallation(settings, operation, async (database, storages) => {
    const store = optionsStore(database, () => {})
    const home = (await cmsOptions(database).getMany(['home'])).get('home')
    const places = {
      uploadsUrl: settings.uploads?.url,
      siteUrl: settings.siteUrl ?? home ?? 'http://127.0.0.1',
      download: printReadySettings().download,
      pictureMegapixels: maxMegapixels(store, settings.renderer?.pictureMegapixels),
    }
    const services = { database, storages, ...places, warn: () => {} }
    const renderer = designRenderer(services, settings.renderer ?? {})
    try {
      const { minDpi } = (await uploadLimits(database, store)()).picture
      return await work({ database, store, renderer, minDpi })
    } finally {
      renderer.stop()
    }
  })
