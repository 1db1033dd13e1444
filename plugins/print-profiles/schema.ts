// Schemas of print profiles in requests and responses.
import { Type } from '@sinclair/typebox'
import { Id, ObjectBlob, StoredBlob, TrimmedTitle } from '../../src/http/schema.ts'

const IsMaster = Type.Boolean({ description: 'Whether it is the master; at most one profile is.' })
/** `data` in requests, whose form is checked. Responses have a `StoredBlob`: JSON as it is stored. */
const Data = ObjectBlob('DPI, bleed, color handling, properties of custom texts and images; replaced whole')

/** A print profile, in the list and as the data of GET, POST and PATCH. */
export const PrintProfile = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the profile.' }),
  is_master: IsMaster,
  data: Type.Optional(StoredBlob('object', 'Settings of the profile; with include_data')),
})

/** The body of POST; PATCH takes the same properties, all optional. */
export const NewPrintProfile = Type.Object({
  name: TrimmedTitle,
  data: Type.Optional(Data),
  is_master: Type.Optional(IsMaster),
})

/** The body of `POST /print-profiles/{id}/duplicate`. */
export const PrintProfileCopy = Type.Object({ name: TrimmedTitle })

/** The body of `POST /print-profiles/{id}/master`, which makes a profile the master, or no longer the master. */
export const MasterStatus = Type.Object({
  is_master: Type.Optional(Type.Boolean({ default: true, description: 'True when absent.' })),
})
