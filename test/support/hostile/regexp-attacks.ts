// Inputs that expose regular expressions of more than linear cost: a prefix of a match, a part repeated many times, and a suffix
// that does not match. Derived from the source of the pattern, without an automaton.

interface Attack {
  prefix: string
  pump: string
  suffix: string
}

type Atom = RegExp | string

const POOL = [...'a1 \t\n"\'-_.:;,/\\<>()[]{}#%&=@+*!?$|A', '\0', '\u0080', 'é', '中']
const SUFFIXES = ['', '\u0001', '!', 'x', '\n<']
const LONGEST_PUMP = 4

export function inputOf({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
}

export function attacks(pattern: RegExp): Attack[] {
  const { atoms, starts } = atomsOf(pattern)
  const found = new Map<string, Attack>()
  // A negative lookahead is tested by letting it match.
  const suffixes = /\(\?<?[!=]/.test(pattern.source) ? [...SUFFIXES, '#', ';', '"'] : SUFFIXES
  for (const favourite of alphabetOf(atoms)) {
    const texts = atoms.map((atom) => textOf(atom, favourite))
    for (let from = 0; from < texts.length; from++) {
      const prefixes = new Set([
        '',
        ...starts.map((start) => texts.slice(start, Math.max(from, start)).join('')),
      ])
      for (let to = from + 1; to <= texts.length; to++) {
        if (to - from > LONGEST_PUMP && from > 0) break
        const pump = texts.slice(from, to).join('')
        for (const prefix of prefixes) {
          for (const suffix of suffixes) found.set(`${prefix}\0${pump}\0${suffix}`, { prefix, pump, suffix })
        }
      }
    }
  }
  return [...found.values()].filter(({ pump }) => pump !== '')
}

/** What the pattern reads, one after the other, without regard to its groups; and where groups and alternatives start. */
function atomsOf({ source, flags }: RegExp): { atoms: Atom[]; starts: number[] } {
  const atoms: Atom[] = []
  const starts = [0]
  const parts = source.matchAll(
    /\(\?(?:<?[=!]|:|<\w+>)|[()|]|[*+?]\??|\{\d+(?:,\d*)?\}\??|\[(?:[^\]\\]|\\.)*\]|\\(?:[pP]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|[^\\]/gis,
  )
  for (const [part] of parts) {
    if (part.startsWith('(') || part === '|') starts.push(atoms.length)
    else if (part === ')' || /^(?:[*+?]\??|\{\d.*\}\??|\\[bB1-9]|\^|\$)$/.test(part)) continue
    else if (/^\w$/.test(part) && typeof atoms.at(-1) === 'string' && starts.at(-1) !== atoms.length)
      atoms.push(`${atoms.pop()}${part}`)
    else if (/^\w$/.test(part)) atoms.push(part)
    else atoms.push(new RegExp(`^${part}$`, flags.replace(/[gy]/g, '')))
  }
  return { atoms, starts: [...new Set(starts)] }
}

/** One character for each set of atoms that match it, so that what two atoms share is tried. */
function alphabetOf(atoms: readonly Atom[]): string[] {
  const byFit = new Map<string, string>()
  for (const letter of POOL) {
    const fit = atoms.map((atom) => (typeof atom === 'string' ? '' : Number(atom.test(letter)))).join()
    if (!byFit.has(fit)) byFit.set(fit, letter)
  }
  return [...byFit.values()]
}

function textOf(atom: Atom, favourite: string): string {
  if (typeof atom === 'string') return atom
  if (atom.test(favourite)) return favourite
  return POOL.find((letter) => atom.test(letter)) ?? ALL.find((letter) => atom.test(letter)) ?? ''
}

const ALL = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
