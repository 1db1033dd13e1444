// Schemas of the notification that a print file is finished, and of its response. Services send its properties in the query or in the
// body; the path names the job as well.
import { Type } from '@sinclair/typebox'
import { TextOrNull } from '../../src/http/schema.ts'

/** The properties of a notification. */
const Notification = {
  print_job_id: Type.String({ description: 'GUID of the print job; in the body it overrides the path.' }),
  file_url: Type.String({ description: 'URL of the file; http or https, at most 4096 characters.' }),
}

/** The path of the notification. */
export const NotificationParams = Type.Object({ guid: Notification.print_job_id })

/** The query of the notification; each property may be in the body instead. */
export const NotificationQuery = Type.Partial(Type.Object(Notification))

/** The body of the notification, as JSON or as a form; each property may be in the query instead. */
export const NotificationBody = {
  consumes: ['application/json', 'application/x-www-form-urlencoded'],
  body: Type.Partial(Type.Object(Notification)),
}

/** The data of the response to the notification. */
export const NotificationResult = Type.Object({
  print_job_id: Type.String({ description: 'GUID of the print job.' }),
  status: Type.String({
    description: 'completed, or failed if the print provider refused the order permanently.',
  }),
  file_url: TextOrNull('URL of the stored file.'),
})
