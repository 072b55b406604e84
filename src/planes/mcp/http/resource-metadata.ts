import { scopes } from '../../../domain/access/tokens/scopes.ts'

/** Where it is found: RFC 9728 §3.1 puts the path of the resource behind the well-known one. */
export const metadataPath = '/.well-known/oauth-protected-resource'
const mcpPath = '/mcp'

/**
 * How a client finds out how to sign in (RFC 9728 §2). Tokens are made by people in the dashboard or with
 * `sedge token`: there is no authorization server to name, and none is.
 */
export const resourceMetadata = (baseUrl: string) => ({
  resource: `${baseUrl}${mcpPath}`,
  resource_name: 'Sedge',
  bearer_methods_supported: ['header'],
  scopes_supported: scopes,
  resource_documentation: `${baseUrl}/docs/agents`,
})

/** The challenge of a 401 (RFC 9728 §5.1). */
export const challengeOf = (baseUrl: string, error?: string): string =>
  [
    'Bearer realm="sedge"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${baseUrl}${metadataPath}${mcpPath}"`,
  ].join(', ')
