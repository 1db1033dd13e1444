// /user-interfaces: how the designer looks, and which of its layouts is the default.
import { foundOr404 } from '../../src/http/found.ts'
import { group } from '../../src/http/group.ts'
import { markedRoutes } from '../../src/http/marked-routes.ts'
import { userInterfacesRepository } from '../../src/profiles/layouts.ts'
import { NewUserInterface, UserInterface, UserInterfacePatch } from './schema.ts'

/** The routes of layouts. `default` is an alias of the id of the default layout, which is created on first use. */
export default group('user_interfaces', 'user_interfaces', (app, context) => {
  markedRoutes(app, context, {
    path: 'user-interfaces',
    names: { one: 'user_interface', many: 'user_interfaces' },
    word: 'default',
    table: context.database.t.user_interfaces,
    repository: userInterfacesRepository(context),
    found: foundOr404('svc_user_interface_not_found', 'user interface layout'),
    schemas: { resource: UserInterface, create: NewUserInterface, patch: UserInterfacePatch },
  })
})
