// The files of a new host, as `svc-api init` writes them.
import { readFile } from 'node:fs/promises'
import { version } from '../core/version.ts'

/** The database servers that `svc-api init --database` knows. */
export const databases = ['mariadb', 'mysql', 'sqlite'] as const
export type DatabaseKind = (typeof databases)[number]

/** What the files of a new host depend on. */
export interface NewHost {
  /** Name of the package. */
  name: string
  database: DatabaseKind
  /** Password of the database: letters and digits, since it stands in a URL, too. */
  password: string
  /** Password of the user admin of the pages. */
  adminPassword: string
  /** Key that signs the forms of the pages. */
  formSecret: string
}

/** Files that are the same in every new host, below the folder of examples. */
const templates = [
  'README.md',
  'tsconfig.json',
  'src/app.ts',
  'src/login.ts',
  'src/server.ts',
  'test/app.test.ts',
] as const

/** Content of each file by its path below the folder of the host. */
export async function hostFiles(host: NewHost): Promise<Record<string, string>> {
  // The compiled file lies one folder deeper.
  const examples = import.meta.url.endsWith('.ts') ? '../../examples' : '../../../examples'
  const copies = templates.map(async (path) => [
    path,
    await readFile(new URL(`${examples}/new-host/${path}`, import.meta.url), 'utf8'),
  ])
  return {
    'package.json': `${JSON.stringify(packageJson(host), null, 2)}\n`,
    ...Object.fromEntries(await Promise.all(copies)),
    '.env': environment(host),
    '.gitignore': 'node_modules\n.env\nuploads\n*.sqlite*\n',
    ...(host.database !== 'sqlite' && { 'compose.yaml': compose(host) }),
  }
}

const command = 'exec node --env-file=.env node_modules/svc-api/dist/src/cli/main.js'

const packageJson = ({ name }: NewHost) => ({
  name,
  version: '0.0.0',
  private: true,
  type: 'module',
  scripts: {
    // `exec` lets a signal to npm reach the server.
    start: 'exec node --env-file=.env src/server.ts',
    dev: 'exec node --watch --env-file=.env src/server.ts',
    test: "node --test 'test/*.test.ts'",
    typecheck: 'tsc',
    // Commands on the database of .env: npm run svc-api -- check
    'svc-api': command,
    token: `${command} token`,
    doctor: `${command} doctor`,
  },
  dependencies: {
    '@expo-google-fonts/arimo': '^0.4.3',
    '@fastify/static': '^10.1.11',
    'dejavu-fonts-ttf': '^2.37.3',
    fastify: '^5.12',
    pdfkit: '~0.20.2',
    'svc-api': `^${version}`,
    'swagger-ui-dist': '^5.35.0',
  },
  devDependencies: { '@types/node': '^24.0.0', typescript: '^7.0.2' },
})

function environment({ database, password, adminPassword, formSecret }: NewHost): string {
  const url = database === 'sqlite' ? 'sqlite:shop.sqlite' : `mysql://svc:${password}@127.0.0.1:3306/shop`
  return `DATABASE_URL=${url}
${database === 'sqlite' ? '' : `DATABASE_PASSWORD=${password}\n`}# The public URL of the shop, from which URLs in responses are made.
SITE_URL=http://localhost:3000
HOST=127.0.0.1
PORT=3000
UPLOADS_DIR=uploads
# Of the user admin of the pages.
ADMIN_PASSWORD=${adminPassword}
FORM_SECRET=${formSecret}
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
