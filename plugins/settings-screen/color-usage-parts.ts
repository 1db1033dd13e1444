// Where a color or palette is used, on its page.
import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../src/core/html.ts'
import { usageScan } from '../../src/library/color-usages.ts'
import { section } from '../../src/pages/html.ts'
import type { Colors } from './color-store.ts'
import type { Screen } from './screen.ts'

/** Selects every field of `GET /color-library/usages`, so that all kinds of usages are searched. */
const allFields = { has: () => true }

/** Returns a function that searches for usages of a color or palette, and lists them in a section. */
export function usageSections(screen: Screen, colors: Colors) {
  const { database, options } = screen.context
  const scan = usageScan(database)
  return async (request: FastifyRequest, type: 'color' | 'palette', id: string): Promise<Html> => {
    const { color, palettes } = await colors.findWithPalettes(type, id)
    const picker = (await options.get('svc_color_colorPickerPalette')) ?? ''
    const { usages, incomplete } = await scan({ palettes, id, color, picker, selection: allFields })
    const list = usageList(usages, incomplete.length > 0, screen.deskUrl(request))
    return section('color-usages', 'Where it is used', list)
  }
}

type FoundUsages = Awaited<ReturnType<ReturnType<typeof usageScan>>>['usages']

/** @param isCut whether the search ended before it had seen all rows @param deskUrl where the pages of products are */
function usageList(
  { palettes, printProfiles, pickerPreset, products, designCategories }: FoundUsages,
  isCut: boolean,
  deskUrl: string | undefined,
): Html {
  const product = ({ id, title }: FoundUsages['products'][number]) => {
    const name = title || `Product ${id}`
    return deskUrl === undefined
      ? name
      : html`<a href="${deskUrl.replace(/\/$/, '')}/product?id=${id}">${name}</a>`
  }
  const rows = [
    ['Palettes', palettes.map(({ name }) => name)],
    ['Print profiles', printProfiles.map(({ id, name }) => name || `Profile ${id}`)],
    ['Products', products.map(product)],
    ['Design library', designCategories.map(({ id, title }) => title || `Category ${id}`)],
    ['Settings', pickerPreset ? ['Swatches of the color picker'] : []],
  ] as const
  const used = rows.filter(([, names]) => names.length > 0)
  return html`
${used.length > 0 ? html`<dl>${used.map(([label, names]) => html`<dt>${label}</dt><dd>${names.map((name, index) => [index > 0 && ', ', name])}</dd>`)}</dl>` : html`<p>${isCut ? 'No usage was found so far.' : 'Not used in this shop.'}</p>`}
${isCut && html`<p class="remark">The search was cut off, so there may be more usages.</p>`}
<p class="remark">Orders are not searched.</p>`
}
