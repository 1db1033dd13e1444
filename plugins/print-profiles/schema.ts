// Print profiles as requests and responses carry them.

import { Type } from '@sinclair/typebox'
import { Id, ObjectBlob, StoredBlob, TrimmedTitle } from '../../src/http/schema.ts'

const IsMaster = Type.Boolean({ description: 'Whether it is the master; at most one profile is.' })
const Data = ObjectBlob('DPI, bleed, color handling, properties of custom texts and images; replaced whole')

export const PrintProfile = Type.Object({
  id: Id,
  name: Type.String({ description: 'Name of the profile.' }),
  is_master: IsMaster,
  data: Type.Optional(StoredBlob('object', 'Settings of the profile; with include_data')),
})

export const NewPrintProfile = Type.Object({
  name: TrimmedTitle,
  data: Type.Optional(Data),
  is_master: Type.Optional(IsMaster),
})

export const PrintProfileCopy = Type.Object({ name: TrimmedTitle })

export const MasterStatus = Type.Object({
  is_master: Type.Optional(Type.Boolean({ default: true, description: 'True when absent.' })),
})
