// The second line of defense: accepts what our rewriting produces, and cleans what it would miss.
import t from 'tap'
import { purifyIfNeeded } from '../../../../src/files/svg/purify.ts'
import { rewriteSvg } from '../../../../src/files/svg/rewrite.ts'
import { drawing } from '../../../support/fixtures/drawings.ts'
import { findings } from '../../../support/hostile/svg-findings.ts'

const OPEN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'

t.test('purifyIfNeeded: ordinary drawings pass unchanged', async (t) => {
  for (let seed = 0; seed < 20; seed++) t.equal(purifyIfNeeded(rewriteSvg(drawing(seed)).svg), undefined)
})

t.test('what the rewriting would miss is removed, and the rest keeps its mixed-case names', async (t) => {
  const hostile = `${OPEN}<script>alert(1)</script><g onclick="alert(1)"><a xlink:href="javascript:alert(1)"><linearGradient gradientUnits="userSpaceOnUse"/></a></g><image href="https://evil.example/"/></svg>`
  const caught = purifyIfNeeded(hostile) ?? ''
  t.match(caught, '<linearGradient gradientUnits="userSpaceOnUse"/>')
  t.strictSame(findings(`<?xml version="1.0"?>${caught}`), [])
})

t.test('purifyIfNeeded: its result can be rewritten', async (t) => {
  const caught = purifyIfNeeded(`${OPEN}<script/><rect width="1"/></svg>`) ?? ''
  t.match(rewriteSvg(caught).svg, /<svg xmlns="[^"]*"[^>]*><rect width="1"\/><\/svg>/)
})
