// Generates docs/reference from the code and its schemas.
import type { OpenApiDocument } from '../../../plugins/openapi/document.ts'
import { commandsPage } from './commands.ts'
import { designPage } from './design.ts'
import { environmentPage } from './environment.ts'
import { errorsPage } from './errors.ts'
import { eventsPage } from './events.ts'
import { pageHead } from './markdown.ts'
import { optionsPage } from './options.ts'
import { routesPage } from './routes.ts'
import { settingsPage } from './settings.ts'

const index = `${pageHead(
  'Reference',
  'this list',
  'Every page here is made from the code by `npm run generate`, and a test compares them.',
)}
- [Options](options.md): what a host passes to the plugins
- [Environment](environment.md): the variables of the example host and the commands
- [Routes](routes.md): every operation with parameters, body, example and errors
- [Errors](errors.md): every code, its causes, and the operations that respond with it
- [Events](events.md): what listeners, audit trail and webhooks report
- [Settings](settings.md): every setting of a shop
- [Commands](commands.md): \`svc-api\` and its options
- [Design format](design.md): views, elements, print areas, and what each property does in print
`

/** Path below the project's root and content of each page. */
export async function referencePages(
  root: string,
  document: OpenApiDocument,
): Promise<Record<string, string>> {
  const pages = {
    README: index,
    options: optionsPage(root),
    environment: environmentPage(),
    routes: routesPage(document),
    errors: errorsPage(document),
    events: eventsPage(root, document),
    settings: settingsPage(),
    commands: await commandsPage(root),
    design: designPage(),
  }
  return Object.fromEntries(
    Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, tidy(text)]),
  )
}

const tidy = (text: string) =>
  `${text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
