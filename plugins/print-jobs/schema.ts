// Schemas of print jobs in requests and responses.
import { Type } from '@sinclair/typebox'
import { PreflightFinding } from '../../src/http/preview.ts'
import { fieldsQuery, Id, includeQuery, StoredBlob, sliceQuery, TextOrNull } from '../../src/http/schema.ts'

/** Maximum number of jobs in a response to the list. */
export const maxJobs = 10_000

/** Why a job failed. */
const Failure = Type.Object({
  code: Type.String({ description: 'Machine-readable code.' }),
  message: Type.String({ description: 'The reason in one sentence.' }),
})

/** A print job, in the list and as the data of GET. */
export const PrintJob = Type.Object({
  id: Id,
  guid: Type.String({
    description: 'UUID, or 13 hex digits in old jobs; names the job in the notification.',
  }),
  status: Type.String({ description: 'pending, processing, completed or failed.' }),
  details: StoredBlob('object', 'What is printed: order, item and options of the export'),
  error: Type.Union([Failure, Type.Null()], {
    description: 'Why the last attempt failed; null when it did not.',
  }),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'What the renderer found worth a look, and what the print provider ordered otherwise; absent where there is nothing.',
    }),
  ),
  preflight: Type.Optional(
    Type.Array(PreflightFinding, {
      description: 'What the renderer found, as data; absent where there is nothing.',
    }),
  ),
  file_url: TextOrNull('URL of the print file once it is stored.'),
  created_at: TextOrNull('ISO 8601 in UTC.'),
})

/** The path of a single job. */
export const PrintJobParams = Type.Object({
  id: Type.String({ description: 'GUID or id of the job; a GUID wins over an id.' }),
})

/** The query of the list. */
export const PrintJobListQuery = Type.Object({
  ...fieldsQuery,
  ...includeQuery,
  offset: sliceQuery.offset,
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 20,
      description: `Most items; 0 for all, at most ${maxJobs}.`,
    }),
  ),
  status: Type.Optional(Type.String({ maxLength: 100, description: 'Only jobs with exactly this status.' })),
})
