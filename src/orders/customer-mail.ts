// Whether a stored e-mail address is that of a customer.
import { fold } from '../db/fold.ts'

/** Whitespace as PHP's `trim` removes it. */
const surroundingSpace = /^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g

/**
 * An address in the form in which addresses are compared: without surrounding whitespace, ASCII letters in lower case. Addresses
 * that differ in anything else may be two mailboxes.
 */
export const plainMail = (mail: string): string =>
  mail.replace(surroundingSpace, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a stored address is this customer's. @param mail as `plainMail` returns it */
export const isMailOf = (mail: string, stored: string | null): boolean =>
  stored !== null && plainMail(stored) === mail

/** Whether an address is another one, but looks the same to a person: other Unicode forms, whitespace inside. */
export const isLikeMail = (mail: string, stored: string | null): boolean =>
  stored !== null && !isMailOf(mail, stored) && loose(stored) === loose(mail)

const loose = (mail: string) => fold(mail.normalize('NFKC')).replace(/\s+/g, '')

/** Whether a longer text contains the address, and not only as a part of another address. @param mail as `plainMail` returns it, not empty */
export function mentionsMail(mail: string, text: string | null): boolean {
  const plain = plainMail(text ?? '')
  for (let start = plain.indexOf(mail); start >= 0; start = plain.indexOf(mail, start + 1)) {
    const end = start + mail.length
    const hasPrefix = /[\w.!#$%&'*+/=?^`{|}~-]$|[^\0-\x7f]$/.test(plain.slice(Math.max(0, start - 1), start))
    const hasSuffix = /^(?:[\w-]|[^\0-\x7f]|\.[\w])/.test(plain.slice(end, end + 2))
    if (!hasPrefix && !hasSuffix) return true
  }
  return false
}
