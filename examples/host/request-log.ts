// The log of requests, without their queries: those carry search words and addresses, and at times a token.
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

const pathOf = (url: string) => url.replace(/\?.*/s, '?…')

export const serializers = {
  req: ({ method, url, host, ip }: FastifyRequest) => ({
    method,
    url: pathOf(url),
    host,
    remoteAddress: ip,
  }),
}

export class RequestLog extends LogController {
  override routeNotFound(request: FastifyRequest, _reply: FastifyReply): void {
    if (!this.isLogDisabled(request))
      request.log.info(`Route ${request.method}:${pathOf(request.url)} not found`)
  }
}
