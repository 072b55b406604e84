import { scopes as allScopes } from '../../src/domain/access/tokens/scopes.ts'
import type { InProcessService } from './in-process-service.ts'
import { account } from './service-process.ts'

/** Asks as a tenant does, with a bearer token for its own zone. */
export type Tenant = (method: string, path: string, body?: unknown) => Promise<Response>

/** A token for one zone that may do all a tenant can. `edges:sync` is for edges. */
export async function tenantOf(
  service: Pick<InProcessService, 'fetch'>,
  zone: string,
  scopes: readonly string[] = allScopes.filter((scope) => scope !== 'edges:sync'),
): Promise<Tenant> {
  const response = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'tenant', scopes, zones: [zone] }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return (method, path, body) =>
    service.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}
