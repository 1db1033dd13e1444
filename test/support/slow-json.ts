// JSON read by its grammar, one character at a time: an oracle that shares nothing with JSON.parse.

/** @throws SyntaxError */
export function slowJson(text: string): unknown {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`Unexpected text at ${at}.`)
  }
  const match = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const skip = () => match(/[ \t\n\r]*/)
  const take = (character: string): boolean => {
    skip()
    if (text[at] !== character) return false
    at++
    skip()
    return true
  }

  function string(): string {
    if (text[at++] !== '"') fail()
    let value = ''
    for (; text[at] !== '"'; at++) {
      const character = text[at] ?? fail()
      if (character < ' ') fail()
      value += character === '\\' ? escaped() : character
    }
    at++
    return value
  }

  function escaped(): string {
    const kind = text[++at] ?? fail()
    if (kind !== 'u') return short.get(kind) ?? fail()
    const digits = /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 1, at + 5))?.[0] ?? fail()
    at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  function list(): unknown[] {
    const items: unknown[] = []
    if (take(']')) return items
    do items.push(value())
    while (take(','))
    return take(']') ? items : fail()
  }

  function object(): object {
    const made = {}
    if (take('}')) return made
    do {
      skip()
      const name = string()
      if (!take(':')) fail()
      Object.defineProperty(made, name, {
        value: value(),
        writable: true,
        enumerable: true,
        configurable: true,
      })
    } while (take(','))
    return take('}') ? made : fail()
  }

  function value(): unknown {
    skip()
    if (text[at] === '"') return string()
    if (take('[')) return list()
    if (take('{')) return object()
    const word = match(/true|false|null/)
    if (word !== undefined) return word === 'null' ? null : word === 'true'
    return Number(match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/) ?? fail())
  }

  const whole = value()
  skip()
  return at === text.length ? whole : fail()
}

const short = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
