// The default title of a copy.

const suffix = ' (Copy)'
const maxLength = 255

/** The title of the source plus " (Copy)", shortened to at most 255 characters. */
export function copyTitle(title: string | null): string {
  return [...(title ?? '')].slice(0, maxLength - suffix.length).join('') + suffix
}
