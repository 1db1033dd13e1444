// The time zone of the shop, as WordPress' `wp_timezone_string` reads it.
import type { CmsOptions } from './cms.ts'

/** An IANA name such as `Europe/Berlin`, an offset such as `-03:30`, or `UTC` where the shop sets nothing that is known. */
export async function shopTimeZone(cms: CmsOptions): Promise<string> {
  const stored = await cms.getMany(['timezone_string', 'gmt_offset'])
  const name = stored.get('timezone_string')?.trim() ?? ''
  if (name !== '' && isZone(name)) return name
  const hours = Number(stored.get('gmt_offset') ?? 0)
  if (!Number.isFinite(hours) || hours === 0 || Math.abs(hours) > 14) return 'UTC'
  const minutes = Math.round(Math.abs(hours) * 60)
  const digits = (number: number) => String(number).padStart(2, '0')
  return `${hours < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
