// Options that several plugins of pages have.
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseUrlOption, type OptionsOf } from '../core/check-options.ts'

/**
 * Who is admitted; a reply that was sent asks for a login instead. Written as a method, so that a host's function may expect a
 * request of a narrower type.
 */
export type Authorize<Admission> = {
  authorize(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Admission | undefined | FastifyReply | Promise<Admission | undefined | FastifyReply>
}['authorize']

const pageUrl = /^(?:https?:\/\/[^\s/]|\/(?!\/))\S*$/

/** Whether a value may be the URL of a page: http, https, or a path of the host. */
export const isPageUrl = (value: unknown): boolean => typeof value === 'string' && pageUrl.test(value)

/** An option that is the URL of a page. */
export const pageUrlOption = Type.String({
  pattern: pageUrl.source,
  must: 'be an http or https URL, or a path that starts with "/"',
})

/** The option of every plugin with pages, the reference page included. */
export const homeProperties = {
  /** URL or path of the start page of the app, to which the pages link. @example '/' */
  homeUrl: Type.Optional(pageUrlOption),
}

/** Options that the desk and the settings screen take beside their own. */
export const pageProperties = {
  ...homeProperties,
  /** URL or path of the reference page of the API, to which the pages link. @example '/reference/' */
  referenceUrl: Type.Optional(pageUrlOption),
  /** Path of the REST root of the API that the pages belong to, prefix included; needed only where the app serves several. */
  baseUrl: Type.Optional(baseUrlOption),
  /**
   * Key of at least 32 characters that signs forms. Default: a random one, made at start. Processes that serve the same pages
   * together must have the same.
   */
  secret: Type.Optional(Type.String({ minLength: 32, must: 'be a string of at least 32 characters' })),
}

/** The options that the desk and the settings screen share. */
export interface PageOptions extends OptionsOf<typeof pageProperties> {}
