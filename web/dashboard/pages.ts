import type { ComponentType } from 'react'

import { t } from './language/text.ts'
import type { PageName } from './page-names.ts'
import type { IconName } from './parts/icon.tsx'
import { createLateModule, type LateModule } from './parts/late-module.ts'

export interface PageEntry {
  readonly name: PageName
  readonly title: string
  readonly icon: IconName
  readonly module: LateModule<PageModule>
}

export interface PageModule {
  readonly Page: ComponentType
}

export type GroupName = 'content' | 'delivery' | 'monitoring' | 'access'

export interface PageGroup {
  readonly name: GroupName
  readonly title: string
  readonly pages: readonly PageEntry[]
}

const page = (
  name: PageName,
  { title, icon, load }: Omit<PageEntry, 'name' | 'module'> & { readonly load: Load },
): PageEntry => ({ name, title, icon, module: createLateModule(load) })

type Load = () => Promise<PageModule>

/** The navigation, in its order. Each page is loaded when it is first shown. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: 'content',
    title: t('Content'),
    pages: [
      page('overview', {
        title: t('Overview'),
        icon: 'home',
        load: () => import('./pages/overview.tsx'),
      }),
      page('assets', {
        title: t('Assets'),
        icon: 'images',
        load: () => import('./pages/assets.tsx'),
      }),
      page('upload', {
        title: t('Upload'),
        icon: 'upload',
        load: () => import('./pages/upload.tsx'),
      }),
      page('transform', {
        title: t('Transform'),
        icon: 'crop',
        load: () => import('./pages/transform.tsx'),
      }),
      page('duplicates', {
        title: t('Duplicates'),
        icon: 'copy',
        load: () => import('./pages/zone/duplicates.tsx'),
      }),
      page('history', {
        title: t('History'),
        icon: 'history',
        load: () => import('./pages/zone/history.tsx'),
      }),
      page('previews', {
        title: t('Previews'),
        icon: 'branch',
        load: () => import('./pages/zone/previews.tsx'),
      }),
    ],
  },
  {
    name: 'delivery',
    title: t('Delivery'),
    pages: [
      page('zones', { title: t('Zones'), icon: 'layers', load: () => import('./pages/zones.tsx') }),
      page('domains', {
        title: t('Domains'),
        icon: 'globe',
        load: () => import('./pages/domains.tsx'),
      }),
      page('rules', {
        title: t('Edge rules'),
        icon: 'rules',
        load: () => import('./pages/rules.tsx'),
      }),
      page('purge', { title: t('Purge'), icon: 'sweep', load: () => import('./pages/purge.tsx') }),
      page('erasures', {
        title: t('Erasures'),
        icon: 'eraser',
        load: () => import('./pages/erasures.tsx'),
      }),
    ],
  },
  {
    name: 'monitoring',
    title: t('Monitoring'),
    pages: [
      page('insights', {
        title: t('Insights'),
        icon: 'chart',
        load: () => import('./pages/insights.tsx'),
      }),
      page('usage', {
        title: t('Usage'),
        icon: 'gauge',
        load: () => import('./pages/watch/usage.tsx'),
      }),
      page('logs', { title: t('Logs'), icon: 'terminal', load: () => import('./pages/logs.tsx') }),
      page('audit', { title: t('Audit'), icon: 'book', load: () => import('./pages/audit.tsx') }),
      page('health', {
        title: t('Health'),
        icon: 'pulse',
        load: () => import('./pages/watch/health.tsx'),
      }),
      page('notifications', {
        title: t('Notifications'),
        icon: 'bell',
        load: () => import('./pages/watch/notifications.tsx'),
      }),
      page('backups', {
        title: t('Backups'),
        icon: 'layers',
        load: () => import('./pages/backups.tsx'),
      }),
    ],
  },
  {
    name: 'access',
    title: t('Access'),
    pages: [
      page('people', {
        title: t('People'),
        icon: 'people',
        load: () => import('./pages/access/people.tsx'),
      }),
      page('tokens', { title: t('Tokens'), icon: 'key', load: () => import('./pages/tokens.tsx') }),
      page('webhooks', {
        title: t('Webhooks'),
        icon: 'webhook',
        load: () => import('./pages/webhooks.tsx'),
      }),
      page('sessions', {
        title: t('Passkeys and sessions'),
        icon: 'shield',
        load: () => import('./pages/access/sessions.tsx'),
      }),
    ],
  },
]

/** Pages of one thing, to which others lead. */
const innerPages: readonly PageEntry[] = [
  page('compare', {
    title: t('Compare'),
    icon: 'compare',
    load: () => import('./pages/zone/compare.tsx'),
  }),
  page('zone', { title: t('Zone'), icon: 'layers', load: () => import('./pages/zone/home.tsx') }),
]

const entries = [...pageGroups.flatMap(({ pages }) => pages), ...innerPages]

export const entryOf = (name: PageName): PageEntry | undefined =>
  entries.find((entry) => entry.name === name)

/** The group of the navigation in which somebody looks for a page. */
export const groupOf = (name: PageName): GroupName | undefined =>
  name === 'zone'
    ? 'delivery'
    : name === 'compare'
      ? 'content'
      : pageGroups.find(({ pages }) => pages.some((each) => each.name === name))?.name
