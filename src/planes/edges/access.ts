import type { Access } from '../../http/operation.ts'

/** A bearer token for being an edge; no key is enough, so that each edge can be shut out alone. */
const edgeAccess: Access = { keys: [], scope: 'edges:sync' }

export const common = { plane: 'edges', access: edgeAccess, envelope: 'standard' } as const
