// What a page shows in place of a list that would make it too long.
import type { Html } from '../../src/core/html.ts'
import { notice } from '../../src/pages/html.ts'

/** The notice. @param operation the operation of the API that changes the list, such as "PUT /text-templates" */
export const tooLong = (operation: string): Html =>
  notice('problem', `This list is too long for a page. ${operation} of the API changes it.`)
