// No drawing within the limits takes more than three seconds of CPU time to check.
import t from 'tap'
import { FileRejected } from '../../src/files/rejected.ts'
import { sanitizeSvg } from '../../src/files/svg/sanitize.ts'
import { svgOpen } from '../support/hostile/hostile-svg.ts'

const SECONDS = 3
const SHAPE = '<rect width="1" height="1"/>'

t.setTimeout(900_000)

const times = (n: number, part: string | ((index: number) => string)) =>
  typeof part === 'string' ? part.repeat(n) : Array.from({ length: n }, (_, index) => part(index)).join('')
const drawing = (content: string) => `${svgOpen}>${content}${SHAPE}</svg>`
const picture = (type: string, ...bytes: Uint8Array[]) =>
  drawing(`<image href="data:image/${type};base64,${Buffer.concat(bytes).toString('base64')}"/>`)
const hex = (text: string) => Buffer.from(text, 'hex')
const repeated = (text: string, length: number) => Buffer.alloc(length, hex(text))

const PNG_HEAD = hex('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489')
const GIF_HEAD = hex('474946383961010001000000003b')

/** Each at the edge of a limit: elements, attributes, characters, length. */
const largest: Record<string, () => string> = {
  elements: () => drawing(times(59_000, '<path d="M0 0h1"/>')),
  attributes: () =>
    drawing(
      times(
        42_000,
        (index) => `<rect x="1" y="2" width="3" height="4" fill="red" id="a${index}" class="b"/>`,
      ),
    ),
  styles: () =>
    drawing(times(59_000, '<rect style="fill:red;stroke:blue;opacity:1;stroke-width:2;display:inline"/>')),
  'elements at the bottom': () => drawing(times(190, '<g>') + times(50_000, '<g/>') + times(190, '</g>')),
  'styles of many classes': () =>
    drawing(
      `<style>${times(1000, (index) => `.c${index}{fill:red;stroke:url(#q)}`)}</style>${times(30_000, (index) => `<rect class="${times(20, (more) => `c${(index + more) % 1000} `)}"/>`)}`,
    ),
  'a long path': () => drawing(`<path d="M0 0${times(3_900_000, 'h1')}"/>`),
  'a long text': () => drawing(`<title>${times(7_900_000, 'a')}</title>`),
  'a long text of entities': () => drawing(`<title>${times(2_700_000, '&amp;')}</title>`),
  comments: () => drawing(times(1_900_000, '<!---->')),
  instructions: () => drawing(times(2_700_000, '<?a?>')),
  sections: () => drawing(`<metadata>${times(990_000, '<![CDATA[a]]>')}</metadata>`),
  'a long sheet': () => drawing(`<style>${times(650_000, '.a{fill:red}')}</style>`),
  'a sheet of many names': () =>
    drawing(`<style>${times(290_000, (index) => `.a${index},.b${index}{fill:red}`)}</style>`),
  'a long list of classes': () => drawing(`<g class="${times(990_000, (index) => `a${index} `)}"/>`),
  'a long list of dashes': () => drawing(`<rect stroke-dasharray="${times(3_900_000, '1 ')}"/>`),
  'a long transform': () => drawing(`<g transform="${times(990_000, 'scale(1)')}"/>`),
  'a long style': () => drawing(`<g style="${times(790_000, 'fill:red;')}"/>`),
  'many addresses': () => drawing(`<g style="fill:${times(990_000, 'url(#a) ')}"/>`),
  'addresses without end': () => drawing(`<g fill="${times(1_900_000, 'url(')}"/>`),
  'a query without end': () => drawing(`<style>@media ${times(3_900_000, 'a ')}{a{fill:red}}</style>`),
  'percent signs': () => drawing(`<image href="data:${times(13_500_000, '%')}"/>`),
  'a picture of nothing': () => picture('png', PNG_HEAD, Buffer.alloc(24_000_000)),
  'a picture of escapes': () => drawing(`<image href="data:image/png;base64,${times(10_500_000, '%2B')}"/>`),
  'a JPEG of fill bytes': () => picture('jpeg', hex('ffd8ffe0'), repeated('ff', 24_000_000)),
  'a JPEG of segments': () => picture('jpeg', hex('ffd8'), repeated('fffe0002', 24_000_000)),
  'a GIF of blocks': () => picture('gif', GIF_HEAD.subarray(0, 13), repeated('21f900', 24_000_000)),
  'a WebP of chunks': () =>
    picture(
      'webp',
      Buffer.from('RIFF\xff\xff\xff\x7fWEBP', 'latin1'),
      Buffer.alloc(24_000_000, 'ABCD\0\0\0\0'),
    ),
  'all at once': () =>
    drawing(
      times(25_000, '<rect style="fill:red;stroke:blue" width="1"/>') +
        `<style>${times(200_000, '.a{fill:red}')}</style><title>${times(400_000, '&amp;')}</title>`,
    ),
  'many small pictures': () =>
    drawing(
      times(
        55_000,
        '<image href="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"/>',
      ),
    ),
}

for (const [name, make] of Object.entries(largest)) {
  t.test(`a drawing of ${name} is checked in time`, async (t) => {
    const bytes = Buffer.from(make())
    const before = process.threadCpuUsage()
    const told = await sanitizeSvg(bytes).then(
      ({ svg }) => `${svg.length} characters`,
      (error) => {
        if (!(error instanceof FileRejected)) throw error
        return error.message
      },
    )
    const { user, system } = process.threadCpuUsage(before)
    const seconds = (user + system) / 1e6
    t.comment(`${name}: ${bytes.length} bytes, ${seconds.toFixed(2)} s, ${told}`)
    t.ok(seconds < SECONDS, `${seconds} s`)
  })
}
