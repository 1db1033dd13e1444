// The recipient of an order at the print provider, from the addresses of the shop's order.
import type { Recipient } from '../print/providers/printful.ts'
import { ProviderRefused } from '../print/providers/provider.ts'
import type { Address } from './tables.ts'

/**
 * The recipient from one of the addresses, never from parts of both; e-mail and phone may come from the other one.
 * @throws ProviderRefused when name, street, city or country is missing
 */
export function recipientOf(shipping: Address, billing: Address): Recipient {
  const hasShipping = textOf(shipping.address_1) !== '' || textOf(shipping.address_2) !== ''
  const address = hasShipping ? shipping : billing
  const [company, address2] = [textOf(address.company), textOf(address.address_2)]
  const name = `${textOf(address.first_name)} ${textOf(address.last_name)}`.trim() || company
  const needed = {
    name,
    address1: textOf(address.address_1),
    city: textOf(address.city),
    country_code: textOf(address.country).toUpperCase(),
  }
  const missing = Object.entries(needed).flatMap(([field, text]) => (text === '' ? [field] : []))
  if (missing.length > 0) throw new ProviderRefused(`The address of the order lacks: ${missing.join(', ')}.`)
  const optional = {
    company,
    address2,
    state_code: stateCodeOf(textOf(address.state), needed.country_code),
    zip: textOf(address.postcode),
    phone: textOf(shipping.phone) || textOf(billing.phone),
    email: textOf(billing.email) || textOf(shipping.email),
  }
  return { ...needed, ...Object.fromEntries(Object.entries(optional).filter(([, text]) => text !== '')) }
}

const textOf = (text: string | null | undefined): string => text?.trim() ?? ''

/** ISO 3166-2 codes of the provinces of China, in the order in which WooCommerce numbers them. */
const chineseProvinces =
  'YN BJ TJ HE SX NM LN JL HL SH JS ZJ AH FJ JX SD HA HB HN GD GX HI CQ SC GZ SN GS QH NX MO XZ XJ'.split(' ')

/** Countries whose states WooCommerce stores as the country and letters, without a hyphen. Elsewhere a text may begin so by chance. */
const countriesWithLetters = new Set(['EG', 'KN', 'MA', 'MZ', 'RS', 'SN'])

/**
 * The state as print providers name it, by its ISO 3166-2 code without the country: `BY` for `DE-BY`, `13` for `JP13`, `CA` for
 * `CA`. A text that is no code, such as a county, stays.
 * @param country its code in upper case
 */
export function stateCodeOf(state: string, country: string): string {
  const plain = state.toUpperCase()
  if (!plain.startsWith(country)) return state
  const suffix = plain.slice(country.length)
  const [, hyphen, code = ''] = /^(-?)([A-Z0-9]{1,3})$/.exec(suffix) ?? []
  if (country === 'CN' && hyphen === '') return chineseProvinces[Number(code) - 1] ?? state
  return code !== '' && (hyphen !== '' || /^\d/.test(code) || countriesWithLetters.has(country))
    ? code
    : state
}
