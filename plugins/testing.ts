// What a host tests its own parts with: `svc-api/testing`.
export { type ConformanceCase, storageConformance } from '../src/storage/conformance.ts'
