// The suites of tests: which files each runs, how many at once, and what it needs.
import { availableParallelism } from 'node:os'
import { chromiumPath } from './peers/chromium.ts'
import { mcpClients } from './peers/mcp-clients.ts'
import { missingWoocommerce } from './wordpress/woocommerce.ts'
import { wordpressCode } from './wordpress/wordpress.ts'

export interface Suite {
  files: string
  /** Files at once. */
  jobs: number
  /** Seconds per file, which only end hangs. */
  timeout: number
  /** Installs what the tests need beside the database servers. */
  prepare?: () => Promise<unknown>
  withoutDatabases?: true
  /** How to get what cannot be installed; undefined if nothing is missing. */
  missing?: () => string | undefined
}

const cores = availableParallelism()
export const suites: Record<string, Suite> = {
  // More files than cores: they wait for databases, children and timers for about half of their time.
  default: { files: 'test/**/*.test.ts', jobs: cores + 2, timeout: 300, prepare: wordpressCode },
  // What needs no server and no package of the system, for any of them.
  unit: {
    files: 'test/src/{core/{check-options,turns},{client,json,outbound,workers}/*}.test.ts',
    jobs: cores,
    timeout: 120,
    withoutDatabases: true,
  },
  // The packed package as its users have it: examples, code and commands of the documents, hosts, `svc-api init`.
  installed: { files: 'test/**/*.installed.ts', jobs: cores + 1, timeout: 300, prepare: wordpressCode },
  // What is killed, hangs, waits for locks and deadlines, or is meant to be slow.
  // Nearly all of their time is waiting.
  faults: { files: 'test/**/*.faults.ts', jobs: cores + 2, timeout: 300, prepare: wordpressCode },
  soak: { files: 'test/soak/**/*.soak.ts', jobs: 1, timeout: 7200, prepare: wordpressCode },
  browser: { files: 'test/browser/**/*.browser.ts', jobs: cores, timeout: 600, prepare: chromiumPath },
  // One real S3 server for all.
  s3: { files: 'test/s3/**/*.s3.ts', jobs: cores, timeout: 120 },
  // Compares what the renderer draws with a browser.
  render: { files: 'test/render/**/*.render.ts', jobs: cores, timeout: 900, withoutDatabases: true },
  // Drives outside clients of the tools for agents.
  mcp: {
    files: 'test/mcp/**/*.mcp.ts',
    jobs: 1,
    timeout: 600,
    prepare: mcpClients,
    withoutDatabases: true,
  },
  // Beside a real WooCommerce, whose code the environment names.
  woocommerce: {
    files: 'test/woocommerce/**/*.woocommerce.ts',
    jobs: 1,
    timeout: 900,
    prepare: wordpressCode,
    missing: missingWoocommerce,
  },
}

/** The suites of `npm run check`, in this order. */
export const suitesOfCheck = ['default', 'installed', 'faults', 's3', 'browser', 'render', 'mcp']

/** The suite of a test file, by the end of its name. */
export const suiteOf = (path: string): string =>
  /\.(\w+)\.ts$/.exec(path)?.[1]?.replace(/^test$/, 'default') ?? ''
