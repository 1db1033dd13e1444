// Draws the rooms for the documents: a picture in docs/architecture, and a table in src/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beside, contents, floors, narrow } from '../rooms.ts'
import { code, table } from './reference/markdown.ts'

const begin = '<!-- rooms: drawn by `npm run generate` from tools/rooms.ts -->'
const end = '<!-- end of rooms -->'

const shown = (room: string) => (room === 'plugins/*' ? 'plugins/(group)' : room)

/** Sizes of the picture in pixels: a box, the space between boxes, the left edge of the first box. */
const [boxWidth, boxHeight, gap, labelWidth] = [132, 30, 28, 76]
const floorHeight = boxHeight + 34

const looks = `svg { color-scheme: light dark; font: 13px system-ui, sans-serif }
text { fill: #1b1f24 } rect { fill: #f4f5f7; stroke: #767d86 } path { fill: none; stroke: #545b64 } marker path { fill: #545b64 }
@media (prefers-color-scheme: dark) { text { fill: #e8eaed } rect { fill: #1e2125; stroke: #7f8790 } path { stroke: #a9b1ba } marker path { fill: #a9b1ba } }`

/** Floors from the top to the bottom, as SVG. An arrow between floors stands for all rooms of all floors below. */
function picture(): string {
  const width = labelWidth + Math.max(...floors.map((rooms) => rooms.length)) * (boxWidth + gap)
  const topOf = (floor: number) => 8 + (floors.length - 1 - floor) * floorHeight
  const leftOf = (position: number) => labelWidth + position * (boxWidth + gap)
  const drawnFloors = floors.flatMap((rooms, floor) => {
    const [top, middle] = [topOf(floor), topOf(floor) + boxHeight / 2]
    const boxes = rooms.map((room, position) => {
      const left = leftOf(position)
      return `<rect x="${left}" y="${top}" width="${boxWidth}" height="${boxHeight}" rx="5"/><text x="${left + boxWidth / 2}" y="${middle + 5}" text-anchor="middle">${shown(room)}</text>`
    })
    const sideways = rooms.flatMap((room, position) =>
      (beside[room] ?? []).map((other) => {
        const target = rooms.indexOf(other)
        const [from, to] =
          target < position
            ? [leftOf(position), leftOf(target) + boxWidth]
            : [leftOf(position) + boxWidth, leftOf(target)]
        return `<path d="M${from} ${middle}H${to}" stroke-dasharray="4 3" marker-end="url(#end)"/>`
      }),
    )
    const center = labelWidth + boxWidth / 2
    const down =
      floor === 0
        ? []
        : [`<path d="M${center} ${top + boxHeight}V${topOf(floor - 1)}" marker-end="url(#end)"/>`]
    return [`<text x="8" y="${middle + 5}">floor ${floor}</text>`, ...boxes, ...sideways, ...down]
  })
  const height = floors.length * floorHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Rooms of the source by floor</title>
<style>${looks}</style>
<marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>
${drawnFloors.join('\n')}
</svg>
`
}

function roomTable(): string {
  const rows = floors.flatMap((rooms, floor) =>
    rooms.map((room) => [String(floor), code(shown(room)), contents[room] ?? '', mayImport(room, floor)]),
  )
  return table(['Floor', 'Room', 'Contains', 'May import'], rows.reverse())
}

function mayImport(room: string, floor: number): string {
  if (narrow[room]) return narrow[room].map(code).join(', ')
  const others = (beside[room] ?? []).map(code)
  const below = floor === 0 ? 'nothing' : floor === 1 ? 'floor 0' : `floors ${floor - 1} to 0`
  return [room === 'plugins/*' ? 'its own folder' : '', ...others, below].filter(Boolean).join(', ')
}

/** @throws Error if the document has no place for what is drawn */
function drawnInto(root: string, path: string, drawing: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error(`${path} has no place for the rooms.`)
  return `${before}${begin}\n\n${drawing}\n${end}${after}`
}

export function architectureFiles(root: string): Record<string, string> {
  return {
    'docs/architecture/rooms.svg': picture(),
    'src/README.md': drawnInto(root, 'src/README.md', roomTable()),
  }
}
