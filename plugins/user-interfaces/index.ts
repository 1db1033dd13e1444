// /user-interfaces: how the designer looks, and which of its layouts is the default.

import { flaggedRoutes } from '../../src/http/flagged-routes.ts'
import { group } from '../../src/http/group.ts'
import { userInterfacesRepository } from '../../src/profiles/layouts.ts'
import { NewUserInterface, UserInterface } from './schema.ts'

/** The routes of layouts. `default` is an alias of the id of the default layout, which is created on first use. */
export default group('user_interfaces', (app, context, declaration) => {
  flaggedRoutes(app, context, declaration, {
    singular: 'user_interface',
    alias: 'default',
    table: context.database.t.user_interfaces,
    repository: userInterfacesRepository(context),
    causes: { update: ['svc_user_interface_is_default'], remove: ['svc_user_interface_is_default'] },
    schemas: { resource: UserInterface, create: NewUserInterface },
  })
})
