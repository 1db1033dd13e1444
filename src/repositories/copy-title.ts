// The title of a copy whose own title was not given.

const suffix = ' (Copy)'
const longest = 255

/** The source's title with " (Copy)" behind it, shortened where it would grow past 255 characters. */
export function copyTitle(title: string | null): string {
  return [...(title ?? '')].slice(0, longest - suffix.length).join('') + suffix
}
