// The entry point `svc-api/testing`: conformance suites for a host's storages and providers.
export { type ConformanceCase, storageConformance } from '../src/storage/conformance.ts'
