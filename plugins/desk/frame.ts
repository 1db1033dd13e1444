// The frame of the pages of the desk: navigation, search and links to other pages, as far as the visitor may open them.
import type { SvcContext } from '../../src/app/context.ts'
import type { Toggle } from '../../src/core/groups.ts'
import { allows, type NeededScope } from '../../src/core/scopes.ts'
import type { Frame } from '../../src/pages/html.ts'
import type { DeskOptions } from './options.ts'
import type { Visitor } from './visitor.ts'

type Enabled = Readonly<Record<Toggle, boolean>>

/** Groups whose toggle hides their pages. Orders, jobs and products are worked on even while the API does not serve them. */
const hiddenByToggle: readonly Toggle[] = ['fonts', 'assets']

/** The toggle that hides the pages with this scope; undefined if none does. */
export const toggleOf = (scope: NeededScope): Toggle | undefined =>
  hiddenByToggle.find((toggle) => scope.startsWith(`${toggle}:`))

/** The frames of one desk. */
export function deskFrames(
  { keeps, storage }: Pick<SvcContext, 'keeps' | 'storage'>,
  { homeUrl, settingsUrl, referenceUrl }: Pick<DeskOptions, 'homeUrl' | 'settingsUrl' | 'referenceUrl'>,
) {
  const links: readonly { slug: string; name: string; needs: NeededScope }[] = [
    { slug: 'orders', name: 'Orders', needs: 'orders:read' },
    { slug: 'queue', name: 'Queue', needs: 'print_jobs:read' },
    { slug: 'products', name: 'Products', needs: 'products:read' },
    ...(storage ? [{ slug: 'fonts', name: 'Fonts', needs: 'fonts:read' as const }] : []),
    { slug: 'library', name: 'Library', needs: 'assets:read' },
    ...(keeps.webhooks
      ? [{ slug: 'deliveries', name: 'Deliveries', needs: 'deliveries:read' as const }]
      : []),
    ...(keeps.audit ? [{ slug: 'audit', name: 'Changes', needs: 'audit:read' as const }] : []),
  ]

  /** The navigation: the pages that the visitor may open, and that are not hidden by their toggle. */
  function linksFor({ principal: { scopes } }: Visitor, enabled?: Enabled) {
    const isServed = (toggle: Toggle | undefined) => toggle === undefined || !enabled || enabled[toggle]
    return links.filter(({ needs }) => allows(scopes, needs) && isServed(toggleOf(needs)))
  }

  return {
    /** The slug of the page to which the folder of the desk leads. */
    firstPage: (visitor: Visitor): string => linksFor(visitor)[0]?.slug ?? 'orders',

    /**
     * The frame for a visitor; undefined for one who was not admitted, who gets a title alone.
     * @param enabled the toggles; undefined on the page of an error, which must not need the database and links hidden pages, too
     */
    frameFor(visitor: Visitor | undefined, enabled?: Enabled): Frame {
      if (!visitor) return { site: 'Desk' }
      const { scopes } = visitor.principal
      const search = allows(scopes, 'orders:read')
        ? { page: 'orders', label: 'Number, name, product, SKU' }
        : undefined
      const others = {
        homeUrl,
        settingsUrl: allows(scopes, 'settings:read') ? settingsUrl : undefined,
        referenceUrl,
      }
      return { site: 'Desk', inside: { search, links: linksFor(visitor, enabled), others } }
    },
  }
}
