// Markup of fields: label, description, control and problem; of a field of a setting also its key and default.
import { type Html, html, type Part } from '../../src/core/html.ts'
import { dedicatedRoute } from '../../src/settings/keys.ts'
import { isObeyed } from '../../src/settings/obeyed.ts'
import { choiceLabel } from './choices.ts'
import type { Field } from './fields.ts'
import { anchorOf } from './layout.ts'

/** A field with the text entered into it. */
export interface Entry {
  field: Field
  /** The entered text; undefined if the stored value is shown. */
  sent?: string | undefined
  /** Whether a stored secret is to be removed. */
  removed?: boolean
  problem?: string | undefined
  /** The stored value has changed since the form was opened. */
  isOverlapped?: boolean
  /** Further markup below the control. */
  aside?: Html | undefined
}

/** The field of a setting. */
export function control(entry: Entry): Html {
  const { field, problem, aside } = entry
  const { id, label, description } = field.setting
  const isGroup = ['radio', 'choices', 'fixed'].includes(field.kind)
  const text = html`${description} ${defaultOf(field)}`
  return labelled({ id, label, text, problem, isGroup, isSetting: true, aside }, (attributes) => [
    inputOf(entry, attributes),
    overlap(entry),
  ])
}

interface Labelled {
  /** Id of the control. */
  id: string
  label: Part
  /** The description, below the label. */
  text?: Part
  /** The problem, beginning with a verb: "must be a number". */
  problem?: string | undefined
  /** Whether the label belongs to several controls, or to none. */
  isGroup?: boolean
  /** Whether the id is the key of a setting. Then it is shown, and other pages link to it. */
  isSetting?: boolean
  aside?: Html | undefined
}

/**
 * A field with its label, description and problem.
 * @param draw returns its controls; they must have these attributes, which connect them to description and problem (WAI-ARIA
 *   `aria-describedby`)
 */
export function labelled(field: Labelled, draw: (attributes: Html) => Part): Html {
  const { id, label, text, problem, isGroup = false, isSetting = false, aside } = field
  const described = [text && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const attributes = html`${described && html`aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}`
  return html`
<div class="field${problem && ' wrong'}"${isSetting && html` id="${anchorOf(id)}"`}>
<div class="about">
<p class="name">${isGroup ? html`<span id="${id}-label">${label}</span>` : html`<label for="${id}">${label}</label>`}</p>
${text && html`<p id="${id}-about">${text}</p>`}
${isSetting && html`<p class="key"><code>${id}</code>${isObeyed(id) && html` <span class="tag">Used here</span>`}</p>`}
</div>
<div class="control">
${draw(attributes)}
${problem && html`<p class="problem" id="${id}-problem">${label} ${problem}.</p>`}
${aside}
</div>
</div>`
}

/** The button of a form with settings. */
export const saveButton = html`<div class="save"><button class="main">Save changes</button></div>`

/** The default of a setting as a text; undefined for kinds whose default is not worth showing. */
function defaultOf({ setting, kind }: Field): Html | undefined {
  if (kind === 'token' || kind === 'fixed' || kind === 'secret') return undefined
  const { default: value } = setting
  const list = [value].flat()
  const defaultText = (text: Part) => html`<span class="default">Default: ${text}</span>`
  if (typeof value === 'boolean') return defaultText(value ? 'on.' : 'off.')
  if (value === null || value === '' || list.length === 0) return defaultText('empty.')
  if (setting.choices)
    return defaultText(`${list.map((choice) => choiceLabel(setting.id, String(choice))).join(', ')}.`)
  const text = typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : list.join(', ')
  return defaultText(html`<code>${text}</code>`)
}

/** The stored value, if another user has changed it while this one entered another. */
function overlap({ field, sent, isOverlapped }: Entry): Html | undefined {
  if (!isOverlapped || sent === undefined) return undefined
  if (field.kind === 'secret') return html`<p class="overlap">Another user has changed this secret.</p>`
  return html`<p class="overlap">Changed by another user meanwhile: <code>${field.storedText || 'empty'}</code></p>`
}

/** The control of a field. @param attributes of `labelled` */
function inputOf(entry: Entry, attributes: Html): Html {
  const { field } = entry
  const { kind, setting, reason, isUnreadable } = field
  const { id } = setting
  const value = entry.sent ?? field.storedText
  const inputAttributes = html`id="${id}" name="${id}" ${attributes}`
  const unreadableRemark =
    isUnreadable && html`<p class="remark">The stored value cannot be read; what you enter replaces it.</p>`
  switch (kind) {
    case 'fixed':
      return html`<p class="remark">${reason} ${editLink(id)}</p>`
    case 'token':
      return html``
    case 'flag':
      return html`<input type="hidden" name="${id}" value="no"><input type="checkbox" ${inputAttributes} value="yes"${value === 'yes' && html` checked`}>${unreadableRemark}`
    case 'number':
      return html`<input type="text" inputmode="decimal" class="short" ${inputAttributes} value="${value}" autocomplete="off">${unreadableRemark}`
    case 'select':
      return html`<select ${inputAttributes}>${optionsOf(field, value).map(
        (choice) =>
          html`<option value="${choice}"${choice === value && html` selected`}>${choiceLabel(id, choice) || '(empty)'}</option>`,
      )}</select>`
    case 'radio':
    case 'choices':
      return boxes(field, value, attributes)
    case 'secret':
      return secret(entry, inputAttributes)
    case 'line':
      return html`<input type="text" ${inputAttributes} value="${value}" autocomplete="off" spellcheck="false">${unreadableRemark}`
    default:
      return textArea(kind, inputAttributes, value, unreadableRemark)
  }
}

/** The link to the page on which a setting is edited that has a route of its own; undefined for other settings. */
function editLink(id: string): Html | undefined {
  const route = dedicatedRoute(id)
  return route === undefined ? undefined : html`<a href="edit-${route.slice(1)}">Edit</a>`
}

function textArea(kind: string, inputAttributes: Html, value: string, unreadableRemark: Html | false): Html {
  const rows = Math.min(16, Math.max(3, value.split('\n', 16).length))
  // The first line break of a text area is not part of its text.
  return html`<textarea ${inputAttributes} rows="${rows}" spellcheck="false"${kind === 'json' && html` class="code"`}>
${value}</textarea>${kind === 'lines' && html`<p class="remark">One per line.</p>`}${kind === 'json' && html`<p class="remark">JSON.</p>`}${unreadableRemark}`
}

/** The choices, and any other stored or sent value, so that saving the form does not change it. */
function optionsOf({ setting, storedText }: Field, value: string): string[] {
  const standard = setting.default === null ? [] : [setting.default].flat().map(String)
  const list =
    setting.type === 'multiselect'
      ? [...storedText.split('\r\n'), ...value.split('\r\n')]
      : [storedText, value]
  return [...new Set([...(setting.choices ?? []), ...standard, ...list])].filter(
    (choice) => choice !== '' || setting.type !== 'multiselect',
  )
}

/** Radio buttons or check boxes. @param value the chosen values, one a line */
function boxes(field: Field, value: string, attributes: Html): Html {
  const { id } = field.setting
  const isRadio = field.kind === 'radio'
  const ticked = new Set(isRadio ? [value] : value.split('\r\n'))
  return html`<div class="boxes" id="${id}" tabindex="-1" role="${isRadio ? 'radiogroup' : 'group'}" aria-labelledby="${id}-label" ${attributes}>
${!isRadio && html`<input type="hidden" name="${id}" value="">`}
${optionsOf(field, value).map(
  (choice) =>
    html`<label><input type="${isRadio ? 'radio' : 'checkbox'}" name="${id}" value="${choice}"${ticked.has(choice) && html` checked`}> ${choiceLabel(id, choice) || '(empty)'}</label>`,
)}</div>`
}

/** A field whose stored value is never sent to the browser. */
function secret({ field, sent, removed }: Entry, inputAttributes: Html): Html {
  const { setting, isSet } = field
  return html`<input type="password" ${inputAttributes} value="" autocomplete="new-password" spellcheck="false">
${sent && html`<p class="remark">Your entry was not saved and is not shown. Please enter it again.</p>`}
<p class="remark"><strong>${isSet ? 'Set' : 'Not set'}.</strong> ${isSet ? 'It is never shown. Leave this empty to keep it.' : 'It will never be shown.'}</p>
${isSet && html`<label class="box"><input type="checkbox" name="_remove" value="${setting.id}"${removed && html` checked`}> Remove ${setting.label}</label>`}`
}

/** A value to copy: a read-only field, with a button that copies it if scripts run. */
export const copied = (id: string, value: string) => html`
<div class="copied"><input type="text" class="code" id="${id}" value="${value}" readonly>
<button type="button" data-copy="${id}" hidden>Copy</button> <output></output></div>`
