// The Dockerfile and the compose file of the example host without a checkout: what can be checked without Docker.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { readEnvironment } from '../../examples/host/environment.ts'
import { originOf } from '../../examples/host/port.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const dockerfile = read('examples/standalone/Dockerfile')
/** Its instructions, each in one line, without comments. */
const instructions = dockerfile
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .trim()
  .split('\n')
const instruction = (name: string) => instructions.find((line) => line.startsWith(`${name} `)) ?? ''

t.test('Dockerfile: it installs every optional package in the version that this package needs', async (t) => {
  const { peerDependencies } = JSON.parse(read('package.json'))
  const installed = instructions.filter((line) => line.startsWith('RUN ')).join(' ')
  for (const [name, range] of Object.entries(peerDependencies)) t.match(installed, ` ${name}@${range} `, name)
  t.match(installed, ' --ignore-scripts ', 'no compiler is needed, and no package reports its installation')
})

t.test('Dockerfile: not as root, signals reach the program, and health is asked', async (t) => {
  const known = /^(FROM|WORKDIR|ARG|COPY|RUN|ENV|VOLUME|USER|EXPOSE|HEALTHCHECK|CMD) \S/
  for (const line of instructions) t.match(line, known)
  t.ok(instructions.indexOf('USER node') > instructions.findIndex((line) => line.startsWith('RUN ')))
  const command = JSON.parse(instruction('CMD').slice('CMD '.length))
  t.strictSame(command, ['node', 'node_modules/svc-api/dist/src/cli/main.js', 'serve'])
  t.match(instruction('HEALTHCHECK'), '/ready')
  const { groups } = /^FROM node:(?<major>\d+)-/.exec(instruction('FROM')) ?? {}
  t.match(JSON.parse(read('package.json')).engines.node, `^${groups?.major}.`)
})

t.test(
  'compose.yaml: a read-only root, and writes only to the volume and the temporary folder',
  async (t) => {
    const { services, volumes } = parse(read('examples/standalone/compose.yaml'))
    const { api } = services
    t.match(api, { read_only: true, tmpfs: ['/tmp'], volumes: ['data:/data'], cap_drop: ['ALL'] })
    t.strictSame(Object.keys(volumes), ['database', 'data'])
    t.ok(services.database.healthcheck.test.includes('--innodb_initialized'))
  },
)

t.test('Dockerfile and compose.yaml: the host accepts their variables', async (t) => {
  const { services } = parse(read('examples/standalone/compose.yaml'))
  const ofImage = Object.fromEntries(
    [...instruction('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
  const ofCompose = Object.fromEntries(
    Object.entries<string>(services.api.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{(\w+):\?[^}]*\}/g, 'abcdef123456'),
    ]),
  )
  t.match(readEnvironment(ofImage), { database: 'sqlite:/data/svc.sqlite', host: '0.0.0.0', port: 3000 })
  t.match(readEnvironment({ ...ofImage, ...ofCompose }), {
    database: 'mysql://svc:abcdef123456@database:3306/shop',
    uploadsDir: '/data/uploads',
    adminPassword: 'abcdef123456',
  })
})

t.test('originOf: a host on all interfaces is opened as localhost', async (t) => {
  t.equal(originOf('0.0.0.0', 3000), 'http://localhost:3000')
  t.equal(originOf('::', 3000), 'http://localhost:3000')
  t.equal(originOf('::1', 3000), 'http://[::1]:3000')
  t.equal(originOf('192.0.2.7', 3000), 'http://192.0.2.7:3000')
})

t.test(
  '`npm run image`: builds the Dockerfile with this package, and CI runs it without a push',
  async (t) => {
    const { scripts, files } = JSON.parse(read('package.json'))
    const [pack = '', docker = ''] = scripts.image.split(' && ')
    t.equal(pack, 'npm pack --pack-destination examples/standalone')
    const [, argument = ''] =
      /--build-arg (\w+)=\.\/svc-api-\$npm_package_version\.tgz .* examples\/standalone$/.exec(docker) ?? []
    t.match(dockerfile, new RegExp(`^ARG ${argument}=`, 'm'))
    t.match(argument, /./)
    t.ok(files.includes('!**/*.tgz'), 'the tarball does not get into the next package')
    const ci = read('.github/workflows/ci.yml')
    t.match(ci, /- run: npm run image\n +- run: npm run image:try\n/)
    t.notMatch(ci, /push: true|docker push|docker\/login/)
  },
)
