import { FileRejected } from './rejected.ts'
export function assertTrueType(_b: Uint8Array): void {
  throw new FileRejected('x')
}
