import { openAssistant } from '../../assistant/open-state.ts'
import { chooseLanguage, currentLanguage, languageNames } from '../../language/language.ts'
import type { Language } from '../../language/language.ts'
import { t } from '../../language/text.ts'
import type { PageGroup } from '../../pages.ts'
import { hrefOf } from '../../router.tsx'
import { chooseTheme } from '../../theme.ts'
import { openSheet } from '../overlays.ts'
import { keysOfPage } from '../shortcuts/shortcuts.ts'
import { zoneInView } from '../zone-in-view.ts'
import type { Entry } from './entry.ts'

/** The pages that are open to whoever looks. */
export const pageEntries = (groups: readonly PageGroup[]): readonly Entry[] =>
  groups.flatMap(({ title: detail, pages }) =>
    pages.map(({ name, title, icon }): Entry => ({
      id: `page ${name}`,
      group: 'pages',
      title,
      detail,
      icon,
      keys: keysOfPage(name),
      href: hrefOf(name),
    })),
  )

type Action = Omit<Entry, 'group'>

/** What can be done from anywhere, of those whose page is open. */
export const actionEntries = (groups: readonly PageGroup[]): readonly Entry[] => {
  const open = new Set(groups.flatMap(({ pages }) => pages.map(({ name }) => hrefOf(name))))
  const isOpen = ({ href = '' }: Action) => open.has(pathOf(href))
  return [...makingActions(zoneInView()).filter(isOpen), ...ownActions()].map((action) => ({
    group: 'actions',
    ...action,
  }))
}

const pathOf = (href: string): string => href.split('?', 1)[0] ?? href

const makingActions = (zone: string | undefined): readonly Action[] => [
  {
    id: 'upload',
    title: zone === undefined ? t('Upload files') : t('Upload files to {zone}', { zone }),
    icon: 'upload',
    keys: 'u',
    href: hrefOf('upload', { zone }),
  },
  {
    id: 'create zone',
    title: t('Create a zone'),
    icon: 'plus',
    href: hrefOf('zones', { create: 'zone' }),
  },
  {
    id: 'create token',
    title: t('Create a token'),
    icon: 'key',
    href: hrefOf('tokens', { create: 'token' }),
  },
  {
    id: 'create preview',
    title: zone === undefined ? t('Create a preview') : t('Create a preview of {zone}', { zone }),
    icon: 'branch',
    href: hrefOf('previews', { zone, from: 'now' }),
  },
  ...purgeActions(zone),
]

function purgeActions(zone: string | undefined): readonly Action[] {
  const path = new URLSearchParams(location.search).get('asset')
  const asset: Action = {
    id: 'purge asset',
    title: t('Purge {what}', { what: path ?? '' }),
    icon: 'sweep',
    href: hrefOf('purge', { url: `/${path ?? ''}` }),
  }
  const ofZone: Action = {
    id: 'purge zone',
    title: t('Purge {what}', { what: zone ?? '' }),
    icon: 'sweep',
    href: hrefOf('purge', { tag: `zone-${zone ?? ''}` }),
  }
  return [...(path === null ? [] : [asset]), ...(zone === undefined ? [] : [ofZone])]
}

const ownActions = (): readonly Action[] => [
  { id: 'assistant', title: t('Open Ask'), icon: 'spark', keys: 'a', run: openAssistant },
  { id: 'shortcuts', title: t('Keyboard shortcuts'), icon: 'info', keys: '?', run: openSheet },
  { id: 'documentation', title: t('Documentation'), icon: 'book', href: '/docs/' },
  { id: 'reference', title: t('API reference'), icon: 'terminal', href: '/api/docs' },
  ...rareActions().map((action) => ({ ...action, isRare: true })),
]

const rareActions = (): readonly Action[] => [
  { id: 'light', title: t('Light colours'), icon: 'sun', run: () => chooseTheme('light') },
  { id: 'dark', title: t('Dark colours'), icon: 'moon', run: () => chooseTheme('dark') },
  {
    id: 'system colours',
    title: t('Colours of the system'),
    icon: 'screen',
    run: () => chooseTheme('system'),
  },
  ...(Object.keys(languageNames) as Language[])
    .filter((language) => language !== currentLanguage())
    .map((language) => ({
      id: `language ${language}`,
      title: languageNames[language],
      detail: t('Language'),
      icon: 'globe' as const,
      run: () => chooseLanguage(language),
    })),
  { id: 'sign out', title: t('Sign out'), icon: 'exit', run: signOut },
]

const signOut = (): void =>
  document.querySelector<HTMLFormElement>('form[action="/dashboard/logout"]')?.requestSubmit()
