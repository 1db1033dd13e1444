// Why keys cannot be read or written as settings, all at once.
import { invalidParams } from '../core/errors.ts'
import { dedicatedRoute, isSettingKey, routeOf } from './keys.ts'

/** Why this key cannot be written here. */
export function keyProblem(key: string): string | undefined {
  if (!key.startsWith('svc_')) return 'does not start with svc_'
  if (!isSettingKey(key))
    return 'is not a setting key: letters, digits, "_", "-", "." and ":" may follow svc_'
  const route = routeOf(key)
  if (!route) return undefined
  return route.startsWith('/') ? `cannot be written here; use ${route}` : 'belongs to this API itself'
}

function routeProblem(key: string): string | undefined {
  const route = dedicatedRoute(key)
  return route && `cannot be read here; use ${route}`
}

/** @throws SvcError 400 with all problems */
export function assertReadable(keys: readonly string[]): void {
  const problems: [key: string, problem: string | undefined][] = []
  for (const key of keys) {
    const problem = isSettingKey(key) ? routeProblem(key) : keyProblem(key)
    if (problem !== undefined) problems.push([key, problem])
  }
  assertNoProblems(problems)
}

/** @throws SvcError 400 with all problems */
export function assertNoProblems(problems: (readonly [key: string, problem: string | undefined])[]): void {
  const bad = problems.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
  if (bad.length > 0) throw invalidParams(Object.fromEntries(bad))
}
