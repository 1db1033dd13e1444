// What the picture library alone takes for the photo of a print, which is the least that any renderer on it could take: decoding,
// scaling it to the page, encoding. PDFs embed the photo as it is.
import sharp from 'sharp'
import { type JobName, printJob, printSources } from './print-jobs.ts'
import type { DrawPrint } from './print-worker.ts'

sharp.cache(false)
sharp.concurrency(1)
const photos = new Map<JobName, Buffer>()

export const draw: DrawPrint = async ({ job, format }) => {
  const photo = photos.get(job) ?? (await printSources(job))[`${job}.jpg`]
  if (!photo) throw new Error(`The print ${job} has no photo.`)
  photos.set(job, photo)
  if (format === 'svg-pdf') return photo
  const { width, height } = printJob(job)
  const image = sharp(photo).resize(width, height, { fit: 'cover', kernel: 'linear' })
  const encoded =
    format === 'png'
      ? image.png({ compressionLevel: 2, adaptiveFiltering: true })
      : image.jpeg({ quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false })
  return encoded.toBuffer()
}
