// The choice among storages: what settings and options say, and where rows lead.
import t from 'tap'
import { checkOptions } from '../../../src/core/check-options.ts'
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { type StorageOptions, storageOptions } from '../../../src/storage/options.ts'
import { type StoredAt, storages } from '../../../src/storage/storages.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'

function choice(options: StorageOptions | undefined, rows: Record<string, string>) {
  const stored = new Map(Object.entries(rows))
  let reads = 0
  const found = storages({
    local: localStorage('/nowhere', 'https://shop.example/uploads'),
    options,
    readSettings: async () => {
      reads++
      return stored
    },
  })
  const place = async () => {
    const { storage, location } = await found.current()
    return [storage, location]
  }
  const urls = (...files: (StoredAt | undefined)[]) => found.urls(files)
  return { ...found, stored, place, urls, reads: () => reads }
}

const dropboxRows = {
  svc_ae_cloud: 'dropbox',
  svc_ae_dropbox_client_id: 'hidden-value',
  svc_ae_dropbox_secret: 'hidden-value',
  svc_ae_dropbox_refresh_token: 'hidden-value',
}
const s3Rows = { svc_ae_cloud: 's3', svc_ae_s3_bucket: 'shop' }
const at = (storage: string, location: string | null, url?: string): StoredAt => ({
  key: 'svc/a b.png',
  storage,
  location,
  ...(url !== undefined && { url }),
})

t.test('storages: the settings decide, each time anew', async (t) => {
  const { place, stored } = choice(undefined, {})
  t.same(await place(), ['local', null])
  for (const [key, value] of Object.entries(s3Rows)) stored.set(key, value)
  t.same(await place(), ['s3', 'us-east-2/shop/svc-print-ready-files'])
  stored.set('svc_ae_s3_region', ' eu-central-1 ').set('svc_ae_s3_root_dir', '/a/b/')
  t.same(await place(), ['s3', 'eu-central-1/shop/a/b'])
  for (const [key, value] of [
    ['svc_ae_s3_access_key', ' '],
    ['svc_ae_s3_access_secret', ''],
  ] as const)
    stored.set(key, value)
  t.same(await place(), ['s3', 'eu-central-1/shop/a/b'], 'what is empty is absent')
  stored.set('svc_ae_cloud', 'none')
  t.same(await place(), ['local', null])
})

t.test('storages: options come before settings, property by property', async (t) => {
  const { place } = choice({ use: 's3', s3: { region: 'eu-west-1' } }, { ...s3Rows, svc_ae_cloud: 'dropbox' })
  t.same(await place(), ['s3', 'eu-west-1/shop/svc-print-ready-files'])
  const none = choice({ use: 'none' }, s3Rows)
  t.same(await none.place(), ['local', null])
  t.equal(none.reads(), 0)
})

t.test('storages: what is missing or impossible is named, without its value', async (t) => {
  for (const [rows, sentence] of [
    [{ svc_ae_cloud: 's3' }, /no bucket/],
    [{ ...s3Rows, svc_ae_s3_bucket: '../hidden-value' }, /name of the S3 bucket is invalid/],
    [{ ...s3Rows, svc_ae_s3_region: 'eu.evil.example/hidden-value' }, /name of the S3 region is invalid/],
    [{ ...s3Rows, svc_ae_s3_root_dir: 'a/../hidden-value' }, /root directory must be a plain path/],
    [{ ...s3Rows, svc_ae_s3_access_key: 'hidden-value' }, /Only one of/],
    [{ ...s3Rows, svc_ae_s3_acl: 'hidden-value' }, /S3 ACL must be one of none, private, public-read,/],
    [{ svc_ae_cloud: 'dropbox' }, /Dropbox .* not set/],
    [{ ...dropboxRows, svc_ae_dropbox_client_id: '' }, /Dropbox .* not set/],
    [{ ...dropboxRows, svc_ae_dropbox_secret: ' ' }, /Dropbox .* not set/],
    [{ ...dropboxRows, svc_ae_dropbox_refresh_token: '' }, /Dropbox .* not set/],
    [{ svc_ae_cloud: 'ftp' }, /"ftp" is not configured/],
  ] as const) {
    const error: Error & { code?: string } = await choice(undefined, rows)
      .current()
      .then(
        () => new Error('It was accepted.'),
        (reason) => reason,
      )
    t.equal(error.code, 'svc_storage_not_configured')
    t.match(error.message, sentence)
    t.notMatch(error.message, /hidden-value/)
  }
})

t.test(
  'storages: a file of an earlier bucket has the URL of that bucket, and a public URL is that of the current one',
  async (t) => {
    const { urls } = choice({ s3: { publicUrl: 'https://cdn.example/' } }, s3Rows)
    t.same(
      await urls(
        at('local', null),
        at('s3', 'us-east-2/shop/svc-print-ready-files'),
        at('s3', 'eu-central-1/old/a/b'),
        at('s3', 'cn-north-1/my.bucket/'),
        undefined,
      ),
      [
        'https://shop.example/uploads/svc/a%20b.png',
        'https://cdn.example/svc/a%20b.png',
        'https://old.s3.eu-central-1.amazonaws.com/a/b/svc/a%20b.png',
        'https://s3.cn-north-1.amazonaws.com.cn/my.bucket/svc/a%20b.png',
        null,
      ],
    )
  },
)

t.test('storages: another vendor serves by path, below the path of its endpoint', async (t) => {
  const location = 'us-east-2/shop/x'
  const { urls } = choice({ s3: { endpoint: 'https://minio.example:9000/s3/' } }, s3Rows)
  t.same(await urls(at('s3', location)), ['https://minio.example:9000/s3/shop/x/svc/a%20b.png'])
  const host = choice({ s3: { endpoint: 'https://fra.vendor.example', pathStyle: false } }, s3Rows)
  t.same(await host.urls(at('s3', location)), ['https://shop.fra.vendor.example/x/svc/a%20b.png'])
})

t.test('storages: where S3 was, its files have their URLs although the settings are empty now', async (t) => {
  const { urls } = choice(undefined, {})
  t.same(await urls(at('s3', 'eu-central-1/old/a')), [
    'https://old.s3.eu-central-1.amazonaws.com/a/svc/a%20b.png',
  ])
})

t.test('storages: a storage that is configured no more leaves the URL that was stored', async (t) => {
  const { urls, at: filesAt } = choice(undefined, {})
  const link = 'https://www.dropbox.com/scl/fi/x?raw=1'
  t.same(await urls(at('dropbox', '', link), at('dropbox', ''), at('vault', null)), [link, null, null])
  await t.rejects(filesAt({ storage: 'vault', location: null }), { code: 'svc_storage_not_configured' })
  await t.rejects(filesAt({ storage: 'constructor', location: null }), { code: 'svc_storage_not_configured' })
})

t.test('storages: the settings are read once for a whole list, and not for local files', async (t) => {
  const { urls, reads } = choice(undefined, s3Rows)
  await urls(at('local', null), at('local', null))
  t.equal(reads(), 0)
  await urls(...Array.from({ length: 100 }, () => at('s3', 'eu-central-1/old/a')))
  t.equal(reads(), 1)
})

t.test('one client serves the same settings, and the host’s own storage is used as it is', async (t) => {
  const { at: filesAt, current } = choice({ own: { vault: memoryStorage() } }, s3Rows)
  const { files, ...place } = await current()
  t.equal(await filesAt(place), files)
  t.not(await filesAt({ storage: 's3', location: 'eu-central-1/old/a' }), files)
  const vault = await filesAt({ storage: 'vault', location: null })
  await vault.put('a/b', Buffer.from('x'))
  t.match(await vault.stat('a/b'), { size: 1 })
})

t.test('a failing storage of the host is 502, and its words stay out of the response', async (t) => {
  const files = memoryStorage()
  files.stat = async () => {
    throw new Error('secret of the host')
  }
  const { at: filesAt } = choice({ own: { vault: files } }, {})
  const vault = await filesAt({ storage: 'vault', location: null })
  await t.rejects(vault.stat('a/b'), {
    code: 'svc_storage_unavailable',
    statusCode: 502,
    message: /^The file storage/,
  })
  await t.rejects(vault.open('a/none'), { code: 'ENOENT' })
  await t.rejects(vault.put('../a', Buffer.from('x')), /storage key/)
})

t.test(
  'storages: each storage that the settings offer takes new files, is found for old ones, and its name is taken',
  async (t) => {
    const [cloud] = settingsCatalog().all.filter(({ id }) => id === 'svc_ae_cloud')
    const names = cloud?.choices?.filter((name) => name !== 'none') ?? []
    t.ok(names.includes('s3'))
    for (const name of names) {
      const found = choice(undefined, { svc_ae_cloud: name })
      const unset = { code: 'svc_storage_not_configured', message: /chosen|not set/ }
      await t.rejects(found.current(), unset, `${name} in targetOf`)
      await t.rejects(found.at({ storage: name, location: null }), unset, `${name} in filesAt`)
      const own = { own: { [name]: memoryStorage() } }
      t.throws(() => checkOptions(storageOptions, own), /own/, `${name} in taken`)
      t.match(storageOptions.properties.use.must, `"${name}"`)
    }
  },
)
