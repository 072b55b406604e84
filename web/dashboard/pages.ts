import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

import type { PageName } from './page-names.ts'
import type { IconName } from './parts/icon.tsx'

export interface PageEntry {
  readonly name: PageName
  readonly title: string
  readonly icon: IconName
  readonly Page: LazyExoticComponent<ComponentType>
}

export interface PageGroup {
  readonly title: string
  readonly pages: readonly PageEntry[]
}

const page = (
  name: PageName,
  { title, icon, load }: Omit<PageEntry, 'name' | 'Page'> & { readonly load: Load },
): PageEntry => ({
  name,
  title,
  icon,
  Page: lazy(async () => ({ default: (await load()).Page })),
})

type Load = () => Promise<{ readonly Page: ComponentType }>

/** The navigation, in its order. Each page is loaded when it is first shown. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: 'Content',
    pages: [
      page('overview', {
        title: 'Overview',
        icon: 'home',
        load: () => import('./pages/overview.tsx'),
      }),
      page('assets', {
        title: 'Assets',
        icon: 'images',
        load: () => import('./pages/assets.tsx'),
      }),
      page('upload', { title: 'Upload', icon: 'upload', load: () => import('./pages/upload.tsx') }),
      page('transform', {
        title: 'Transform',
        icon: 'crop',
        load: () => import('./pages/transform.tsx'),
      }),
      page('duplicates', {
        title: 'Duplicates',
        icon: 'copy',
        load: () => import('./pages/zone/duplicates.tsx'),
      }),
      page('history', {
        title: 'History',
        icon: 'history',
        load: () => import('./pages/zone/history.tsx'),
      }),
      page('previews', {
        title: 'Previews',
        icon: 'branch',
        load: () => import('./pages/zone/previews.tsx'),
      }),
    ],
  },
  {
    title: 'Delivery',
    pages: [
      page('zones', { title: 'Zones', icon: 'layers', load: () => import('./pages/zones.tsx') }),
      page('domains', {
        title: 'Domains',
        icon: 'globe',
        load: () => import('./pages/domains.tsx'),
      }),
      page('rules', {
        title: 'Edge rules',
        icon: 'rules',
        load: () => import('./pages/rules.tsx'),
      }),
      page('purge', { title: 'Purge', icon: 'sweep', load: () => import('./pages/purge.tsx') }),
      page('erasures', {
        title: 'Erasures',
        icon: 'eraser',
        load: () => import('./pages/erasures.tsx'),
      }),
    ],
  },
  {
    title: 'Watch',
    pages: [
      page('insights', {
        title: 'Insights',
        icon: 'chart',
        load: () => import('./pages/insights.tsx'),
      }),
      page('logs', { title: 'Logs', icon: 'terminal', load: () => import('./pages/logs.tsx') }),
      page('audit', { title: 'Audit', icon: 'book', load: () => import('./pages/audit.tsx') }),
    ],
  },
  {
    title: 'Access',
    pages: [
      page('people', {
        title: 'People',
        icon: 'people',
        load: () => import('./pages/access/people.tsx'),
      }),
      page('tokens', { title: 'Tokens', icon: 'key', load: () => import('./pages/tokens.tsx') }),
      page('webhooks', {
        title: 'Webhooks',
        icon: 'webhook',
        load: () => import('./pages/webhooks.tsx'),
      }),
      page('sessions', {
        title: 'Passkeys and sessions',
        icon: 'shield',
        load: () => import('./pages/access/sessions.tsx'),
      }),
    ],
  },
]

/** Pages of one thing, to which others lead. */
const innerPages: readonly PageEntry[] = [
  page('compare', {
    title: 'Compare',
    icon: 'compare',
    load: () => import('./pages/zone/compare.tsx'),
  }),
  page('zone', { title: 'Zone', icon: 'layers', load: () => import('./pages/zone/home.tsx') }),
]

const entries = [...pageGroups.flatMap(({ pages }) => pages), ...innerPages]

export const entryOf = (name: PageName): PageEntry | undefined =>
  entries.find((entry) => entry.name === name)
