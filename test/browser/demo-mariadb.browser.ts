// The demo shop on MariaDB, as a newcomer explores it.
import t from 'tap'
import { freshAddress } from '../support/hosts/build.ts'
import { exploreDemo } from '../support/hosts/explore-demo.ts'

t.setTimeout(600_000)

t.test('npm start: a fresh demo on MariaDB has no page, button, picture or file that fails', async (t) =>
  exploreDemo(t, { DATABASE_URL: await freshAddress(t, 'MariaDB') }, 'MariaDB'),
)
