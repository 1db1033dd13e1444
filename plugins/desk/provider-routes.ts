// What a print provider is asked to print an item as: corrected where it refused, or taken back to be printed here.
import { invalidParams } from '../../src/core/errors.ts'
import { valueIn } from '../../src/pages/form-body.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { variationHolder, variationName } from './design.ts'
import { changeOrder } from './design-change.ts'
import type { Desk, FormMaker } from './desk.ts'
import { type Drawn, drawnFields, drawnIn, noDesign, orderLink } from './names.ts'

const maxLength = 100

export function providerRoutes(desk: Desk): void {
  desk.post('/variation', { scope: 'orders:write', operation: 'update_order' }, async (form) => {
    const drawn = drawnIn((field) => valueIn(form, field))
    if (drawn.type === 'product') throw noDesign()
    const variation = valueIn(form, 'variation').trim()
    if (variation.length > maxLength || /\p{Cc}/u.test(variation))
      throw invalidParams({ variation: `must be at most ${maxLength} characters long` })
    await changeOrder(desk, drawn, (design) => {
      const holder = variationHolder(design)
      if (holder) Object.assign(holder, { [variationName]: variation })
      return holder !== undefined
    })
    return `${orderLink(drawn)}&said=${variation === '' ? 'here' : 'variation'}`
  })
}

/** A form to change it. */
export const variationForm = (form: FormMaker, drawn: Drawn, variation: string): Html | undefined =>
  form(
    'orders:write',
    'variation',
    drawnFields(drawn),
    html`<label>Product number of the print provider <input type="text" name="variation" value="${variation}" class="short" maxlength="${maxLength}" autocomplete="off"></label> <button>Save<span class="unseen"> the product number of item ${drawn.item}</span></button>`,
  )
