interface Scalar {
  createApiReference(selector: string, configuration: Readonly<Record<string, unknown>>): unknown
}

declare const Scalar: Scalar

/** Everything that would ask another host is off, and keys that are entered are not kept. */
Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  baseServerURL: location.origin,
  servers: [{ url: location.origin, description: 'This service' }],
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  theme: 'default',
  favicon: '/docs/icon.svg',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  metaData: { title: 'API · Sedge' },
})
