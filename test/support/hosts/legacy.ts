// A host on the database of a legacy installation, which stores pricing rules and layouts in options.
import t, { type Test } from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { type BuildOptions, build, type Engine, onEachEngine, type TestHost } from './build.ts'
import { storedOption } from './options.ts'

export const rules = [
  {
    name: 'Long "texts"',
    data: { type: 'any', rules: [{ operator: '>', value: 5, price: 1.5 }] },
    vendor: 7,
  },
  { name: 'Größe 😀', data: { property: 'canvasSize' } },
]
export const layouts = {
  default: { name: 'Standard', plugin_options: { stageWidth: 900 }, custom_css: 'a > b' },
  'dark-mode': { name: 'Dark', plugin_options: { stageWidth: 700 } },
}

export interface Legacy extends TestHost {
  option(name: string): Promise<string | undefined>
  setOption(name: string, value: string | undefined): Promise<void>
  changed: string[][]
}

/** An installation with these options, migrated. */
export async function legacy(
  t: Test,
  engine: Engine,
  options: Record<string, string>,
  extra: BuildOptions = {},
): Promise<Legacy> {
  const changed: string[][] = []
  const host = await build(t, { engine, onOptionsChanged: (keys) => changed.push(keys), ...extra })
  const { db, t: names } = host
  const installation: Legacy = {
    ...host,
    changed,
    option: (name) => storedOption(host, name),
    async setOption(name, value) {
      await db.deleteFrom(names.options).where('option_name', '=', name).execute()
      if (value !== undefined)
        await db
          .insertInto(names.options)
          .values({ option_name: name, option_value: value, autoload: 'yes' })
          .execute()
    },
  }
  for (const [name, value] of Object.entries(options)) await installation.setOption(name, value)
  await migrate({ database: host.address })
  return installation
}

export const everything = {
  svc_pr_groups: JSON.stringify(rules),
  svc_ui_layout_default: JSON.stringify(layouts.default),
  'svc_ui_layout_dark-mode': JSON.stringify(layouts['dark-mode']),
  svc_product_designer_ui_layout: 'dark-mode',
}

export const rule = (name: string, run: (t: Test, engine: Engine) => Promise<void>) =>
  t.test(name, (t) => onEachEngine(t, run))
