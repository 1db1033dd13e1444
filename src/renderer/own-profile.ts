// Gives a CMYK JPEG without a profile that of the shop, by which it is then converted.

/** Bytes of a profile in one segment of a JPEG. */
const most = 65_519

/** The file with the profile in the segments that JPEGs have for it. */
export function withProfile(jpeg: Uint8Array, profile: Uint8Array): Buffer {
  const count = Math.ceil(profile.length / most)
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * most, (index + 1) * most)
    const head = Buffer.alloc(18)
    head.writeUInt16BE(0xffe2, 0)
    head.writeUInt16BE(part.length + 16, 2)
    head.write('ICC_PROFILE\0', 4, 'latin1')
    head[16] = index + 1
    head[17] = count
    return Buffer.concat([head, part])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}
