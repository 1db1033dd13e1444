// Runs `svc-api check` and finds its findings by subject.
import type { Test } from 'tap'
import { commandIn } from './command.ts'

export interface Finding {
  level: string
  subject: string
  message: string
  details?: { missing?: string[]; statements?: string[]; off?: string[] } & object[]
}

/** Runs the check in a folder with an empty uploads folder and a file. */
export async function checked(t: Test, variables: Record<string, string>) {
  const folder = t.testdir({ uploads: {}, file: '' })
  const run = commandIn(t, folder)
  const outcome = await run(['check', '--json'], { UPLOADS_DIR: 'uploads', ...variables })
  const { ok, findings } = JSON.parse(outcome.stdout) as { ok: boolean; findings: Finding[] }
  return {
    ...outcome,
    ok,
    folder,
    on: (subject: string) => findings.find((each) => each.subject === subject),
  }
}
