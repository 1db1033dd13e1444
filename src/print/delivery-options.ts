// The host's options about the delivery of finished print files, into a folder or to an SFTP server, and their schemas.
import { Type } from '@sinclair/typebox'
import {
  folderOption,
  type OptionsOf,
  optionsObject,
  seconds,
  stringOption,
  wholeNumber,
} from '../core/check-options.ts'
import { membersOf } from '../core/foreign.ts'
import { problemInTemplate } from '../core/print-name.ts'

const nonEmptyText = (must: string) => Type.String({ minLength: 1, must })

/** The schema of {@link SftpOptions}. */
const sftpOptions = optionsObject(
  {
    /** Name or address of the server. */
    host: nonEmptyText('be the name of a server'),
    /** Default 22. */
    port: Type.Optional(wholeNumber('a port', 65535)),
    /** The user to log in as. */
    username: nonEmptyText('be the name of a user'),
    /** Needed unless there is a private key. */
    password: Type.Optional(stringOption),
    /** A private key in PEM or OpenSSH format, as text. */
    privateKey: Type.Optional(stringOption),
    /** Decrypts the private key. */
    passphrase: Type.Optional(stringOption),
    /** Fingerprint of the server's key: `ssh-keyscan HOST | ssh-keygen -lf -` prints it. */
    hostKey: Type.String({
      pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
      must: 'be the fingerprint of the server\'s key, such as "SHA256:…", as "ssh-keyscan HOST | ssh-keygen -lf -" prints it',
    }),
    /** Folder on the server, which must exist. Default: the folder in which the user begins. */
    folder: Type.Optional(folderOption),
  },
  'be an object with the settings of an SFTP server',
)

/** An SFTP server that receives finished print files. */
export interface SftpOptions extends OptionsOf<(typeof sftpOptions)['properties']> {}

/** The schema of {@link DeliverOptions}. */
export const deliverOptions = Type.Object(
  {
    /** A folder that exists, such as the hot folder of a RIP or cutter. A file appears in it whole, by a rename. */
    folder: Type.Optional(folderOption),
    /** Instead of a folder on this machine. Needs the package `ssh2-sftp-client`. */
    sftp: Type.Optional(Type.Unsafe<SftpOptions>(sftpOptions)),
    /** Folders below, of the tags of `fileName` and `{status}`, such as `{date}/{product}`. Default: none. */
    path: Type.Optional(
      Type.String({
        minLength: 1,
        holds: (template: unknown) =>
          problemInTemplate(String(template), { mayHaveFolders: true }) === undefined,
        must: 'be a template of folders such as "{date}/{product}"',
      }),
    ),
    /** Seconds for one file; default 300. */
    seconds: Type.Optional(seconds(3600)),
  },
  {
    onlyKnown: true,
    holds: (value: unknown) => {
      const { folder, sftp } = membersOf(value) as Record<string, unknown>
      return (folder === undefined) !== (sftp === undefined)
    },
    must: 'be an object with folder or sftp',
  },
)

/** Where finished print files are delivered: a folder, or an SFTP server. */
export interface DeliverOptions extends OptionsOf<(typeof deliverOptions)['properties']> {}
