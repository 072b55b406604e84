interface Scalar {
  createApiReference(selector: string, configuration: Readonly<Record<string, unknown>>): unknown
}

declare const Scalar: Scalar

/** The colours of the other pages; those that come with Scalar are too faint to be read by everybody. */
const colours = `
.light-mode {
  --scalar-background-1: #fcfdfb;
  --scalar-background-2: #f1f5f0;
  --scalar-background-3: #e6ece6;
  --scalar-border-color: #d8dfd8;
  --scalar-color-1: #1b231e;
  --scalar-color-2: #4b5750;
  --scalar-color-3: #59655e;
  --scalar-color-accent: #176640;
  --scalar-color-green: #17683f;
  --scalar-color-blue: #0a5aa6;
  --scalar-color-yellow: #7a4f00;
  --scalar-color-orange: #8f3f00;
  --scalar-color-red: #a3211a;
  --scalar-color-purple: #6b3fa0;
  --scalar-sidebar-search-color: #59655e;
}
.dark-mode {
  --scalar-background-1: #111512;
  --scalar-background-2: #1a201c;
  --scalar-background-3: #262e29;
  --scalar-border-color: #2c352f;
  --scalar-color-1: #e3e9e4;
  --scalar-color-2: #b4c0b8;
  --scalar-color-3: #a3b0a8;
  --scalar-color-accent: #7fd3a6;
  --scalar-sidebar-search-color: #a3b0a8;
}
/* Grown longer than a screen it would scroll, and without a mouse nobody could. */
.endpoints-card .custom-scroll,
.endpoints {
  max-height: none !important;
  overflow: visible !important;
}
`

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
  customCss: colours,
  favicon: '/docs/icon.svg',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  metaData: { title: 'API · Sedge' },
})

/** Its buttons that copy code have a picture and no name that can be heard. */
const nameCopyButtons = (): void => {
  for (const button of document.querySelectorAll('button:not([aria-label])'))
    if (button.className.includes('copy-button')) button.setAttribute('aria-label', 'Copy')
}
new MutationObserver(nameCopyButtons).observe(document.body, { childList: true, subtree: true })
