// Fonts of the hostile corpus that may be uploaded do no harm in a browser: it shows them, or takes another.
import t from 'tap'
import { checkTrueType } from '../../src/files/font/check.ts'
import { hostileFonts } from '../support/hostile/hostile-fonts.ts'
import { startChromium } from '../support/peers/chromium.ts'

t.test('a page that uses them is drawn, whether or not the browser takes them', async (t) => {
  const page = await (await startChromium(t)).newPage()
  await page.setContent('<p style="font: 40px Odd, monospace">AAPA</p>')
  const taken: string[] = []
  for (const { name, bytes } of hostileFonts().filter(({ expected }) => expected === 'accepted')) {
    const data = (checkTrueType(bytes) ?? bytes).toString('base64')
    const isTaken = await page.evaluate(async (data) => {
      const face = new FontFace('Odd', `url(data:font/ttf;base64,${data})`)
      document.fonts.clear()
      document.fonts.add(face)
      return face.load().then(
        () => true,
        () => false,
      )
    }, data)
    if (isTaken) taken.push(name)
    t.ok((await page.screenshot()).length > 0, name)
  }
  t.comment(`taken: ${taken.join(', ')}`)
  t.ok(taken.includes('ttf-plain'))
})
