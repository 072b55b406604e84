import { transformParameters } from '../../src/client/transform-parameters.ts'
import type { PageName } from './page-names.ts'

export type ParameterName = keyof typeof transformParameters

/** Every parameter of a transform, as the URL of the page keeps them. */
export const parameterNames = Object.keys(transformParameters) as readonly ParameterName[]

/** What each page reads of its address. A link that says anything else does not compile. */
export const parametersByPage = {
  overview: [],
  assets: [
    'asset',
    'below',
    'by',
    'category',
    'density',
    'folder',
    'format',
    'order',
    'q',
    'sort',
    'view',
    'zone',
  ],
  upload: ['folder', 'zone'],
  transform: ['asset', 'p', ...parameterNames],
  duplicates: ['zone'],
  history: ['author', 'path', 'time', 'with', 'zone'],
  compare: ['change', 'file', 'from', 'how', 'path', 'to', 'zone'],
  previews: ['file', 'from', 'how', 'preview', 'zone'],
  zones: ['create'],
  zone: ['file', 'tab', 'zone'],
  domains: ['zone'],
  rules: ['file', 'line', 'zone'],
  purge: ['url', 'tag'],
  erasures: ['erase', 'erasure'],
  insights: ['days', 'from', 'metric', 'period', 'step', 'time', 'to', 'zone'],
  usage: ['metric', 'month', 'zone'],
  logs: ['from', 'log', 'q', 'since', 'to'],
  audit: ['action', 'actor', 'days', 'q', 'zone'],
  health: [],
  notifications: [],
  backups: [],
  people: [],
  tokens: ['create'],
  webhooks: [],
  sessions: [],
} as const satisfies Readonly<Record<PageName, readonly string[]>>

type Parameter<Page extends PageName> = (typeof parametersByPage)[Page][number]

/** What an address of the page may say. */
export type SearchOf<Page extends PageName> = {
  readonly [Name in Parameter<Page>]?: string | undefined
}

/** What any address may say. */
export type Search = SearchOf<PageName>
