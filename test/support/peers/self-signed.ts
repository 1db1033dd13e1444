/** Certificates for servers of tests. */
import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'
import { ensureCommands } from '../debian.ts'

/** Makes a key and a certificate for 127.0.0.1 that nobody trusts. @returns the paths of both PEM files */
export async function selfSigned(t: Test): Promise<{ key: string; cert: string }> {
  const { openssl } = await ensureCommands({ openssl: 'openssl' })
  const dir = t.testdir({})
  const [key, cert] = [`${dir}/key`, `${dir}/cert`]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync(openssl, ['req', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  return { key, cert }
}
