// Whether a stored e-mail address is that of a customer.
import { fold } from '../db/fold.ts'

/** Whitespace as PHP's `trim` removes it. */
const around = /^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g

/** Without surrounding whitespace, ASCII letters in lower case: addresses that differ in anything else may be two mailboxes. */
export const plainMail = (mail: string): string =>
  mail.replace(around, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a stored address is this customer's. @param mail as `plainMail` returns it */
export const isMailOf = (mail: string, stored: string | null): boolean =>
  stored !== null && plainMail(stored) === mail

/** Whether an address is another one, but a person might have meant the same: other Unicode forms, whitespace inside. */
export const isLikeMail = (mail: string, stored: string | null): boolean =>
  stored !== null && !isMailOf(mail, stored) && loose(stored) === loose(mail)

const loose = (mail: string) => fold(mail.normalize('NFKC')).replace(/\s+/g, '')

/** Whether a longer text contains the address, and not only as a part of another address. */
export function mentionsMail(mail: string, text: string | null): boolean {
  const plain = plainMail(text ?? '')
  for (let at = plain.indexOf(mail); at >= 0; at = plain.indexOf(mail, at + 1)) {
    const isBegun = /[\w.!#$%&'*+/=?^`{|}~-]$|[^\0-\x7f]$/.test(plain.slice(Math.max(0, at - 1), at))
    const isContinued = /^(?:[\w-]|[^\0-\x7f]|\.[\w])/.test(
      plain.slice(at + mail.length, at + mail.length + 2),
    )
    if (!isBegun && !isContinued) return true
  }
  return false
}
