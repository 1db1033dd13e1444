// SVG drawings at random: shapes, paths, groups, transforms, gradients, strokes, clips, classes and styles.
import fc, { type Arbitrary } from 'fast-check'

const whole = (min: number, max: number) => fc.integer({ min, max })
const color = fc.constantFrom(
  ...[
    '#c0392b',
    '#29b',
    'gold',
    'rgb(20, 120, 60)',
    'hsl(200, 60%, 50%)',
    'currentColor',
    'none',
    'url(#g0)',
  ],
  ...['url(#g1)', 'url(#g2)', 'black', '#8e44adcc'],
)

type Texts = Record<string, string | number>
const spelled = (attributes: Texts) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

const looks: Arbitrary<Texts> = fc.record(
  {
    fill: color,
    // fabric.js draws strokes with gradients in another width at each zoom.
    stroke: color.filter((text) => !text.startsWith('url')),
    'stroke-width': fc.constantFrom('0', '1', '3px', '6.5', '.5'),
    'fill-opacity': fc.constantFrom('.5', '1', '0'),
    'stroke-opacity': fc.constantFrom('.5', '1'),
    opacity: fc.constantFrom('1', '.7', '.3'),
    'fill-rule': fc.constantFrom('evenodd', 'nonzero'),
    'stroke-linecap': fc.constantFrom('butt', 'round', 'square'),
    'stroke-linejoin': fc.constantFrom('miter', 'round', 'bevel'),
    'stroke-miterlimit': fc.constantFrom('1', '4', '10'),
    'stroke-dasharray': fc.constantFrom('5', '6 3', '8,2,1,2', 'none'),
    'stroke-dashoffset': fc.constantFrom('0', '4'),
    transform: fc.constantFrom(
      ...['translate(8 -5)', 'scale(.8)', 'scale(1.2 .7)', 'rotate(25)', 'rotate(-40 60 50)', 'skewX(20)'],
      ...['matrix(.9 .2 -.1 1.1 4 2)', 'translate(10,10) rotate(15) scale(.9)', 'skewY(-15)'],
    ),
    class: fc.constantFrom('a', 'b', 'a b'),
    display: fc.constantFrom('inline', 'none'),
    'clip-path': fc.constantFrom('url(#c0)', 'url(#c1)', 'none'),
  },
  { requiredKeys: [] },
)
/** A few of them, or nearly every shape would be clipped and half transparent. */
const few = fc.tuple(looks, fc.infiniteStream(fc.nat({ max: 99 }))).map(([all, dice]) =>
  Object.fromEntries(
    Object.entries(all).filter(([name]) => {
      const die = Number(dice.next().value)
      return die < (name === 'clip-path' || name === 'display' ? 12 : name === 'fill' ? 80 : 35)
    }),
  ),
)

const command: Arbitrary<string> = fc.oneof(
  fc.tuple(fc.constantFrom('L', 'l'), whole(5, 110), whole(5, 90)).map(([c, x, y]) => near(c, x, y)),
  fc.tuple(fc.constantFrom('H', 'V'), whole(5, 90)).map(([c, x]) => `${c}${x}`),
  fc
    .tuple(fc.constantFrom('C', 'c'), fc.array(whole(5, 95), { minLength: 6, maxLength: 6 }))
    .map(([c, v]) => near(c, ...v)),
  fc
    .tuple(fc.constantFrom('Q', 'S', 'q', 's'), fc.array(whole(5, 95), { minLength: 4, maxLength: 4 }))
    .map(([c, v]) => near(c, ...v)),
  fc.tuple(fc.constantFrom('T', 't'), whole(5, 95), whole(5, 95)).map(([c, x, y]) => near(c, x, y)),
  fc
    .tuple(
      fc.constantFrom('A', 'a'),
      ...[whole(5, 50), whole(5, 50), whole(0, 180), whole(0, 1), whole(0, 1), whole(5, 95), whole(5, 95)],
    )
    .map(([c, rx, ry, turn, large, sweep, x, y]) => {
      const [px, py] = c === 'a' ? [Number(x) - 50, Number(y) - 50] : [x, y]
      return `${c}${rx} ${ry} ${turn} ${large} ${sweep} ${px} ${py}`
    }),
  fc.constant('Z'),
)

/** Relative coordinates stay in the drawing more often than not. */
const near = (c: string, ...values: number[]) =>
  `${c}${values.map((value) => (c === c.toLowerCase() ? value - 50 : value)).join(' ')}`

const path = fc
  .tuple(whole(5, 100), whole(5, 90), fc.array(command, { minLength: 1, maxLength: 6 }))
  .map(([x, y, rest]) => `M${x} ${y}${rest.join('')}`)

const geometry: Arbitrary<string> = fc.oneof(
  { arbitrary: path.map((d) => `path d="${d}"`), weight: 3 },
  fc
    .tuple(
      whole(0, 70),
      whole(0, 60),
      whole(5, 50),
      whole(5, 40),
      fc.constantFrom('', ' rx="6"', ' rx="9" ry="4"'),
    )
    .map(([x, y, w, h, round]) => `rect x="${x}" y="${y}" width="${w}" height="${h}"${round}`),
  fc
    .tuple(whole(20, 100), whole(20, 80), whole(3, 30))
    .map(([x, y, r]) => `circle cx="${x}" cy="${y}" r="${r}"`),
  fc
    .tuple(whole(20, 100), whole(20, 80), whole(3, 30), whole(3, 30))
    .map(([x, y, rx, ry]) => `ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"`),
  fc
    .array(whole(5, 95), { minLength: 4, maxLength: 4 })
    .map(([a, b, c, d]) => `line x1="${a}" y1="${b}" x2="${c}" y2="${d}"`),
  fc
    .tuple(fc.constantFrom('polygon', 'polyline'), fc.array(whole(5, 95), { minLength: 6, maxLength: 12 }))
    .map(([name, v]) => `${name} points="${v.slice(0, v.length - (v.length % 2)).join(' ')}"`),
)

const shape = fc.tuple(geometry, few).map(([form, attributes]) => `<${form}${spelled(attributes)}/>`)
const group = fc
  .tuple(few, fc.array(shape, { minLength: 1, maxLength: 3 }))
  .map(([attributes, shapes]) => `<g${spelled(attributes)}>${shapes.join('')}</g>`)
const use = fc
  .tuple(fc.constantFrom('s0', 's1'), whole(-20, 20), whole(-20, 20), few)
  .map(([id, x, y, attributes]) => `<use xlink:href="#${id}" x="${x}" y="${y}"${spelled(attributes)}/>`)

const stops = (a: string, b: string) =>
  `<stop offset="10%" stop-color="${a}"/><stop offset=".9" stop-color="${b}" stop-opacity=".8"/>`

const head = fc.constantFrom(
  ...['width="120" height="100"', 'width="120" height="100" viewBox="0 0 120 100"', 'viewBox="0 0 120 100"'],
  ...['width="240" height="200" viewBox="0 0 120 100"', 'width="100" height="100" viewBox="10 5 100 90"'],
)

export const arbitraryDrawing: Arbitrary<string> = fc
  .tuple(
    head,
    fc.array(fc.oneof({ arbitrary: shape, weight: 5 }, { arbitrary: group, weight: 2 }, use), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', ' color="#0a7"', ' fill="#555"'),
    shape,
  )
  .map(
    ([
      size,
      body,
      root,
    ]) => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}${root}>
<style>.a{fill:#16a085} .b{stroke:#333;stroke-width:2}</style><defs>
<linearGradient id="g0">${stops('#f00', '#00f')}</linearGradient>
<linearGradient id="g1" gradientUnits="userSpaceOnUse" x1="10" y1="10" x2="90" y2="70">${stops('#0c0', '#fff')}</linearGradient>
<radialGradient id="g2" cx=".4" cy=".6" r=".5">${stops('gold', 'navy')}</radialGradient>
<clipPath id="c0"><rect x="20" y="15" width="70" height="60"/></clipPath><clipPath id="c1"><circle cx="60" cy="50" r="38"/></clipPath>
<rect id="s0" x="20" y="20" width="30" height="22"/><path id="s1" d="M40 40l30 5-12 28z" stroke="#222"/></defs>
${body.join('\n')}
</svg>`,
  )
