// The rooms of the source and the arrows between them: what test/architecture.test.ts enforces and the documents draw.

/** What each room contains, for the documents. */
export const contents: Readonly<Record<string, string>> = {
  plugins: 'the root plugin `index.ts` and the list of groups `groups.ts`',
  'src/cli': 'the command `svc-api`',
  'plugins/*': 'routes and schemas of a group; opt-in plugins such as the settings screen and the desk',
  'src/pages': 'what all pages share: who is admitted, headers, forms, the frame, the style',
  'src/http':
    'what all routes share: authentication, validation, responses, errors, conditional requests, uploads',
  'src/app': 'the services of one registration and their options, the snapshot of an installation',
  'src/upkeep':
    'functions a host calls: creates tables and the token, compares files with rows, erases a customer’s data',
  'src/mcp': 'the operations as tools for agents, made from the OpenAPI document; the MCP server',
  'src/client': 'the typed client `svc-api/client`, which runs in browsers, too',
  'src/orders': 'orders of the shop, of forms and of the shortcode behind one interface; erasure',
  'src/print': 'print jobs and files: downloading, storing, completing, exports, providers',
  'src/catalog': 'products, views, categories: rows and rules',
  'src/library': 'design categories, colors, text templates, fonts, assets',
  'src/profiles': 'print profiles, layouts, pricing rules',
  'src/renderer': 'designs drawn as print files and previews, in child processes',
  'src/settings': 'the catalog of settings, their values, option rows, tokens, toggles, facts about the CMS',
  'src/legacy':
    'rows of legacy installations: read, imported, mirrored; options are written through the writer it is given',
  'src/changes': 'what happens with each change: audit trail, outbox, delivery of webhooks',
  'src/db': 'connections, schema, dialects, transactions, stored encodings, what repositories share',
  'src/storage':
    'the contract of file storages, its conformance suite, local disk, S3, Dropbox, and the choice among them',
  'src/files': 'checks of uploaded files, which run in child processes',
  'src/workers': 'the one host of child processes with their limits, and the fair queue',
  'src/json': 'reading JSON, the only place that calls JSON.parse; exact numbers, merge patches, comparison',
  'src/outbound': 'requests to servers that others name, only to public addresses; signatures of webhooks',
  'src/core': 'errors, what groups declare, deadlines, principal, scopes, changes, resources, trace, version',
}

/** Floor by floor; a room may import the floors below it. A room that is not here may not exist. */
export const floors = [
  ['src/core', 'src/json'],
  ['src/db', 'src/storage', 'src/outbound', 'src/workers'],
  ['src/files', 'src/legacy', 'src/settings', 'src/changes'],
  ['src/catalog', 'src/library', 'src/profiles', 'src/renderer'],
  ['src/print', 'src/orders'],
  ['src/app', 'src/upkeep', 'src/mcp', 'src/client'],
  ['src/http'],
  ['src/pages'],
  ['plugins/*'],
  ['plugins', 'src/cli'],
]

/** The rooms of the same floor that a room may import, too. */
export const beside: Record<string, string[]> = {
  'src/settings': ['src/legacy'],
  'src/orders': ['src/print'],
  'src/cli': ['plugins'],
}

/** Rooms that may import less than the floors below them. */
export const narrow: Record<string, string[]> = {
  // Runs in browsers, too.
  'src/client': ['src/json'],
  'src/mcp': ['src/core', 'src/json'],
  'src/http': ['src/app', 'src/settings', 'src/core', 'src/json'],
  'src/files': ['src/workers', 'src/core'],
  'src/storage': ['src/core', 'src/json'],
}

export const arrows: Record<string, string[]> = Object.fromEntries(
  floors.flatMap((rooms, floor) =>
    rooms.map((room) => [room, narrow[room] ?? [...floors.slice(0, floor).flat(), ...(beside[room] ?? [])]]),
  ),
)

/** Where a package may be imported; packages that are not here may not be imported at all. */
export const homes: Record<string, RegExp> = {
  kysely: /^src\/(db|changes|legacy|settings|catalog|library|profiles|print|orders|app)\//,
  mysql2: /^src\/db\//,
  '@modelcontextprotocol/server': /^src\/mcp\/(server|stdio)\.ts$/,
  '@sinclair/typebox':
    /^(src\/(http|storage)|plugins\/[^/]+)\/|\/(check-options|options|queries|context-options|renderer-options|auto-print-options|delivery-options)\.ts$/,
  ajv: /^src\/(http\/(validate|problems)|core\/check-options)\.ts$/,
  fastify:
    /^(src\/(http|pages)\/|src\/app\/(context(-options)?|open-storages)\.ts$|src\/cli\/served-document\.ts$|plugins\/)/,
  'fastify-plugin': /^(src\/http\/group\.ts$|plugins\/)/,
  '@fastify/multipart': /^src\/http\/upload\.ts$/,
  dompurify: /^src\/files\//,
  jsdom: /^src\/files\//,
  entities: /^src\/orders\/shop-text\.ts$/,
  'ipaddr.js': /^src\/outbound\/addresses\.ts$/,
  uqr: /^src\/core\/qr-code\.ts$/,
  saxes: /^src\/(files|renderer)\//,
  sharp: /^src\/(files|renderer)\//,
  'bidi-js': /^src\/renderer\//,
  fontkit: /^src\/(files|renderer)\//,
  pdfkit: /^src\/renderer\//,
  'ssh2-sftp-client': /^src\/print\/delivery-sftp\.ts$/,
  standardwebhooks: /^src\/outbound\/signature\.ts$/,
  '@aws-sdk/client-s3': /^src\/storage\/s3(-client)?\.ts$/,
  '@aws-sdk/lib-storage': /^src\/storage\/s3-client\.ts$/,
  '@aws-sdk/s3-request-presigner': /^src\/storage\/s3-client\.ts$/,
  'node:fs':
    /^src\/(core\/installed|storage\/(local|local-files|conformance)|print\/(bundle-file|download|temporary-files|pictures|delivery-folder)|cli\/[^/]+|renderer\/(file-copies|renderer|task-runner|process|render|materials|loaded-faces|pdf-file|press-colors|picture-for-press|press-settings))\.ts$|^plugins\/reference\/index\.ts$/,
}
