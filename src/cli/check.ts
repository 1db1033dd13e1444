// `svc-api check`: what is wrong with an installation, and what would be created.
import { type Command, exit } from './command.ts'
import { readEnvironment } from './environment.ts'
import { checkFiles } from './file-check.ts'
import { checkDatabase, checkUploads, type Finding } from './installation-check.ts'
import { withProgress } from './progress.ts'
import { reachDatabase } from './reach.ts'

export const check: Command = {
  summary: 'checks tables, stored values, uploads folder, token and toggles',
  help: `Usage: svc-api check [--files] [--json]

Checks the installation and changes nothing: tables, columns and engines, values that cannot be read, the uploads folder, the
token, the toggles. Names what "svc-api migrate" would create. The exit code is 1 if a problem was found; warnings alone give 0.

  --files  also compares the files of all storages with the rows that name them
  --json   prints {"ok": …, "findings": [{"level": "ok" | "warning" | "problem", "subject": …, "message": …, "details": …}]}`,
  options: { files: { type: 'boolean' } },
  async run({ flags, variables, print, say }) {
    const environment = readEnvironment(variables)
    const findings = await withProgress(say, 'Checking the database', async (report) => {
      await reachDatabase(environment)
      return checkDatabase(environment, report)
    })
    findings.push(await checkUploads(environment))
    const hasTables = findings.every(({ level, subject }) => subject !== 'tables' || level === 'ok')
    if (flags.files === true && hasTables)
      findings.push(
        ...(await withProgress(say, 'Checking the files', () => checkFiles(variables, environment))),
      )
    const isSound = findings.every(({ level }) => level !== 'problem')
    print(findings.map(lineOf).join('\n'), { ok: isSound, findings })
    return isSound ? exit.ok : exit.problem
  },
}

const lineOf = ({ level, subject, message }: Finding) => `${level.padEnd(8)} ${subject.padEnd(9)} ${message}`
