// Draws the table of rooms into the documents: a picture in docs/architecture, a table in src/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beside, contents, floors, narrow } from '../rooms.ts'
import { code, table } from './reference/markdown.ts'

const begin = '<!-- rooms: drawn by `npm run generate` from tools/rooms.ts -->'
const end = '<!-- end of rooms -->'

const shown = (room: string) => (room === 'plugins/*' ? 'plugins/(group)' : room)
const id = (room: string) => (room === 'plugins/*' ? 'groups' : room.replace(/\W/g, '_'))

/** Floors from the top to the bottom; an arrow between floors means all rooms of all floors below. */
function picture(): string {
  const boxes = floors
    .map((rooms, floor) => {
      const nodes = rooms.map((room) => `    ${id(room)}["${shown(room)}"]\n`).join('')
      return `  subgraph floor${floor}["floor ${floor}"]\n    direction LR\n${nodes}  end\n`
    })
    .reverse()
  const down = floors.slice(1).map((_rooms, floor) => `  floor${floor + 1} --> floor${floor}\n`)
  const sideways = Object.entries(beside).flatMap(([room, others]) =>
    others.map((other) => `  ${id(room)} -.-> ${id(other)}\n`),
  )
  return `\`\`\`mermaid\nflowchart TB\n${boxes.join('')}${down.reverse().join('')}${sideways.join('')}\`\`\`\n`
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
  const drawings = { 'docs/architecture/README.md': picture(), 'src/README.md': roomTable() }
  return Object.fromEntries(
    Object.entries(drawings).map(([path, drawing]) => [path, drawnInto(root, path, drawing)]),
  )
}
