// An SFTP server on a folder of this machine.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import ssh2 from 'ssh2'
import type { Test } from 'tap'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** @returns the options of a client, and the requests of clients in their order */
export async function sftpServer(t: Test, root: string) {
  const key = ssh2.utils.generateKeyPairSync('ed25519')
  const login = { username: 'press', password: 'ink' }
  const calls: string[] = []
  /** How many renames are refused from now on. */
  const failures = { renames: 0 }
  const server = new ssh2.Server({ hostKeys: [key.private] }, (connection) => {
    connection.on('error', () => {})
    connection.on('authentication', (request) => {
      const isRight =
        request.method === 'password' &&
        request.username === login.username &&
        request.password === login.password
      if (isRight) request.accept()
      else request.reject(['password'])
    })
    connection.on('session', (accept) =>
      accept().on('sftp', (acceptSftp) => {
        serve(acceptSftp(), root, calls, failures)
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const parsed = ssh2.utils.parseKey(key.public)
  if (parsed instanceof Error || Array.isArray(parsed)) throw new Error('The key cannot be read.')
  const hash = createHash('sha256').update(parsed.getPublicSSH()).digest('base64')
  const { port } = server.address() as AddressInfo
  const hostKey = `SHA256:${hash.replace(/=+$/, '')}`
  return { options: { host: '127.0.0.1', port, ...login, hostKey }, calls, failures }
}

function serve(sftp: ssh2.SFTPWrapper, root: string, calls: string[], failures: { renames: number }): void {
  const handles = new Map<number, { fd?: number; names?: string[] }>()
  let last = 0
  const pathOf = (path: string) => join(root, normalize(`/${path}`))
  const add = (handle: { fd?: number; names?: string[] }) => {
    handles.set(++last, handle)
    const id = Buffer.alloc(4)
    id.writeUInt32BE(last)
    return id
  }
  const handleOf = (id: Buffer) => handles.get(id.readUInt32BE()) ?? {}
  const attrsOf = ({ mode, uid, gid, size, atimeMs, mtimeMs }: fs.Stats) => ({
    mode,
    uid,
    gid,
    size,
    atime: Math.floor(atimeMs / 1000),
    mtime: Math.floor(mtimeMs / 1000),
  })
  /** Answers with the status of the work. */
  const status = (id: number, work: () => void) => {
    try {
      work()
      sftp.status(id, STATUS_CODE.OK)
    } catch (error) {
      const isMissing = Reflect.get(Object(error), 'code') === 'ENOENT'
      sftp.status(id, isMissing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE)
    }
  }
  const stat = (id: number, path: string) => {
    const found = fs.statSync(pathOf(path), { throwIfNoEntry: false })
    if (found) sftp.attrs(id, attrsOf(found))
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  }
  sftp.on('REALPATH', (id, path) => {
    const filename = normalize(`/${path}`)
    sftp.name(id, [{ filename, longname: filename, attrs: {} as never }])
  })
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('OPENDIR', (id, path) => sftp.handle(id, add({ names: fs.readdirSync(pathOf(path)) })))
  sftp.on('READDIR', (id, handle) => {
    const names = handleOf(handle).names?.splice(0) ?? []
    if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF)
    sftp.name(
      id,
      names.map((filename) => ({
        filename,
        longname: `-rw-r--r-- 1 u g 1 Jan 1 00:00 ${filename}`,
        attrs: {} as never,
      })),
    )
  })
  sftp.on('OPEN', (id, path, flags) => {
    calls.push(`open ${path}`)
    const mode = (flags & OPEN_MODE.WRITE) !== 0 ? 'w' : 'r'
    sftp.handle(id, add({ fd: fs.openSync(pathOf(path), mode) }))
  })
  sftp.on('WRITE', (id, handle, offset, data) =>
    status(id, () => void fs.writeSync(handleOf(handle).fd ?? -1, data, 0, data.length, offset)),
  )
  sftp.on('CLOSE', (id, handle) =>
    status(id, () => {
      const { fd } = handleOf(handle)
      if (fd !== undefined) fs.closeSync(fd)
    }),
  )
  sftp.on('MKDIR', (id, path) => status(id, () => fs.mkdirSync(pathOf(path))))
  sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('RENAME', (id, from, to) => {
    calls.push(`rename ${from} ${to}`)
    status(id, () => {
      if (failures.renames-- > 0 || fs.existsSync(pathOf(to))) throw new Error('refused')
      fs.renameSync(pathOf(from), pathOf(to))
    })
  })
}
