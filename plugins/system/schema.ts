// The schema of the snapshot that /system returns.
import { Type } from '@sinclair/typebox'
import { integrationNames } from '../../src/app/integrations.ts'
import { countNames } from '../../src/app/snapshot.ts'
import { TextOrNull } from '../../src/http/schema.ts'
import { toggleNames } from '../../src/settings/toggles.ts'

/** An object with a property of the same type for each name. */
const record = <K extends string>(
  names: readonly K[],
  value: ReturnType<typeof Type.Boolean> | ReturnType<typeof Type.Integer>,
  description: string,
) => Type.Object(Object.fromEntries(names.map((name) => [name, value])), { description })

/** The data of GET. */
export const System = Type.Object({
  plugin: Type.String({ description: 'Name of this software.' }),
  version: Type.String({ description: 'Its version.' }),
  api_namespace: Type.Literal('svc/v1', { description: 'Path of the API below the REST root.' }),
  site_url: Type.String({ description: 'URL of the site.' }),
  rest_base: Type.String({ description: 'Base URL of the namespace.' }),
  integrations: record(
    integrationNames,
    Type.Boolean({
      description:
        'For a plugin: whether it is active or its tables exist. For a storage: whether new files are stored there.',
    }),
    'Which plugins of the CMS and services are in use.',
  ),
  counts: record(
    countNames,
    Type.Integer({ description: 'May be a second old, large ones ten.' }),
    'Number of each resource.',
  ),
  auto_print: Type.Object(
    {
      enabled: Type.Boolean({ description: 'Whether orders are printed automatically.' }),
      last_look: Type.Union([Type.String(), Type.Null()], {
        description: 'When a process last looked for orders to print, in UTC; null if none has.',
      }),
      waiting: Type.Integer({ description: 'Items that wait for their print job.' }),
      failed: Type.Integer({ description: 'Items of which no print job could be made.' }),
    },
    { description: 'Automatic printing.' },
  ),
  deliveries: Type.Optional(
    Type.Object(
      {
        waiting: Type.Integer({ description: 'Print files that are to be delivered.' }),
        failing: Type.Integer({ description: 'Those of them whose last attempt failed.' }),
        failed: Type.Integer({ description: 'Print files that could not be delivered for a day.' }),
        last_error: TextOrNull('Why the newest of them was not delivered; null if nothing failed.'),
      },
      { description: 'Copies for the press; absent unless the option deliver is set.' },
    ),
  ),
  controllers: record(
    toggleNames,
    Type.Boolean({ description: 'Whether its routes are served.' }),
    'Groups that can be switched off.',
  ),
})
