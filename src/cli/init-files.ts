// The files of a new host, as `svc-api init` writes them.
import { version } from '../core/version.ts'

export const databases = ['mariadb', 'mysql', 'sqlite'] as const
export type DatabaseKind = (typeof databases)[number]

export interface NewHost {
  /** Name of the package. */
  name: string
  database: DatabaseKind
  /** Password of the database: letters and digits, since it stands in a URL, too. */
  password: string
}

/** Content of each file by its name. */
export function hostFiles(host: NewHost): Record<string, string> {
  return {
    'package.json': `${JSON.stringify(packageJson(host), null, 2)}\n`,
    'index.js': index,
    '.env': environment(host),
    '.gitignore': 'node_modules\n.env\nuploads\n*.sqlite*\n',
    ...(host.database !== 'sqlite' && { 'compose.yaml': compose(host) }),
  }
}

const command = 'node --env-file=.env node_modules/svc-api/dist/src/cli/main.js'

const packageJson = ({ name }: NewHost) => ({
  name,
  version: '0.0.0',
  private: true,
  type: 'module',
  scripts: {
    start: 'node --env-file=.env index.js',
    token: `${command} token`,
    check: `${command} check`,
  },
  dependencies: { fastify: '^5.12', pdfkit: '^0.20.2', 'svc-api': `^${version}` },
})

const index = `// Serves the product customizer's API on the database that .env names.
import { mkdir } from 'node:fs/promises'
import Fastify from 'fastify'
import svcApi, { ensureToken } from 'svc-api'

const { DATABASE_URL: database, SITE_URL: siteUrl, UPLOADS_DIR, HOST: host, PORT } = process.env
await mkdir(UPLOADS_DIR, { recursive: true })

// The times, in milliseconds, for a request to arrive, and without progress of a connection.
const app = Fastify({ logger: { level: 'warn' }, requestTimeout: 120_000, connectionTimeout: 200_000 })
app.register(svcApi, {
  database,
  siteUrl,
  // Creates the tables that are missing, and changes nothing else.
  migrate: true,
  // Let your web server serve this folder under the URL.
  uploads: { dir: UPLOADS_DIR, url: \`\${siteUrl}/uploads\` },
  // Draws print files here, with pdfkit.
  renderer: true,
  readinessPath: '/ready',
})
await app.ready()
await ensureToken({ database })

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close())
console.log(\`Serving \${await app.listen({ host, port: Number(PORT) })}/wp-json/svc/v1\`)
`

function environment({ database, password }: NewHost): string {
  const url = database === 'sqlite' ? 'sqlite:shop.sqlite' : `mysql://svc:${password}@127.0.0.1:3306/shop`
  return `DATABASE_URL=${url}
${database === 'sqlite' ? '' : `DATABASE_PASSWORD=${password}\n`}# The public URL of the shop, from which URLs in responses are made.
SITE_URL=http://localhost:3000
HOST=127.0.0.1
PORT=3000
UPLOADS_DIR=uploads
`
}

const images = {
  mariadb: {
    image: 'mariadb:11.4',
    prefix: 'MARIADB',
    health: '[CMD, healthcheck.sh, --connect, --innodb_initialized]',
  },
  mysql: {
    image: 'mysql:8.4',
    prefix: 'MYSQL',
    health: '[CMD-SHELL, "mysqladmin ping -h 127.0.0.1 -u svc -p$$MYSQL_PASSWORD"]',
  },
} as const

function compose({ database }: NewHost): string {
  const { image, prefix, health } = images[database === 'mysql' ? 'mysql' : 'mariadb']
  return `services:
  database:
    image: ${image}
    restart: unless-stopped
    environment:
      ${prefix}_DATABASE: shop
      ${prefix}_USER: svc
      ${prefix}_PASSWORD: \${DATABASE_PASSWORD:?is in .env}
      ${prefix}_RANDOM_ROOT_PASSWORD: "1"
    command: [--character-set-server=utf8mb4, --max-allowed-packet=64M]
    ports: ["127.0.0.1:3306:3306"]
    volumes: [database:/var/lib/mysql]
    healthcheck:
      test: ${health}
      start_period: 60s
      interval: 5s
      timeout: 5s
      retries: 12

volumes:
  database:
`
}
