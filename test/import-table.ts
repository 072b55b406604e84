/**
 * What may import what. `architecture.test.ts` holds every import to it, and `npm run generate` writes it
 * into ARCHITECTURE.md.
 */

/** Rooms of one folder that keep to the same rule. */
export interface Row {
  /** Folders, or files that stand beside them. `*` is for all that have no row of their own. */
  readonly rooms: readonly string[]
  /** Rooms of the same folder, or a part of one; `types:` allows `import type` alone. */
  readonly mayImport: readonly string[] | 'everything'
  readonly because?: string
}

export interface House {
  /** From the root of the project; `''` is the root itself. */
  readonly folder: string
  readonly about: string
  readonly rows: readonly Row[]
  /** Whether rows may lead back to where they came from. Elsewhere what they allow must not. */
  readonly mayTurnBack?: true
}

/** An import is held to the rows of every folder that both of its files are in. */
export const houses: readonly House[] = [
  {
    folder: '',
    about: 'Of the whole tree.',
    rows: [
      {
        rooms: ['src'],
        mayImport: ['web/dashboard/page-names.ts'],
        because: 'the service answers each page of the dashboard by its own path',
      },
      {
        rooms: ['web'],
        mayImport: ['src/client'],
        because: 'what browsers run is a client like any other',
      },
    ],
    mayTurnBack: true,
  },
  {
    folder: 'src',
    about: 'Of `src`.',
    rows: [
      { rooms: ['lib'], mayImport: [], because: 'tools that would do for any service' },
      {
        rooms: ['ports'],
        mayImport: [],
        because: 'what is needed of the world, whoever gives it',
      },
      {
        rooms: ['domain'],
        mayImport: ['ports', 'lib'],
        because: 'rules never know how they are asked or what they run on',
      },
      { rooms: ['adapters'], mayImport: ['ports', 'lib'], because: 'and not each other' },
      {
        rooms: ['http'],
        mayImport: ['domain/errors.ts', 'lib'],
        because: 'the wire knows how refusals look, not what assets are',
      },
      {
        rooms: ['edge'],
        mayImport: [
          'http',
          'ports',
          'lib',
          'domain/errors.ts',
          'domain/content',
          'domain/media/recipe/transform-parameters.ts',
        ],
        because:
          'it must be able to live alone on another machine; what a URL asks for is its cache key',
      },
      {
        rooms: ['planes'],
        mayImport: ['domain', 'http', 'lib', 'ports/records', 'types:ports'],
        because: 'translation only',
      },
      {
        rooms: ['client'],
        mayImport: ['lib/async/back-off.ts', 'lib/width-ladder.ts'],
        because: 'it runs in Node and browsers, with `fetch` alone',
      },
      {
        rooms: ['config'],
        mayImport: ['lib'],
        because: 'settings are read before anything is opened',
      },
      {
        rooms: ['server'],
        mayImport: [
          'http',
          'lib',
          'edge/hits',
          'adapters/linux',
          'domain/errors.ts',
          'types:edge/asset',
          'types:domain/certificates',
          'types:ports',
          'config/url-settings.ts',
          'types:config',
        ],
        because: 'it listens, counts and asks the kernel, whoever it is that responds',
      },
      {
        rooms: ['wiring'],
        mayImport: [
          'adapters',
          'planes',
          'domain',
          'edge',
          'http',
          'server',
          'ports',
          'lib',
          'config/url-settings.ts',
          'types:config',
        ],
        because: 'it says which adapter is which; nothing else knows',
      },
      {
        rooms: ['edge-node'],
        mayImport: [
          'wiring',
          'server',
          'adapters/disk',
          'adapters/edge-http',
          'adapters/sql',
          'planes',
          'domain',
          'edge',
          'http',
          'ports',
          'lib',
          'config',
        ],
        because:
          'it puts an edge on another machine together: no git, no S3, no renderer of its own',
      },
      {
        rooms: ['cluster'],
        mayImport: [
          'edge-node',
          'wiring',
          'server',
          'domain/access',
          'domain/cluster',
          'domain/errors.ts',
          'types:domain/certificates',
          'http',
          'ports',
        ],
        because: 'it decides who writes and who stands by; its stores are opened by the wiring',
      },
      {
        rooms: ['service.ts'],
        mayImport: [
          'wiring',
          'server',
          'planes',
          'domain/logs',
          'types:edge/asset',
          'types:edge/purge',
          'types:http',
        ],
        because: 'it opens the parts in order and routes to them',
      },
      {
        rooms: ['main.ts'],
        mayImport: [
          'config',
          'service.ts',
          'cluster',
          'wiring/delivery/worker-delivery.ts',
          'types:wiring',
          'server',
          'lib',
          'ports/store-unavailable-error.ts',
        ],
        because: 'it sees the settings, the service and how to listen',
      },
      {
        rooms: ['cli'],
        mayImport: [
          'main.ts',
          'client',
          'config',
          'wiring',
          'server',
          'edge-node',
          'edge',
          'ports',
          'lib',
          'domain/catalog/human-size.ts',
        ],
        because: 'a command asks a running service, or starts one',
      },
      {
        rooms: ['executable.ts'],
        mayImport: ['cli/main.ts', 'lib'],
        because: 'one file is the command and all children, told apart by their first word',
      },
    ],
    mayTurnBack: true,
  },
  {
    folder: 'src/adapters',
    about: 'Of `src/adapters`, where each folder is a technology.',
    rows: [{ rooms: ['*'], mayImport: [], because: 'another technology takes the place of one' }],
  },
  {
    folder: 'src/domain',
    about: 'Of `src/domain`.',
    rows: [
      { rooms: ['errors.ts'], mayImport: [], because: 'every refusal, by its code' },
      {
        rooms: ['feed.ts', 'cluster', 'insights', 'logs', 'mirror'],
        mayImport: [],
        because: 'each stands on ports alone',
      },
      { rooms: ['access'], mayImport: ['errors.ts'], because: 'who asks, and what they may' },
      {
        rooms: ['content'],
        mayImport: ['access', 'errors.ts', 'feed.ts'],
        because: 'what is stored: paths, zones, rule files, host names',
      },
      {
        rooms: ['uploads'],
        mayImport: ['content', 'access', 'errors.ts'],
        because: 'files that arrive in pieces, over many requests',
      },
      {
        rooms: ['catalog', 'search'],
        mayImport: ['content'],
        because: 'what is there, listed and found',
      },
      { rooms: ['streaming'], mayImport: ['content', 'errors.ts'], because: 'video as HLS' },
      {
        rooms: ['publishing'],
        mayImport: ['catalog', 'content', 'access', 'errors.ts', 'feed.ts'],
        because: 'everything that becomes visible together',
      },
      {
        rooms: ['pushes'],
        mayImport: ['publishing', 'mirror', 'content', 'access', 'errors.ts'],
        because: 'commits that somebody pushes here, taken up wholly or not at all',
      },
      {
        rooms: ['media'],
        mayImport: ['publishing', 'streaming', 'content', 'access', 'errors.ts'],
        because: 'images: what is in them, and what is made of them',
      },
      {
        rooms: ['certificates'],
        mayImport: ['content', 'feed.ts'],
        because: 'host names shown over TLS',
      },
      {
        rooms: ['previews'],
        mayImport: ['publishing', 'mirror', 'catalog', 'content', 'access', 'errors.ts', 'feed.ts'],
        because: 'branches of zones, and how they become live',
      },
      {
        rooms: ['erasing'],
        mayImport: ['catalog', 'content', 'access', 'errors.ts', 'feed.ts'],
        because: 'what is forgotten for good, wherever it is',
      },
      {
        rooms: ['quotas'],
        mayImport: ['access'],
        because: 'what each zone uses of what it may, and what comes of it',
      },
      { rooms: ['webhooks'], mayImport: ['access', 'errors.ts'], because: 'who else is told' },
      {
        rooms: ['backups'],
        mayImport: ['access', 'errors.ts'],
        because: 'copies elsewhere of all that cannot be made again',
      },
      {
        rooms: ['notifications'],
        mayImport: ['access'],
        because: 'what is wrong, and who hears of it',
      },
      {
        rooms: ['health'],
        mayImport: ['publishing', 'content'],
        because: 'whether what is shown is what is stored',
      },
      {
        rooms: ['edges'],
        mayImport: [
          'certificates',
          'media',
          'catalog',
          'content',
          'access',
          'errors.ts',
          'feed.ts',
        ],
        because: 'what an edge elsewhere is told, and does with it',
      },
      {
        rooms: ['assistant'],
        mayImport: ['search', 'media', 'catalog', 'content', 'errors.ts'],
        because: 'answers from all that is found',
      },
    ],
  },
  {
    folder: 'src/edge',
    about: 'Of `src/edge`, from what knows nothing of the others to what answers.',
    rows: [
      {
        rooms: ['routing'],
        mayImport: [],
        because: 'a URL and the rule files say which asset is meant, or why none is',
      },
      { rooms: ['hits'], mayImport: ['routing'], because: 'what was answered is counted' },
      { rooms: ['purge'], mayImport: [], because: 'counters say what is no longer to be served' },
      {
        rooms: ['codings'],
        mayImport: [],
        because: 'Brotli, Zstandard and gzip of the same bytes',
      },
      {
        rooms: ['response'],
        mayImport: ['routing', 'hits', 'codings'],
        because: 'fields and bytes of an asset, and everything that has no asset in it',
      },
      {
        rooms: ['asset'],
        mayImport: ['response', 'routing', 'hits', 'codings', 'purge'],
        because: 'prepared entries, how long they hold, and the hot path',
      },
      {
        rooms: ['cache'],
        mayImport: ['purge', 'hits'],
        because: 'the shared HTTP cache in front of what is made on request, and its hot path',
      },
    ],
  },
  {
    folder: 'src/edge/cache',
    about: 'Of `src/edge/cache`.',
    rows: [
      { rooms: ['rfc9111'], mayImport: [], because: 'the rules of RFC 9111, without any state' },
      { rooms: ['store'], mayImport: ['rfc9111'], because: 'what is kept, in memory and on disk' },
      {
        rooms: ['reuse'],
        mayImport: ['store', 'rfc9111'],
        because: 'whether something kept answers a request, and how',
      },
      {
        rooms: ['origin'],
        mayImport: ['reuse', 'store', 'rfc9111'],
        because: 'everything that something kept cannot answer',
      },
      {
        rooms: [
          'http-cache.ts',
          'reverse-proxy.ts',
          'cached-delivery.ts',
          'hot-delivery.ts',
          'bytes-at-hand.ts',
          'shown-tags.ts',
          'testing.ts',
        ],
        mayImport: ['origin', 'reuse', 'store', 'rfc9111'],
      },
    ],
  },
  {
    folder: 'web',
    about: 'Of `web`.',
    rows: [
      {
        rooms: ['*'],
        mayImport: [],
        because: 'each page loads what is its own, and can be left out',
      },
    ],
  },
  {
    folder: 'web/dashboard',
    about: 'Of `web/dashboard`.',
    rows: [
      { rooms: ['page-names.ts', 'theme.ts', 'language'], mayImport: [] },
      { rooms: ['api'], mayImport: ['language'] },
      {
        rooms: ['page-parameters.ts', 'router.tsx'],
        mayImport: ['page-names.ts'],
        because: 'a link that says what its page does not read does not compile',
      },
      {
        rooms: ['parts'],
        mayImport: ['api', 'router.tsx', 'language'],
        because: 'what pages are built of',
      },
      { rooms: ['*'], mayImport: ['parts', 'api', 'router.tsx', 'page-parameters.ts', 'language'] },
      {
        rooms: ['transform', 'upload', 'history', 'erasures', 'duplicates'],
        mayImport: ['assets', 'parts', 'api', 'router.tsx', 'page-parameters.ts', 'language'],
      },
      {
        rooms: ['assistant'],
        mayImport: [
          'assets',
          'purge',
          'parts',
          'api',
          'router.tsx',
          'page-parameters.ts',
          'page-names.ts',
          'language',
        ],
        because: 'what it prepares is confirmed beside it',
      },
      {
        rooms: ['previews'],
        mayImport: ['history', 'upload', 'assets', 'parts', 'api', 'router.tsx', 'language'],
      },
      {
        rooms: ['overview'],
        mayImport: ['assets', 'insights', 'parts', 'api', 'router.tsx', 'language'],
      },
      { rooms: ['pages'], mayImport: 'everything', because: 'a page is put together of the rest' },
      { rooms: ['pages.ts'], mayImport: ['pages', 'page-names.ts', 'parts', 'language'] },
      {
        rooms: ['shell'],
        mayImport: [
          'assistant',
          'notifications',
          'upload',
          'assets',
          'pages.ts',
          'page-names.ts',
          'page-parameters.ts',
          'theme.ts',
          'parts',
          'api',
          'router.tsx',
          'language',
        ],
      },
      {
        rooms: ['dashboard.tsx', 'main.tsx'],
        mayImport: [
          'shell',
          'session',
          'pages.ts',
          'page-names.ts',
          'theme.ts',
          'parts',
          'api',
          'router.tsx',
          'language',
        ],
      },
    ],
  },
]
