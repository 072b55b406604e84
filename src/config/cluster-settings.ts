import { baseUrl, optional, setting } from './setting.ts'

/** How a node is one of several. */
export const clusterSettings = {
  clusterAddress: setting(
    'CLUSTER_ADDRESS',
    '',
    'Where the other nodes of a cluster reach this one (`http://10.0.0.1:8788`); with DATABASE_URL and BLOB_STORE, and the same keys on every node. Without it, one service has the database to itself',
    optional(baseUrl),
  ),
} as const

/** One sentence a fault. `keys` are the secrets that the first start would make up. */
export function clusterFaults(
  environment: Readonly<Record<string, string | undefined>>,
  keys: Readonly<Record<string, { readonly name: string }>>,
): readonly string[] {
  const valueOf = (name: string) => environment[name]?.trim() ?? ''
  if (valueOf('CLUSTER_ADDRESS') === '') return []
  const faults = ['DATABASE_URL', 'BLOB_STORE', ...Object.values(keys).map(({ name }) => name)]
    .filter((name) => valueOf(name) === '')
    .map((name) => `${name} must be set where CLUSTER_ADDRESS is, and to the same on every node`)
  return ['', '0'].includes(valueOf('EDGE_WORKERS'))
    ? faults
    : [...faults, 'EDGE_WORKERS must be 0 where CLUSTER_ADDRESS is set']
}
