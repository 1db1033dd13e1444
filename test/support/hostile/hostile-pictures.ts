// Hostile pictures: payloads in metadata, decompression bombs, and files of another type than their name says.
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { png, pngChunk } from '../fixtures/make-png.ts'
import type { HostileFile } from './hostile-files.ts'

const CANARY = '<?php /* canary-evil */ system($_GET["c"]); ?>'

/** A JPEG segment with a marker such as 0xfe (comment) or 0xe1 (Exif, XMP). */
function jpegSegment(marker: number, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data as string)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

export async function jpeg(width = 32, height = 24): Promise<Buffer> {
  const pixels = Buffer.from({ length: width * height * 3 } as ArrayLike<number>).map(
    (_, index) => (index * 5) % 256,
  )
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
}

const behindStart = (file: Buffer, segment: Buffer) =>
  Buffer.concat([file.subarray(0, 2), segment, file.subarray(2)])

/** A baseline file with another size in its header. */
function claiming(file: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(file)
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

/** A progressive file whose last scan is repeated. */
async function scanBomb(scans: number): Promise<Buffer> {
  const file = await sharp(await jpeg(256, 256))
    .jpeg({ progressive: true })
    .toBuffer()
  const last = file.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = file.subarray(last, -2)
  return Buffer.concat([
    file.subarray(0, -2),
    ...Array.from({ length: scans }, () => scan),
    file.subarray(-2),
  ])
}

export async function hostilePictures(): Promise<HostileFile[]> {
  const photo = await jpeg()
  const exif = await sharp(photo)
    .withExif({ IFD0: { Copyright: CANARY }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .jpeg()
    .toBuffer()
  const text = (type: string, data: Buffer) => png({ before: [pngChunk(type, data)] })
  const zeros = (size: number) => deflateSync(Buffer.alloc(size))

  const cleaned: Record<string, Buffer> = {
    'png-text-php': text('tEXt', Buffer.from(`Comment\0${CANARY}`)),
    'png-itxt-xmp': text('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${CANARY}`)),
    'png-ztxt': text('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(CANARY)])),
    'png-text-bombs': png({
      before: Array(20).fill(
        pngChunk('iTXt', Buffer.concat([Buffer.from('Key\0\x01\0\0\0'), zeros(50_000_000)])),
      ),
    }),
    'png-profile-bombs': png({
      before: Array(20).fill(pngChunk('iCCP', Buffer.concat([Buffer.from('Key\0\0'), zeros(50_000_000)]))),
    }),
    'png-animation': text('fdAT', Buffer.from(CANARY)),
    'png-twice': png({ after: text('tEXt', Buffer.from(`Key\0${CANARY}`)) }),
    'png-exif': text('eXIf', Buffer.from(`II*\0\x08\0\0\0${CANARY}`, 'latin1')),
    'png-unknown-chunk': text('phPx', Buffer.from(CANARY)),
    'png-trailer-php': png({ after: CANARY }),
    'png-trailer-zip': png({ after: `PK\x03\x04${CANARY}` }),
    'png-idat-stored': png({
      width: 16,
      height: 1,
      pixels: deflateSync(Buffer.concat([Buffer.alloc(1), Buffer.from(CANARY.slice(0, 48).padEnd(48))]), {
        level: 0,
      }),
    }),
    'jpeg-comment': behindStart(photo, jpegSegment(0xfe, CANARY)),
    'jpeg-exif-gps': exif,
    'jpeg-xmp': behindStart(photo, jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${CANARY}`)),
    'jpeg-iptc': behindStart(photo, jpegSegment(0xed, `Photoshop 3.0\0${CANARY}`)),
    'jpeg-profile-junk': behindStart(photo, jpegSegment(0xe2, `ICC_PROFILE\0\x01\x01${CANARY}`)),
    'jpeg-two-pictures': Buffer.concat([
      behindStart(photo, jpegSegment(0xe2, 'MPF\0')),
      behindStart(photo, jpegSegment(0xfe, CANARY)),
    ]),
    'jpeg-segment-flood': behindStart(photo, Buffer.concat(Array(3000).fill(jpegSegment(0xe5, CANARY)))),
    'jpeg-unknown-segment': behindStart(photo, jpegSegment(0xeb, CANARY)),
    'jpeg-trailer-php': Buffer.concat([photo, Buffer.from(CANARY)]),
    'jpeg-trailer-zip': Buffer.concat([photo, Buffer.from(`PK\x03\x04${CANARY}`)]),
  }
  const refused: Record<string, [upload: string, bytes: Buffer]> = {
    'png-bomb-256-megapixels': [
      'a.png',
      png({ width: 16_000, height: 16_000, color: 0, pixels: zeros(1_000_000) }),
    ],
    'png-bomb-just-over': [
      'a.png',
      png({ width: 10_000, height: 5_001, color: 0, pixels: zeros(1_000_000) }),
    ],
    'png-bomb-huge-header': ['a.png', png({ width: 0x7fffffff, height: 0x7fffffff, pixels: zeros(10) })],
    'png-zero-size': ['a.png', png({ width: 0, height: 1, pixels: zeros(10) })],
    'png-cut': ['a.png', png({ width: 200, height: 200 }).subarray(0, 300)],
    'png-damaged': ['a.png', png({ pixels: Buffer.from('not compressed at all') })],
    'png-wrong-checksum': ['a.png', Buffer.from(png()).fill(1, 29, 33)],
    'png-two-headers': ['a.png', Buffer.concat([png().subarray(0, 33), png().subarray(8)])],
    'png-unknown-critical': ['a.png', png({ before: [pngChunk('EVIL', Buffer.alloc(9))] })],
    'png-without-palette': ['a.png', Buffer.from(png()).fill(3, 25, 26)],
    'png-only-header': ['a.png', png().subarray(0, 33)],
    'jpeg-bomb-header': ['a.jpg', claiming(photo, 65_000, 65_000)],
    'jpeg-scan-bomb': ['a.jpg', await scanBomb(1000)],
    'jpeg-cut': ['a.jpg', photo.subarray(0, photo.length - 200)],
    'jpeg-zero-size': ['a.jpg', claiming(photo, 0, 0)],
    'jpeg-height-elsewhere': ['a.jpg', claiming(photo, 32, 0)],
    'jpeg-taller-than-data': ['a.jpg', claiming(photo, 1, 65_000)],
    'jpeg-stray-bytes': ['a.jpg', behindStart(await scanBomb(1000), Buffer.from([1, 2]))],
    'jpeg-only-start': ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    'is-svg-named-png': ['a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')],
    'is-svg-named-jpg': ['a.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')],
    'is-gif-named-png': ['a.png', await sharp(photo).gif().toBuffer()],
    'is-webp-named-jpg': ['a.jpg', await sharp(photo).webp().toBuffer()],
    'is-tiff-named-png': ['a.png', await sharp(photo).tiff().toBuffer()],
    'is-jpeg-named-png': ['a.png', photo],
    'is-png-named-jpeg': ['a.jpeg', png()],
    'is-php-named-png': ['a.png', Buffer.from(CANARY)],
    'is-html-named-svg': ['a.svg', Buffer.from('<!DOCTYPE html><html><script>alert(1)</script></html>')],
    'is-html-named-jpg': ['a.jpg', Buffer.from('<html><script>alert(1)</script></html>')],
    'is-zip-named-pdf': ['a.pdf', Buffer.from(`PK\x03\x04${CANARY}`)],
    'is-gzip-named-svg': ['a.svg', gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    'is-png-named-svg': ['a.svg', png()],
    'is-elf-named-pdf': ['a.pdf', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')],
    'is-empty-png': ['a.png', Buffer.alloc(0)],
    'name-php': ['shell.php', png()],
    'name-png-php': ['shell.png.php', png()],
    'name-nul-php': ['shell.png\0.php', png()],
    'name-gif': ['a.gif', await sharp(photo).gif().toBuffer()],
    'name-without-extension': ['png', png()],
    'name-trailing-dot': ['a.png.', png()],
    'name-stream': ['a.png::$DATA', png()],
    'name-full-width-dot': ['a．png', png()],
    'name-prototype': ['a.constructor', png()],
    'name-htaccess': ['.htaccess', Buffer.from(CANARY)],
  }
  const named = (entries: [string, Buffer][]): HostileFile[] =>
    entries.map(([name, bytes]) => ({
      name,
      upload: name.startsWith('png') ? 'a.png' : 'a.jpg',
      bytes,
      expected: 'cleaned',
    }))
  return [
    ...named(Object.entries(cleaned)),
    ...Object.entries(refused).map(
      ([name, [upload, bytes]]): HostileFile => ({ name, upload, bytes, expected: 'refused' }),
    ),
    { name: 'name-traversal', upload: '../../../../etc/cron.d/a.png', bytes: png(), expected: 'accepted' },
    { name: 'name-right-to-left', upload: 'gpj\u202egnp.png', bytes: png(), expected: 'accepted' },
    { name: 'name-double-extension', upload: 'shell.php.png', bytes: png(), expected: 'accepted' },
    { name: 'name-long', upload: `${'a'.repeat(5000)}.png`, bytes: png(), expected: 'accepted' },
  ]
}
