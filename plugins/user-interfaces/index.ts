// /user-interfaces: how the designer looks, and which of its layouts is the default.
import type { Declaration } from '../../src/core/groups.ts'
import { group } from '../../src/http/group.ts'
import { markedRoutes } from '../../src/http/marked-routes.ts'
import { userInterfacesRepository } from '../../src/profiles/layouts.ts'
import { NewUserInterface, UserInterface } from './schema.ts'

const declaration = {
  name: 'user_interfaces',
  path: '/user-interfaces',
  tag: 'Layouts of the designer.',
  toggle: { label: 'User Interfaces API' },
  errors: {
    svc_user_interface_not_found: [404, 'No user interface layout with this id.'],
    svc_user_interface_is_default: [
      409,
      'One layout must always be the default; make another one the default first.',
    ],
  },
  missing: 'svc_user_interface_not_found',
  events: ['user_interface'],
  counts: { user_interfaces: 'user_interfaces' },
} as const satisfies Declaration

/** The routes of layouts. `default` is an alias of the id of the default layout, which is created on first use. */
export default group(declaration, (app, context) => {
  markedRoutes(app, context, declaration, {
    one: 'user_interface',
    word: 'default',
    table: context.database.t.user_interfaces,
    repository: userInterfacesRepository(context),
    causes: { update: ['svc_user_interface_is_default'], remove: ['svc_user_interface_is_default'] },
    schemas: { resource: UserInterface, create: NewUserInterface },
  })
})
