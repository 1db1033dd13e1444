// The routes of the tabs: GET shows one, and POST saves it, or shows it again with the entries if nothing could be saved.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { type Form, formOf, queryValue } from '../../src/pages/form.ts'
import { linkTo, notice } from '../../src/pages/html.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { uploadSizeKey } from '../../src/settings/master-profile.ts'
import { titleOf } from './layout.ts'
import { entriesOf, type Outcome, saveForm } from './saving.ts'
import type { Screen } from './screen.ts'
import { tabPage } from './tab-page.ts'
import {
  apiSurroundings,
  colorSurroundings,
  exportSurroundings,
  fontSurroundings,
  type Surroundings,
  uploadPrecedence,
} from './tab-surroundings.ts'

const expired =
  'This form was opened too long ago, or by another user. Nothing was saved: please check it and save again.'
const overlapped =
  'Another user has changed settings of this tab since you opened it. Nothing was saved: please check the form and save again.'

/** What a tab shows of its settings: entries of a form, or what is stored. */
type TabContent = Pick<Exclude<Outcome, { kind: 'saved' }>, 'entries' | 'state'>

/** The page of each tab, and what its form saves. */
export function tabRoutes(screen: Screen): void {
  const { context, settings, documentUrl, referenceUrl } = screen

  /** The tab that the path names. @throws SvcError 404 for the slug of a section, too */
  function tabOf(request: FastifyRequest): SettingsGroup {
    const slug: unknown = membersOf(request.params).tab
    const group = context.catalog.group(String(slug))
    if (!group || group.tab !== slug)
      throw new SvcError('rest_no_route', { message: 'There is no such page.' })
    return group
  }

  /** What the tab shows beside its settings. */
  async function surroundings(request: FastifyRequest, { tab }: SettingsGroup): Promise<Surroundings> {
    if (tab === 'api') return apiSurroundings(context, documentUrl)
    if (context.catalog.find(uploadSizeKey)?.tab === tab) return { aside: await uploadAside() }
    if (tab === 'fonts') return fontSurroundings(screen.deskUrl(request))
    if (tab === 'colors') return colorSurroundings
    return tab === 'export' ? exportSurroundings(context) : {}
  }

  /** What decides instead of the setting of the upload size; undefined if the setting decides. */
  async function uploadRemark(): Promise<Html | undefined> {
    const { bytes, profile } = await context.uploadLimits()
    return profile === undefined ? undefined : uploadPrecedence(bytes, profile, referenceUrl)
  }

  async function uploadAside(): Promise<ReadonlyMap<string, Html>> {
    const remark = await uploadRemark()
    return new Map(remark && [[uploadSizeKey, html`<p class="remark">${remark}</p>`]])
  }

  async function sendTab(
    request: FastifyRequest,
    reply: FastifyReply,
    group: SettingsGroup,
    { feedback, ...view }: TabContent & { feedback?: Html | undefined },
  ): Promise<FastifyReply> {
    const formToken = screen.formToken(request, reply)
    const main = tabPage({ ...view, group, formToken, notice: feedback }, await surroundings(request, group))
    const hasProblems = view.entries.some(({ problem }) => problem !== undefined)
    const heading = titleOf(group.tab)
    const title = hasProblems ? `Error: ${heading}` : heading
    return screen.send(reply, { title, heading, current: group.tab, main })
  }

  /** The entries of a form beside what is stored now. @param form empty to show only what is stored */
  async function contentOf(group: SettingsGroup, form: Form): Promise<TabContent> {
    const values = await settings.group(group)
    return { entries: entriesOf(group, values, form), state: values.state }
  }

  screen.get('/:tab', async (request, reply) => {
    const group = tabOf(request)
    const view = await contentOf(group, new Map())
    const isUploadSize = queryValue(request, 'size') === '1'
    const feedback = savedNotice(request, isUploadSize ? await uploadRemark() : undefined)
    return sendTab(request, reply, group, { ...view, feedback })
  })

  screen.post('/:tab', async (request, reply) => {
    const group = tabOf(request)
    const form = formOf(request)
    if (!screen.hasValidToken(request, form)) {
      reply.code(403)
      const view = await contentOf(group, form)
      return sendTab(request, reply, group, { ...view, feedback: notice('problem', expired) })
    }
    const outcome = await screen.reported(request, () => saveForm(settings, group, form))
    if (outcome.kind === 'saved') {
      const size = outcome.keys.includes(uploadSizeKey) ? '&size=1' : ''
      return reply.redirect(`${linkTo(group.tab)}?saved=${outcome.keys.length}${size}`, 303)
    }
    const message = outcome.kind === 'overlapped' ? overlapped : outcome.message
    reply.code(outcome.kind === 'overlapped' ? 412 : 400)
    return sendTab(request, reply, group, {
      ...outcome,
      feedback: message === undefined ? undefined : notice('problem', message),
    })
  })
}

/** @param remark a sentence about a setting that has no effect */
function savedNotice(request: FastifyRequest, remark?: Html): Html | undefined {
  const saved = queryValue(request, 'saved')
  if (!/^\d{1,4}$/.test(saved)) return undefined
  const count = Number(saved)
  if (count === 0) return notice('done', 'Nothing was changed.')
  const message = count === 1 ? '1 setting was saved.' : `${count} settings were saved.`
  return notice('done', remark ? html`${message} ${remark}` : message)
}
