import type { PageName } from './page-names.ts'

/** Every parameter of a transform, as the URL of the page keeps them. */
export const transformParameters = [
  'w',
  'h',
  'dpr',
  'fit',
  'gravity',
  'format',
  'q',
  'blur',
  'sharpen',
  'anim',
] as const

/** What each page reads of its address. A link that says anything else does not compile. */
export const parametersByPage = {
  overview: [],
  assets: ['asset', 'by', 'category', 'format', 'order', 'q', 'sort', 'view', 'zone'],
  upload: ['zone'],
  transform: ['asset', ...transformParameters],
  zones: [],
  domains: ['zone'],
  rules: ['file'],
  purge: ['address', 'tag'],
  insights: ['days', 'zone'],
  logs: ['days'],
  audit: ['days'],
  tokens: [],
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
