import type { Endpoint } from '../../http/operation.ts'

/** The same endpoints, each asked after what it reads was brought up to date. */
export const afterwards = (
  all: readonly Endpoint[],
  keepCurrent: () => Promise<unknown>,
): readonly Endpoint[] =>
  all.map((endpoint) => ({
    ...endpoint,
    async handle(call) {
      await keepCurrent()
      return await endpoint.handle(call)
    },
  }))
