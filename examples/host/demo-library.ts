// What the demo shop has beside products: graphics to choose, colors, prices, print profiles, texts, a layout.
import { type Graphic, graphics } from './demo-pictures.ts'

interface DemoLibrary {
  /** Requests in order: path and body. */
  requests: [method: 'POST' | 'PUT', path: string, body: object][]
  designCategories: { title: string; parent?: string; designs: Graphic[] }[]
}

export const demoLibrary: DemoLibrary = {
  designCategories: [
    { title: 'Nature', designs: ['leaf', 'mountain'] },
    { title: 'Signs', designs: ['star', 'bolt', 'heart'] },
    { title: 'Kitchen', designs: ['cup'] },
    { title: 'Weather', parent: 'Nature', designs: ['bolt'] },
  ],
  requests: [
    [
      'PUT',
      '/color-library',
      {
        colors: [
          { id: 'ink', hex: '#333333', name: 'Ink' },
          { id: 'white', hex: '#ffffff', name: 'White' },
          { id: 'ember', hex: '#e4572e', name: 'Ember', price: 0.5 },
          { id: 'harbour', hex: '#2e4057', name: 'Harbour' },
          { id: 'sun', hex: '#f2b134', name: 'Sun', price: 0.5 },
          { id: 'leaf', hex: '#3f8f5b', name: 'Leaf' },
        ],
        palettes: [
          { id: 'text', name: 'Text', colorIds: ['ink', 'white', 'ember', 'harbour'] },
          { id: 'vinyl', name: 'Vinyl', colorIds: ['white', 'ember', 'sun', 'leaf'] },
        ],
      },
    ],
    [
      'POST',
      '/pricing-rules',
      {
        name: 'Long texts',
        data: {
          property: 'textLength',
          target: { views: -1, elements: 'text' },
          type: 'any',
          rules: [{ operator: '>', value: 20, price: 1.5 }],
        },
      },
    ],
    [
      'POST',
      '/pricing-rules',
      {
        name: 'Many colors',
        data: {
          property: 'colorsLength',
          target: { views: -1, elements: 'all' },
          type: 'all',
          rules: [{ operator: '>=', value: 4, price: 3 }],
        },
      },
    ],
    [
      'POST',
      '/print-profiles',
      {
        name: 'Textile',
        is_master: true,
        data: {
          dpi: 200,
          bleed: 3,
          colorList: ['#333333', '#ffffff', '#e4572e', '#2e4057'],
          customTextParameters: { fontSize: 18, minFontSize: 8, maxLength: 40 },
          customImageParameters: { minDPI: 72, maxSize: 10 },
        },
      },
    ],
    ['POST', '/print-profiles', { name: 'Paper and vinyl', data: { dpi: 300, bleed: 3 } }],
    [
      'POST',
      '/text-templates',
      { text: 'Happy birthday!', font_family: 'Gelasio Bold Italic', font_size: 28, text_align: 'center' },
    ],
    [
      'POST',
      '/text-templates',
      { text: 'Team 2026', font_family: 'Liberation Sans Bold', font_size: 24, text_align: 'center' },
    ],
    ['POST', '/text-templates', { text: 'Your address\nYour town' }],
    ['POST', '/user-interfaces', { name: 'Tablet at the counter' }],
  ],
}

/** The designs of a category. */
export const designsOf = (names: readonly Graphic[], address: string) =>
  names.map((name) => {
    const url = `${address}/${name}.svg`
    const title = /<title>(.*)<\/title>/.exec(graphics[name])?.[1] ?? name
    return { title, image: url, thumbnail: url, parameters: { colors: true, price: 1.5 } }
  })
