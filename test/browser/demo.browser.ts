// The demo shop on an SQLite file, as a newcomer explores it.
import t from 'tap'
import { exploreDemo } from '../support/hosts/explore-demo.ts'

t.setTimeout(600_000)

t.test('npm start: a fresh demo on an SQLite file has no page, button, picture or file that fails', (t) =>
  exploreDemo(t, {}, 'SQLite'),
)
