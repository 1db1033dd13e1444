// Slugs of layouts, as the CMS makes them.

const maxSlug = 100

/** A slug from a name, with a number appended if it is taken. */
export function freeSlug(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
  const slug =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, maxSlug)
      .replace(/^-|-$/g, '') || 'layout'
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
}
