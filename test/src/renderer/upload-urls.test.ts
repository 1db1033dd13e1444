// Which URLs name files of the uploads folder.
import t from 'tap'
import { uploadKey } from '../../../src/renderer/upload-urls.ts'
import { photoUrl, pictureElement, viewWith } from '../../support/render/render-shop.ts'
import { shopRenderer } from '../../support/render/shop-renderer.ts'

const settings = {
  siteUrl: 'https://shop.example',
  uploadsUrl: 'https://shop.example/wp-content/uploads',
  formerHosts: ['Old-Shop.example'],
}

t.test('uploadKey: every host name of the site, any scheme, and the image proxy of WordPress', (t) => {
  const keyOf = (url: URL) => uploadKey(url, settings)
  const path = '/wp-content/uploads/svc/uploads/a%20b.jpg'
  for (const url of [
    `https://shop.example${path}`,
    `http://shop.example${path}`,
    `https://www.shop.example${path}?v=2`,
    `https://OLD-shop.example${path}`,
    `https://www.old-shop.example${path}`,
    `https://i0.wp.com/shop.example${path}?ssl=1`,
    `https://i3.wp.com/www.shop.example${path}`,
  ])
    t.equal(keyOf(new URL(url)), 'svc/uploads/a b.jpg', url)
  t.equal(
    keyOf(new URL('https://shop.example/wp-content/uploads/%E0%A4%A')),
    '',
    'a name that is not readable',
  )
  t.end()
})

t.test('uploadKey: other hosts, other folders, other sizes and other proxies are not of the uploads', (t) => {
  const keyOf = (url: URL) => uploadKey(url, settings)
  const path = '/wp-content/uploads/a.jpg'
  for (const url of [
    `https://shop.example.evil.example${path}`,
    `https://cdn.shop.example${path}`,
    `https://shop.example:8443${path}`,
    'https://shop.example/uploads/a.jpg',
    `https://i0.wp.com/shop.example${path}?resize=200%2C100`,
    `https://i0.wp.com/other.example${path}`,
    `https://i9.wp.com/shop.example${path}`,
    `https://i0.wp.com${path}`,
  ])
    t.equal(keyOf(new URL(url)), undefined, url)
  t.equal(uploadKey(new URL(photoUrl), { siteUrl: 'x', uploadsUrl: undefined }), undefined)
  const cdn = { ...settings, uploadsUrl: 'https://cdn.example/wp-content/uploads' }
  t.equal(
    uploadKey(new URL(`https://shop.example${path}`), cdn),
    'a.jpg',
    'the site itself, if files come from another host',
  )
  t.end()
})

t.test(
  'preflight: pictures under other names of the site are read from the uploads, without a request',
  async (t) => {
    const { preflight } = await shopRenderer(t, 'nowhere.example:443', { formerHosts: ['former.example'] })
    const path = new URL(photoUrl).pathname
    const urls = ['http://www.shop.example', 'https://former.example', 'https://i1.wp.com/shop.example']
    const found = await preflight('order 1', viewWith(...urls.map((url) => pictureElement(`${url}${path}`))))
    t.match(found, { printable: true })
    t.equal(found.pages[0]?.elements.filter(({ dpi }) => dpi !== null).length, urls.length)
  },
)
