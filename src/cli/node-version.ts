// Whether this Node.js can run this package. Any version must be able to load this file, so it imports nothing.

/** Equals `engines.node` of package.json; a test compares them. */
export const supportedNode = '^22.22.2 || ^24.15.0 || >=26.0.0'

/**
 * A sentence if the version is outside of the range; undefined if it can run this package.
 * @param range of `^1.2.3` and `>=1.2.3`, separated by ` || `
 */
export function nodeProblem(version: string, range: string = supportedNode): string | undefined {
  const isSupported = range.split(' || ').some((part) => isWithin(version, part))
  return isSupported ? undefined : `svc-api requires Node.js ${range}, and this is ${version}.`
}

function isWithin(version: string, part: string): boolean {
  const [major, minor, patch] = numbersOf(version)
  const [leastMajor, leastMinor, leastPatch] = numbersOf(part)
  if (major !== leastMajor) return part.startsWith('>=') && major > leastMajor
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor
}

function numbersOf(text: string): [number, number, number] {
  const [major, minor, patch] = text.replace(/^[^0-9]{0,2}/, '').split('.', 3)
  return [
    Number.parseInt(major || '', 10),
    Number.parseInt(minor || '', 10),
    Number.parseInt(patch || '', 10),
  ]
}
