// The findings of `svc-api doctor` about packages: those that a host may leave out, and sharp, whose binaries fit one kind of
// machine.
import { errorCode } from '../core/foreign.ts'
import { optionalPackage, requireBeside } from '../core/installed.ts'
import { pdfPackages } from '../renderer/pdf-packages.ts'
import { optionalFontPackages } from '../renderer/preset-fonts.ts'
import { type Finding, finding } from './finding.ts'

/** Optional packages by the subject of their finding; `use` continues a sentence: "Not installed: pdfkit, which draws print files." */
const optionalPackages = [
  { feature: 'Print files', subject: 'pdfkit', use: 'draws print files', packages: ['pdfkit'] },
  {
    feature: 'Print files',
    subject: 'pdfs',
    use: 'draw PDFs that customers uploaded',
    packages: [...pdfPackages],
  },
  {
    feature: 'Print files',
    subject: 'presets',
    use: 'draw texts in fonts of every computer, such as Arial, and characters that a font lacks',
    packages: optionalFontPackages,
  },
  {
    feature: 'Files',
    subject: 's3',
    use: 'store files on S3',
    packages: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner'],
  },
  {
    feature: 'Files',
    subject: 'sftp',
    use: 'delivers print files to an SFTP server',
    packages: ['ssh2-sftp-client'],
  },
  { feature: 'Pages', subject: 'reference', use: 'shows the reference page', packages: ['swagger-ui-dist'] },
  {
    feature: 'Agents',
    subject: 'mcp',
    use: 'serves the tools for agents',
    packages: ['@modelcontextprotocol/server'],
  },
  { feature: 'Host', subject: 'fastify', use: 'serves the API', packages: ['fastify'] },
]

function isInstalled(name: string): boolean {
  try {
    requireBeside(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch (error) {
    return errorCode(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  }
}

/** Findings by feature. @param installed whether a package is installed; tests pass another function */
export async function checkPackages(
  installed: (name: string) => boolean = isInstalled,
): Promise<[feature: string, Finding][]> {
  const findings = optionalPackages.map(({ feature, subject, use, packages }): [string, Finding] => {
    const missing = packages.filter((name) => !installed(name))
    if (missing.length === 0) return [feature, finding('ok', subject, `Installed: ${packages.join(', ')}.`)]
    const message = `Not installed: ${missing.join(', ')}, which ${use}.`
    return [feature, finding('off', subject, message, { missing }, [`npm install ${missing.join(' ')}`])]
  })
  return [...findings, ['Files', await checkSharp()]]
}

/** sharp consists of binaries, which are missing if the packages were installed on another kind of machine. */
async function checkSharp(): Promise<Finding> {
  try {
    await optionalPackage('sharp')
    return finding('ok', 'sharp', 'Pictures can be read and drawn.')
  } catch {
    const message = `sharp has no binary for ${process.platform}-${process.arch}: uploads of pictures and prints fail.`
    return finding('problem', 'sharp', message, undefined, [
      `npm install --include=optional --os=${process.platform} --cpu=${process.arch} sharp`,
    ])
  }
}
