// JSON merge patch (RFC 7396) on large JSON, which is not parsed.
import { parseExact } from '../json/exact.ts'
import { mergePatch } from '../json/values.ts'
import { Names, Positions } from './names.ts'
import { afterString, afterValue, isObjectText, propertiesAt, textOf } from './scan.ts'
import { Sink } from './sink.ts'

/** Objects whose JSON is shorter together are parsed, which is quicker. */
const parsedBelow = 64 * 1024
const empty = Buffer.from('{}')

/** As `mergePatch`. Both JSON texts, and the result, are as `rewritten` returns them. */
export function mergedJson(target: Uint8Array, patch: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const sink = new Sink(target.length + patch.length)
  writeMerged(sink, target, patch)
  return sink.written
}

function writeMerged(sink: Sink, target: Uint8Array, patch: Uint8Array): void {
  if (!isObjectText(patch)) {
    sink.bytes(patch)
    return
  }
  const base = isObjectText(target) ? target : empty
  if (base.length + patch.length < parsedBelow) {
    sink.text(JSON.stringify(mergePatch(parseExact(textOf(base)), parseExact(textOf(patch)))))
    return
  }
  const starts = new Positions()
  for (const { name } of propertiesAt(base)) starts.push(name)
  const names = new Names(base, starts)
  for (let at = 0; at < starts.length; at++) names.add(at)
  /** For each property, where the patch names it; 0 if it does not. */
  const patched = new Uint32Array(starts.length)
  const added = new Positions()
  for (const { name } of propertiesAt(patch)) {
    const known = names.find(patch, name)
    if (known >= 0) patched[known] = name
    else added.push(name)
  }
  const written = new Positions()
  const add = (name: Uint8Array, value: () => void) => {
    if (written.length > 0) sink.text(',')
    written.push(sink.length)
    sink.bytes(name)
    value()
  }
  sink.text('{')
  for (let at = 0; at < starts.length; at++) {
    const [name, value, stored] = propertyAt(base, starts.at(at))
    const place = patched[at] ?? 0
    const sent = place > 0 ? propertyAt(patch, place)[2] : undefined
    if (!sent) add(base.subarray(name, value), () => sink.bytes(stored))
    else if (!isNull(sent)) add(base.subarray(name, value), () => writeMerged(sink, stored, sent))
  }
  for (let at = 0; at < added.length; at++) {
    const [name, value, sent] = propertyAt(patch, added.at(at))
    if (!isNull(sent)) add(patch.subarray(name, value), () => writeMerged(sink, empty, sent))
  }
  sink.order(written)
  sink.text('}')
}

/** Where the property's name and value begin, and the value. */
function propertyAt(json: Uint8Array, name: number): [name: number, value: number, json: Uint8Array] {
  const value = afterString(json, name) + 1
  return [name, value, json.subarray(value, afterValue(json, value))]
}

const isNull = (json: Uint8Array) => json[0] === 110
