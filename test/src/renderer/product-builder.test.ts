// Views of the product builder, whose forms store other values than the designer.
import sharp from 'sharp'
import t from 'tap'
import { currentNames } from '../../../src/renderer/stored-names.ts'
import { printTask, renderHere, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, viewWith } from '../../support/render/render-shop.ts'

const sources = await testSources()

async function printed(view: unknown) {
  const { outcome, bytes } = await renderHere({ ...printTask, format: 'png' }, [view], [], sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, warnings: outcome.report.warnings }
}

t.test('currentNames: fields of the product builder mean what PHP passes to the designer', (t) => {
  const flat = { bounding_box_x: '10', bounding_box_y: 0, bounding_box_width: '200', bounding_box_height: 50 }
  const boundingBox = { x: '10', y: 0, width: '200', height: 50 }
  t.match(currentNames({ ...flat, bounding_box_control: '0' }), { boundingBox })
  t.match(currentNames({ ...flat, bounding_box_by_other: 'Base' }), { boundingBox })
  t.match(currentNames({ ...flat, bounding_box_control: 1, bounding_box_by_other: ' Base ' }), {
    boundingBox: 'Base',
  })
  t.match(currentNames({ ...flat, boundingBox: 'Own' }), { boundingBox: 'Own' })
  for (const given of [
    { ...flat, bounding_box_y: '' },
    { ...flat, bounding_box_control: '1' },
  ])
    t.notOk(currentNames(given).boundingBox)
  t.match(currentNames({ fill: '0', filter: 0, boundingBoxMode: '0' }), {
    fill: false,
    filter: false,
    boundingBoxMode: 'none',
  })
  t.end()
})

t.test(
  'export: a view of the product builder is drawn in silence, cut at its flat box only if it asks for that',
  async (t) => {
    const element = (more: object) =>
      picture('photo.jpg', {
        fill: '0',
        filter: '0',
        patternable: '0',
        printAreaId: 3,
        numberPlaceholderMin: 1,
        numberPlaceholderMax: 99,
        bounding_box_control: '0',
        bounding_box_x: '150',
        bounding_box_y: '100',
        bounding_box_width: '100',
        bounding_box_height: '100',
        adds_uploads: 1,
        ...more,
      })
    const drawn = (more: object) => printed(viewWith(element(more)))
    const [free, cut] = [await drawn({ boundingBoxMode: '0' }), await drawn({ boundingBoxMode: 'clipping' })]
    const words = [...free.warnings, ...cut.warnings].filter(
      ({ code }) => code === 'feature' || code === 'value',
    )
    t.strictSame(words, [])
    const shown = async (png: Buffer) => (await sharp(png).extractChannel(3).stats()).channels[0]?.mean ?? 0
    t.ok((await shown(free.bytes)) > 2 * (await shown(cut.bytes)))
  },
)
