// Facts about files stand in one place each: types in `file-types.ts`, folders in `folders.ts`.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { sandboxed, types } from '../../../examples/host/uploads.ts'
import { fileTypes, hasSignature, typeByExtension, typesFor } from '../../../src/files/file-types.ts'
import { shownTypes } from '../../../src/storage/s3-files.ts'

const root = resolve(import.meta.dirname, '../../..')

t.test('fileTypes: the example host serves inline exactly the types of the table', async (t) => {
  const inline = typesFor('inline').map((type) => fileTypes[type])
  const expected = inline.flatMap(({ extensions, mimeType }) =>
    extensions.map((extension) => [`.${extension}`, mimeType]),
  )
  t.strictSame(types, Object.fromEntries(expected))
})

t.test('fileTypes: the example host sandboxes exactly the types that can hold scripts', async (t) => {
  const scriptable = Object.values(fileTypes).filter((type) => 'scriptable' in type)
  t.strictSame(
    [...sandboxed].sort(),
    scriptable.flatMap(({ extensions }) => extensions.map((e) => `.${e}`)).sort(),
  )
})

t.test('no other source file names a MIME type of an uploaded file, or one of the folders', async (t) => {
  const tables = ['src/files/file-types.ts', 'src/files/folders.ts']
  // The storage may not import the table; the test below holds its copy equal. The others are no facts about uploads.
  const others = ['src/storage/s3-files.ts', 'src/http/preview.ts', 'plugins/openapi/examples.ts']
  for (const file of globSync('{src,plugins}/**/*.ts', { cwd: root, exclude: [...tables, ...others] })) {
    const code = readFileSync(resolve(root, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    t.notMatch(
      code,
      /['"`](image\/(png|jpeg|svg\+xml)|application\/pdf|svc\/(uploads|fonts|print_files))/,
      file,
    )
  }
})

t.test('fileTypes: the types of a bucket are those of the table', async (t) => {
  for (const [extension, type] of Object.entries(shownTypes)) {
    const known = typeByExtension(extension, 'asset')
    t.equal(known && fileTypes[known].mimeType, type, extension)
  }
})

t.test('fileTypes: an extension names a type only for the uses that accept it', async (t) => {
  t.equal(typeByExtension('jpeg', 'asset'), 'jpeg')
  t.equal(typeByExtension('ttf', 'asset'), undefined)
  t.equal(typeByExtension('ttf', 'font'), 'ttf')
  t.equal(typeByExtension('constructor', 'asset'), undefined)
})

t.test('fileTypes: a signature matches from the first byte on, and only as a whole', async (t) => {
  t.equal(hasSignature('RIFF\x10\0\0\0WEBPVP8 ', 'webp'), true)
  t.equal(hasSignature('RIFF\x10\0\0\0WAVEfmt ', 'webp'), false)
  t.equal(hasSignature('%PD', 'pdf'), false)
  t.equal(hasSignature(' %PDF-1.7', 'pdf'), false)
})
