import { createClient } from '../../src/client/client.ts'
import type { Client } from '../../src/client/types.ts'
import type { Bytes } from '../../src/client/wire-types.ts'
import type { RuleFileName } from '../../src/ports/records/zone.ts'
import { testKeys } from './service-process.ts'

/** A service as tests furnish it: each call is certain to have been taken when it resolves. */
export interface World {
  /** Every operation, with the keys of the tests. A refusal is thrown, and nothing is tried again. */
  readonly client: Client
  /** Creates a zone; answers the commit. */
  zone(name: string): Promise<string>
  /** Stores a file, below `<zone>/v1/`. */
  put(path: string, body: Bytes): Promise<void>
  /** Replaces a rule file, of all zones or a zone's own. */
  rules(file: RuleFileName, content: string, zone?: string): Promise<void>
}

interface Options {
  /** e.g. to trust a certificate that was made for the test. */
  readonly fetch?: (request: Request) => Promise<Response>
}

export function worldOf(service: { readonly url: string }, { fetch }: Options = {}): World {
  const client = createClient({
    url: service.url,
    accessKey: testKeys.ACCESS_KEY,
    accountKey: testKeys.ACCOUNT_KEY,
    purgeKey: testKeys.PURGE_KEY,
    retries: 0,
    ...(fetch && { fetch }),
  })
  return {
    client,
    zone: async (name) => (await client.createZone({ body: { Name: name } })).Commit,
    put: async (path, body) => void (await client.putFile({ path, body })),
    rules: async (file, content, zone) => {
      const own = zone !== undefined && { Zone: zone }
      await client.updateRules({ body: { File: file, Content: content, ...own } })
    },
  }
}
