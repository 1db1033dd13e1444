// Whether a client sends what is stored, at any size.
import { parseExact, sameJson } from '../json.ts'
import { JsonText, jsonForThread } from '../json-text.ts'
import { largeFrom, offThread } from './off-thread.ts'

/** `sameJson`; large values are compared on the other thread. */
export async function isSameJson(value: unknown, text: string): Promise<boolean> {
  if (text.length < largeFrom && !(value instanceof JsonText)) return sameJson(value, text)
  return offThread(import.meta.url, 'sameTexts', jsonForThread(value), text)
}

/** Runs on the other thread. */
export const sameTexts = (sent: string, stored: string): boolean => sameJson(parseExact(sent), stored)
