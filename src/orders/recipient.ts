// The recipient of an order: the shipping address, or the billing address if there is none.
import type { Recipient } from '../print/providers/printful.ts'
import { ProviderRefused } from '../print/providers/provider.ts'
import { stateCodeOf } from './state-code.ts'
import type { AddressColumn } from './tables.ts'

export type Address = Partial<Record<AddressColumn, string | null>>

/**
 * One whole address, never parts of both. E-mail and phone come from either address.
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
  const others = {
    company,
    address2,
    state_code: stateCodeOf(textOf(address.state), needed.country_code),
    zip: textOf(address.postcode),
    phone: textOf(shipping.phone) || textOf(billing.phone),
    email: textOf(billing.email) || textOf(shipping.email),
  }
  return { ...needed, ...Object.fromEntries(Object.entries(others).filter(([, text]) => text !== '')) }
}

const textOf = (text: string | null | undefined): string => text?.trim() ?? ''
