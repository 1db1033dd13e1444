// A name that nobody else uses. Not by node:crypto, because the client runs in browsers, too.

export const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
