// The state of an address as print providers name it: its ISO 3166-2 code without the country.

/** WooCommerce numbers the provinces of China in an order of its own. */
const chinese =
  'YN BJ TJ HE SX NM LN JL HL SH JS ZJ AH FJ JX SD HA HB HN GD GX HI CQ SC GZ SN GS QH NX MO XZ XJ'.split(' ')

/** Countries whose states it writes with the country and letters, without a hyphen. A text elsewhere may begin so by chance. */
const lettered = new Set(['EG', 'KN', 'MA', 'MZ', 'RS', 'SN'])

/**
 * `BY` of `DE-BY`, `13` of `JP13`, `CA` of `CA`. A text that is no code, such as a county, stays.
 * @param country its code in upper case
 */
export function stateCodeOf(state: string, country: string): string {
  const plain = state.toUpperCase()
  if (country === '' || !plain.startsWith(country)) return state
  const rest = plain.slice(country.length)
  const [, hyphen, code = ''] = /^(-?)([A-Z0-9]{1,3})$/.exec(rest) ?? []
  if (country === 'CN' && hyphen === '') return chinese[Number(code) - 1] ?? state
  return code !== '' && (hyphen !== '' || /^\d/.test(code) || lettered.has(country)) ? code : state
}
