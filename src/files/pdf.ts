import { FileRejected } from './rejected.ts'
export function assertPassivePdf(_b: Uint8Array): void {
  throw new FileRejected('x')
}
